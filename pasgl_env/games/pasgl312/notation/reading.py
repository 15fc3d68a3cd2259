"""Reading turns of PASGL 312 Chess in Lawson's notation.

A word names the player's choices: actor and target, the victim, the squares of the displaced.
Everything else in it is an effect: it may be left out, but if it is written, it must be correct.
Some of Lawson's examples are not legal (Ruling 12), and are rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import islice, product

from pasgl_env.contract.game import brief
from pasgl_env.engine.position import Position
from pasgl_env.games.pasgl312.description import CONDITIONS
from pasgl_env.games.pasgl312.notation.happening import displaced_by_bear, whole
from pasgl_env.games.pasgl312.notation.word import PASS, Mention, Word, parse
from pasgl_env.games.pasgl312.notation.writing import word_of
from pasgl_env.games.pasgl312.position_text import members, symbol
from pasgl_env.games.pasgl312.rules.board import INDEX, KING_STEP, NAMES, NONE, SQUARES
from pasgl_env.games.pasgl312.rules.legal import DISPLACEMENTS
from pasgl_env.games.pasgl312.rules.state import SIDE_MASK, at, critter_in
from pasgl_env.records.notation import NotationError, only_reading
from pasgl_env.records.turn import Turn

_FEW = 8
# The maximum number of turns considered: a word that matches more leaves out too much.
_MOST_TURNS = 128


def read(before: Position, text: str) -> tuple[str, ...]:
    """The labels of the one complete turn that a word means.

    Raises:
        NotationError: if it means none or several.
    """
    if text.lower() == PASS:
        return _read_pass(before)
    given = _without_slips(parse(text))
    start, played = whole(Turn.begin(before))
    turns = list(islice(_turns(start, given), _MOST_TURNS))
    going_on = [turn for turn in turns if turn.labels[: len(played)] == played]
    if not going_on:
        raise NotationError(f"{brief(text)} does not begin with {', '.join(played)}")
    if len(turns) < _MOST_TURNS:
        going_on = _without_faults(going_on, given)
    return only_reading(text, going_on)[len(played) :]


def _read_pass(before: Position) -> tuple[str, ...]:
    if before.legal_moves() != [PASS]:
        raise NotationError("passing is legal only if nothing else is")
    return (PASS,)


def _without_slips(given: Word) -> Word:
    """Correct Lawson's slip: S for a Shrew squashed by a Deer, which kills nobody else."""
    if given.actor.letter not in "Dd":
        return given
    shrew = {"S": "P", "s": "p"}
    killed = (each._replace(letter=shrew.get(each.letter, each.letter)) for each in given.killed)
    return given._replace(killed=tuple(killed))


def _turns(start: Position, given: Word) -> Iterator[Turn]:
    """The complete turns that match the choices in a word."""
    for label in _openings(start, given):
        turn = Turn.begin(start).play(label)
        if turn.is_complete:
            yield turn
        elif given.actor.letter in "Bb":
            yield from (reduce(Turn.play, labels, turn) for labels in _displacements(start, given))
        else:
            yield from (turn.play(victim) for victim in _victims(turn.after, given.victim))


def _openings(start: Position, given: Word) -> list[str]:
    """The labels of the moves, shots or chucks that a word may mean, at least one."""
    actor, state = given.actor, start.state[0]
    standing = members(int(at(state, INDEX[actor.square])) & int(SIDE_MASK[state.mover]))
    symbols = {each: symbol(state, each) for each in standing}
    own = {critter: each for critter, each in symbols.items() if actor.may_be(each[-1], each[:-1])}
    if not own:
        name = f"{actor.modifiers}{actor.letter}"
        raise NotationError(f"{start.seats[state.mover]} has no {name} on {actor.square}")
    actions = (
        each
        for each in start.legal_actions()
        if each < DISPLACEMENTS and int(critter_in(state, int(state.mover), each // SQUARES)) in own
    )
    legal = sorted(map(start.label, actions))
    action = f"{actor.square}{given.sign}{given.target}"
    found = {f"{each}{action}": each[:-1] for each in own.values() if f"{each}{action}" in legal}
    if not found:
        raise _not_legal(actor, f"{actor}{given.sign}{given.target}", legal)
    return _closest(actor, found)


def _not_legal(actor: Mention, action: str, legal: list[str]) -> NotationError:
    if not legal:
        return NotationError(f"{actor} cannot act in this turn")
    shown = ", ".join(legal[:_FEW]) + ", ..." * (len(legal) > _FEW)
    signs = {sign for label in legal[:_FEW] for sign in label if sign in CONDITIONS}
    meant = "".join(f"; {sign} is {CONDITIONS[sign]}" for sign in sorted(signs))
    reason = f"{action} is not legal here; legal for {actor}: {shown}{meant}"
    return NotationError(reason, len(str(actor)))


def _closest(mention: Mention, found: dict[str, str]) -> list[str]:
    """The labels or symbols whose modifiers are exactly those mentioned.

    All, if there are none.
    """
    exact = [each for each, modifiers in found.items() if modifiers == mention.modifiers]
    return exact or list(found)


def _victims(asked: Position, mention: Mention | None) -> list[str]:
    """The labels of the possible victims, at least one."""
    labels = asked.legal_moves()
    if mention is None:
        return labels
    found = {label: label[:-1] for label in labels if mention.may_be(label[-1], label[:-1])}
    if not found:
        raise NotationError(f"the victim is {' or '.join(labels)}, not {mention}", mention.column)
    return _closest(mention, found)


def _displacements(start: Position, given: Word) -> Iterable[tuple[str, ...]]:
    """The labels of all possible displacements; critters left out may go anywhere."""
    state, target = start.state[0], INDEX[given.target]
    symbols = [symbol(state, critter) for critter in displaced_by_bear(state, target)]
    neighbours = [NAMES[square] for square in KING_STEP[target] if square != NONE]
    squares: dict[str, list[str]] = {each: [] for each in symbols}
    for mention in given.displaced:
        meant = _displaced(mention, symbols)
        squares[meant].append(mention.square)
        if len(squares[meant]) > symbols.count(meant):
            raise _not_displaced(mention, "one too many", symbols)
        if mention.square not in neighbours:
            raise NotationError(f"{mention.square} is not next to {given.target}", mention.column)
    choices = []
    for each in symbols:
        to = [squares[each].pop(0)] if squares[each] else neighbours
        choices.append([f"{each}{square}" for square in to])
    return product(*choices)


def _displaced(mention: Mention, symbols: list[str]) -> str:
    """The symbol of the displaced critter that is meant: a capital prefers White's."""
    found = {each: each[:-1] for each in symbols if mention.may_be(each[-1], each[:-1])}
    of_case = {each: signs for each, signs in found.items() if each[-1] == mention.letter}
    closest = _closest(mention, of_case or found)
    if len(closest) != 1:
        fault = "more than one of them" if closest else "none of them"
        raise _not_displaced(mention, fault, symbols)
    return closest[0]


def _not_displaced(mention: Mention, fault: str, symbols: list[str]) -> NotationError:
    who = ", ".join(symbols) or "nobody"
    return NotationError(f"the Bear displaces {who}; {mention} is {fault}", mention.column)


def _without_faults(turns: list[Turn], given: Word) -> list[Turn]:
    """The turns that have all the effects mentioned, at least one."""
    faults = [_fault(turn, given) for turn in turns]
    if faults[0] and all(faults):
        reason = f"what happens is {word_of(turns[0])}, so not {faults[0]}"
        raise NotationError(reason, faults[0].column)
    return [turn for turn, fault in zip(turns, faults, strict=True) if fault is None]


def _fault(turn: Turn, given: Word) -> Mention | None:
    """The first effect mentioned that the turn does not have."""
    real = word_of(turn)
    assert real is not None
    faults = map(_unfound, given.effects, real.effects)
    return next((mention for mention in faults if mention), None)


def _unfound(mentions: tuple[Mention, ...], real: tuple[Mention, ...]) -> Mention | None:
    """A mention without a matching effect."""
    left = list(real)
    # Lower case means one side only, so it is matched first.
    for mention in sorted(mentions, key=lambda each: each.letter.isupper()):
        fitting = [each for each in left if mention.tells_of(each)]
        if not fitting:
            return mention
        left.remove(max(fitting, key=lambda each: each.letter == mention.letter))
    return None
