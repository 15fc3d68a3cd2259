"""Generic loops over one game's rules, and their binding.

The loops are templates: their free names (``legal_actions``, ``play`` ...) are the rules of a game
(see ``contract/game.py``), which :func:`loops_of` binds. Ranges ``first ... last`` let several
threads share a batch.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.game import Game, options_array
from pasgl_env.engine.results import is_truncated, outcome_for, winning_team
from pasgl_env.jit.compiled import bind, compile_once, rule, wide, with_helpers

_RULES = (
    "start legal_actions play observe to_move winner points turns in_turn is_quiescent has_no_room "
    "forget evaluate team"
).split()

Use = Literal["batch", "answers", "positions", "records"]
"""What loops are for; each use compiles only its own."""

# Words of a mask that a draw counts together, and the lower half of each pair of bytes in a word.
BLOCK = 128
LOWER_BYTES = 0x00FF00FF00FF00FF

# How far a generator advances with each draw, as SplitMix64 calls it.
GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)

# The highest bit of each byte of a word.
HIGHEST_BITS = -0x7F7F7F7F7F7F7F80

# No action, for `advance`, and among actions drawn ahead.
NOTHING = -1
# Among actions drawn ahead, this number less the action that `sample` drew last: that needs no
# check, and the next step draws ahead.
SAMPLED = -2


class Loops(NamedTuple):
    """The loops below, bound to one game."""

    restart: Any
    place: Any
    reseed: Any
    step: Any
    step_answered: Any
    observe_all: Any
    observe_one: Any
    count_turns: Any
    first_unplayable: Any
    play_one: Any
    advance: Any
    outcomes: Any
    roll: Any


class Buffers(NamedTuple):
    """The arrays of a batch, with a row for each game; see :class:`pasgl_env.Batch`.

    Loops take them one by one, which is faster from Python, and collect them again.

    ``options`` has one record for all games. Rows of ``action_mask`` are padded with zeros to a
    multiple of 8, so that they can be read as words. ``action_bits`` has no rows until masks are
    requested as bits. ``stepped`` has the number of games in the last step, then their indices;
    ``drawn`` the actions that :func:`sample` will draw next, where it drew the last ones, and else
    :data:`NOTHING`. ``dice`` and ``generators`` are those of chance and of :func:`sample`.
    """

    states: np.ndarray
    options: np.ndarray
    dice: np.ndarray
    generators: np.ndarray
    first_states: np.ndarray
    first_dice: np.ndarray
    observation: np.ndarray
    action_mask: np.ndarray
    action_bits: np.ndarray
    legal_count: np.ndarray
    to_move: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    truncates_for: np.ndarray
    length: np.ndarray
    final_states: np.ndarray
    final_length: np.ndarray
    stepped: np.ndarray
    drawn: np.ndarray

    @classmethod
    def of(cls, game: Game, options: np.ndarray, games: int) -> Buffers:
        """Arrays for a number of games, which have not begun."""
        spaces = game.spaces(options[0])
        width = -(-spaces.actions // 8) * 8
        return cls(
            states=np.zeros(games, game.state),
            options=options,
            dice=np.zeros(games, np.uint64),
            generators=np.zeros(games, np.uint64),
            first_states=np.zeros(games, game.state),
            first_dice=np.zeros(games, np.uint64),
            observation=np.zeros((games, *spaces.observation), np.uint8),
            action_mask=np.zeros((games, width), np.uint8),
            action_bits=np.zeros((0, width // 8), np.uint8),
            legal_count=np.zeros(games, np.int32),
            to_move=np.zeros(games, np.int8),
            reward=np.zeros((games, spaces.players), np.float32),
            terminated=np.zeros(games, np.bool_),
            truncated=np.zeros(games, np.bool_),
            truncates_for=np.full(games, -1, np.int8),
            length=np.zeros(games, np.int32),
            final_states=np.zeros(games, game.state),
            final_length=np.zeros(games, np.int32),
            stepped=np.zeros(1 + games, np.int64),
            drawn=np.full(games, NOTHING),
        )


def resolve_chance(state: Any, option: Any, dice: np.ndarray, game: int) -> None:
    """Resolve chance nodes until a player is to act; ``dice`` are the games' generators."""
    while chance_weight(state, option) > 0:
        apply_chance(state, option, draw_outcome(state, option, dice, game))


def draw_outcome(state: Any, option: Any, dice: np.ndarray, game: int) -> int:
    """Draw an outcome of a chance node by its probability."""
    return chance_outcome(
        state, option, (random_bits(dice, game) * chance_weight(state, option)) >> 32
    )


def acts(state: Any, option: Any, action: int) -> None:
    """Play a legal action, or resolve an outcome at a chance node."""
    if HAS_CHANCE and chance_weight(state, option) > 0:
        apply_chance(state, option, action)
    else:
        play(state, option, action)


def begin(
    state: Any,
    option: Any,
    game: int,
    dice: np.ndarray,
    first_states: np.ndarray,
    first_dice: np.ndarray,
) -> None:
    """Store the start of a game, and resolve chance."""
    first_states[game] = state
    first_dice[game] = dice[game]
    if HAS_CHANCE:
        resolve_chance(state, option, dice, game)


def prepare(
    game: int,
    reward: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    length: np.ndarray,
) -> None:
    """Set a game's results to those of a step that neither earns anything nor ends the game."""
    for player in range(reward.shape[1]):
        reward[game, player] = 0
    terminated[game] = truncated[game] = False
    length[game] += 1


def act(
    state: Any,
    option: Any,
    game: int,
    action: int,
    by_points: bool,
    dice: np.ndarray,
    reward: np.ndarray,
) -> None:
    """Play a legal action and resolve chance; ``reward`` loses the points held before."""
    if by_points:
        for player in range(reward.shape[1]):
            reward[game, player] -= points(state, player)
    play(state, option, action)
    if HAS_CHANCE:
        resolve_chance(state, option, dice, game)


def conclude(buffers: Any, state: Any, game: int, legal: int, by_points: bool) -> bool:
    """Write the results of :func:`act`; if the game ended, store it, restart it and return true.

    ``buffers`` are :class:`Buffers`, or others that have the fields used here.
    """
    option, reward = buffers.options[0], buffers.reward
    players = reward.shape[1]
    over = legal == 0
    cut = not over and is_truncated(state, option)
    if cut and not has_no_room(state):
        awaited = buffers.truncates_for[game]
        cut = awaited < 0 or awaited == team(to_move(state))
    if by_points:
        gained = np.float32(0)
        for player in range(players):
            reward[game, player] += points(state, player)
            gained += reward[game, player]
        for player in range(players):
            reward[game, player] += (reward[game, player] - gained) / (players - 1)
    if not over and not cut:
        return False
    buffers.terminated[game] = over
    buffers.truncated[game] = cut
    if over and not by_points:
        won = winning_team(state, option)
        for player in range(players):
            reward[game, player] = outcome_for(won, team(player))
    buffers.final_states[game] = state
    buffers.final_length[game] = buffers.length[game]
    buffers.length[game] = 0
    start(state, option)
    begin(state, option, game, buffers.dice, buffers.first_states, buffers.first_dice)
    return True


def restart(states: np.ndarray, options: np.ndarray) -> None:
    """Reset games to their start."""
    for game in range(states.size):
        start(states[game], options[0])


def place(
    first: int,
    last: int,
    games: np.ndarray,
    records: np.ndarray,
    dice: np.ndarray,
    generators: np.ndarray,
    *arrays: np.ndarray,
) -> None:
    """Start some games from records: resolve chance, and write all outputs.

    ``records`` has one for each of them, or one for all; ``dice`` and ``generators`` are theirs,
    and ``arrays`` the fields of :class:`Buffers`. All in one call, which no exception can
    interrupt.
    """
    buffers = Buffers(*arrays)
    option, action_mask = buffers.options[0], buffers.action_mask
    if first == 0:
        buffers.stepped[0] = 0
    for row in range(first, last):
        game = games[row]
        buffers.states[game] = records[min(row, records.size - 1)]
        state = buffers.states[game]
        buffers.dice[game], buffers.generators[game] = dice[row], generators[row]
        begin(state, option, game, buffers.dice, buffers.first_states, buffers.first_dice)
        prepare(game, buffers.reward, buffers.terminated, buffers.truncated, buffers.length)
        buffers.length[game] = 0
        buffers.drawn[game] = NOTHING
        player = to_move(state)
        buffers.to_move[game] = player
        buffers.legal_count[game] = legal_actions(state, option, action_mask[game])
        if buffers.action_bits.shape[0]:
            pack(action_mask[game], buffers.action_bits[game])
        observe(state, option, player, buffers.observation[game])


def reseed(
    games: np.ndarray,
    new: np.ndarray,
    states: np.ndarray,
    dice: np.ndarray,
    first_states: np.ndarray,
    first_dice: np.ndarray,
) -> None:
    """Give some games new dice, with which they begin; the other arrays are those of all games."""
    for row in range(games.size):
        game = games[row]
        dice[game] = first_dice[game] = new[row]
        first_states[game] = states[game]


def step(
    first: int,
    last: int,
    games: np.ndarray,
    actions: np.ndarray,
    by_points: bool,
    *arrays: np.ndarray,
) -> None:
    """Play a legal action in each of some games; store and restart those that end.

    ``arrays`` are as in :func:`place`. ``stepped`` is written here so that an interrupt cannot
    come between it and the other outputs.
    """
    buffers = Buffers(*arrays)
    option, action_mask, drawn = buffers.options[0], buffers.action_mask, buffers.drawn
    words = action_mask.view(np.int64)
    if first == 0:
        buffers.stepped[0] = games.size
    # Not game by game: masks and observations would drive these small arrays from the cache.
    for row in range(first, last):
        game = games[row]
        buffers.stepped[1 + row] = game
        prepare(game, buffers.reward, buffers.terminated, buffers.truncated, buffers.length)
    for row in range(first, last):
        game = games[row]
        state = buffers.states[game]
        act(state, option, game, actions[row], by_points, buffers.dice, buffers.reward)
        legal = legal_actions(state, option, action_mask[game])
        if conclude(buffers, state, game, legal, by_points):
            legal = legal_actions(state, option, action_mask[game])
        buffers.legal_count[game] = legal
        if buffers.action_bits.shape[0]:
            pack(action_mask[game], buffers.action_bits[game])
        if drawn[game] <= SAMPLED:
            drawn[game] = look_ahead(words[game], legal, buffers.generators, game)
        else:
            drawn[game] = NOTHING
        player = to_move(state)
        buffers.to_move[game] = player
        observe(state, option, player, buffers.observation[game])


def step_answered(
    first: int,
    last: int,
    games: np.ndarray,
    actions: np.ndarray,
    by_points: bool,
    teams: np.ndarray,
    answering: np.ndarray,
    earned: np.ndarray,
    total: np.ndarray,
    played: np.ndarray,
    *arrays: np.ndarray,
) -> None:
    """Do what :func:`step` does, then play random actions until a team is to act or a game ends.

    ``answering`` are the generators of these actions.
    """
    buffers = Buffers(*arrays)
    reward, drawn, legal_count = buffers.reward, buffers.drawn, buffers.legal_count
    if first == 0:
        buffers.stepped[0] = games.size  # a step of no games counts too
    words = buffers.action_mask.view(np.int64)
    for row in range(first, last):
        game = games[row]
        member = 0
        while member < reward.shape[1] - 1 and team(member) != teams[game]:
            member += 1
        earned[game] = 0
        was_sampled = drawn[game] <= SAMPLED
        drawn[game] = NOTHING
        while True:
            step(row, row + 1, games, actions, by_points, *arrays)
            earned[game] += reward[game, member]
            total[game] += reward[game, member]
            played[game] += 1
            has_ended = buffers.terminated[game] or buffers.truncated[game]
            if has_ended or team(buffers.to_move[game]) == teams[game]:
                break
            actions[row] = draw(words[game], legal_count[game], answering, game)
        if was_sampled:
            drawn[game] = look_ahead(words[game], legal_count[game], buffers.generators, game)


def observe_all(states: np.ndarray, options: np.ndarray, observations: np.ndarray) -> None:
    """Write every player's view, ``uint8[games, players, C, H, W]``."""
    for game in range(observations.shape[0]):
        for player in range(observations.shape[1]):
            observe(states[game], options[0], player, observations[game, player])


def observe_one(
    states: np.ndarray, options: np.ndarray, player: int, observation: np.ndarray
) -> None:
    """Write a player's view of the first game, ``uint8[C, H, W]``."""
    observe(states[0], options[0], player, observation)


def count_turns(states: np.ndarray, counts: np.ndarray) -> None:
    """Write the number of turns completed in each game."""
    for game in range(states.size):
        counts[game] = turns(states[game])


@rule
def any_record(state: State, options: OptionsRecord) -> bool:
    """Stands in for :attr:`Game.is_valid`, where :meth:`Game.accepts` has checked the records."""
    return True


def first_unplayable(
    states: np.ndarray, options: np.ndarray, action_mask: np.ndarray
) -> tuple[int, bool]:
    """Index of the first record that cannot be played on, or -1; and whether it is a position.

    ``action_mask`` is scratch memory.
    """
    for game in range(states.size):
        if not is_valid(states[game], options[0]):
            return game, False
        is_chance = HAS_CHANCE and chance_weight(states[game], options[0]) > 0
        if not is_chance and legal_actions(states[game], options[0], action_mask) == 0:
            return game, True
    return -1, True


def has_ended(state: Any, option: Any, mask: np.ndarray) -> bool:
    """Whether the game is over, by its own rule; ``mask`` is scratch memory."""
    return is_terminal(state, option)


def has_no_action(state: Any, option: Any, mask: np.ndarray) -> bool:
    """The same in games without such a rule."""
    is_chance = HAS_CHANCE and chance_weight(state, option) > 0
    return not is_chance and legal_actions(state, option, mask) == 0


def play_one(states: np.ndarray, options: np.ndarray, action: int) -> None:
    """Play a legal action in the first game, or resolve an outcome at a chance node."""
    acts(states[0], options[0], action)


def advance(
    states: np.ndarray, options: np.ndarray, action: int, action_mask: np.ndarray
) -> tuple[int, int, int, bool, int]:
    """:func:`play_one` unless ``action`` is :data:`NOTHING`, then write the mask of the first game.

    Returns the player to act, in turn, the winner (-2: not over), truncated, turns.
    """
    state, option = states[0], options[0]
    if action != NOTHING:
        acts(state, option, action)
    is_chance = HAS_CHANCE and chance_weight(state, option) > 0
    over = legal_actions(state, option, action_mask) == 0 and not is_chance
    best = winner(state, option) if over else -2
    cut = not over and is_truncated(state, option)
    return to_move(state), int(in_turn(state)), best, cut, turns(state)


def outcomes(states: np.ndarray, options: np.ndarray, weights: np.ndarray) -> int:
    """Write the weight of each outcome in the first game; return their sum."""
    weights[:] = 0
    count = chance_weight(states[0], options[0])
    for number in range(count):
        weights[chance_outcome(states[0], options[0], number)] += 1
    return count


def roll(states: np.ndarray, options: np.ndarray, dice: np.ndarray) -> int:
    """Draw an outcome at the first game's chance node."""
    return draw_outcome(states[0], options[0], dice, 0)


def rules_of(game: Game) -> dict[str, Any]:
    """The rules that the free names of templates refer to in a game."""
    rules = {name: getattr(game, name) for name in _RULES}
    rules |= {
        "is_valid": game.is_valid or any_record,
        "chance_weight": game.chance.weight,
        "chance_outcome": game.chance.outcome,
        "apply_chance": game.chance.apply,
        "HAS_CHANCE": game.chance.outcomes > 0,
        "OUTCOMES": game.chance.outcomes,
    }
    if game.is_terminal is None:
        return with_helpers(rules, game.cache_name, has_ended=has_no_action)
    return with_helpers({**rules, "is_terminal": game.is_terminal}, game.cache_name, has_ended)


HELPERS = (
    *(draw_outcome, resolve_chance, acts, is_truncated, winning_team),
    *(begin, prepare, act, conclude),
)
"""Templates that others call, each after those that it calls."""


@cache
def loops_of(game: Game, use: Use = "batch") -> Loops:
    """The loops of a game, of which those for a use are compiled.

    The first call for each version of the sources compiles them. The others compile when they are
    called, without a message.

    Args:
        game: the game.
        use: ``"batch"`` for steps, ``"answers"`` for steps with random actions by the others,
            ``"positions"`` for single games, or ``"records"`` for checks and views of any states.
    """
    loops = _bound_loops(game)
    warm_up, names = USES[use]
    what = game.cache_name if use == "batch" else f"{game.cache_name}-{use}"
    compile_once(what, lambda: warm_up(game, loops), [getattr(loops, name) for name in names])
    return loops


@cache
def _bound_loops(game: Game) -> Loops:
    name = game.cache_name
    # These pass many arguments, once a step.
    namespace = with_helpers(rules_of(game), name, *HELPERS, inlined=(prepare, act, conclude))
    namespace["step"] = bind(step, name, namespace)
    templates = (
        restart,
        place,
        reseed,
        step_answered,
        observe_all,
        observe_one,
        count_turns,
        first_unplayable,
        play_one,
        advance,
        outcomes,
        roll,
    )
    bound = {template.__name__: bind(template, name, namespace) for template in templates}
    return Loops(step=namespace["step"], **bound)


# Each runs the loops of a use once, with the types that the engine uses.
def _warm_up_batch(game: Game, loops: Loops) -> None:
    buffers = Buffers.of(game, options_array(game, {}), 1)
    dice, games, actions = buffers.dice, np.zeros(1, np.int64), np.zeros(1, np.int64)
    loops.restart(buffers.states, buffers.options)
    loops.place(0, 1, games, buffers.states.copy(), dice.copy(), dice.copy(), *buffers)
    first = buffers.first_states, buffers.first_dice
    loops.reseed(games, dice.copy(), buffers.states, dice, *first)
    loops.count_turns(buffers.states, np.zeros(1, np.int64))
    masks = buffers.action_mask, buffers.legal_count
    sample(0, 0, *masks, buffers.generators, buffers.drawn, actions)
    actions[0] = buffers.action_mask.argmax()
    first_illegal(buffers.action_mask, buffers.drawn, games, actions)
    loops.step(0, 1, games, actions, False, *buffers)


def _warm_up_answers(game: Game, loops: Loops) -> None:
    buffers = Buffers.of(game, options_array(game, {}), 0)
    none, bits, amounts = np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.float32)
    accounts = none, bits, amounts, amounts, none
    loops.step_answered(0, 0, none, none, False, *accounts, *buffers)


def _warm_up_positions(game: Game, loops: Loops) -> None:
    options = options_array(game, {})
    spaces, states = game.spaces(options[0]), np.zeros(1, game.state)
    mask, outcomes = np.zeros(spaces.actions, np.uint8), np.zeros(game.chance.outcomes, np.int64)
    loops.restart(states, options)
    loops.observe_one(states, options, 0, np.zeros(spaces.observation, np.uint8))
    loops.outcomes(states, options, outcomes)
    if outcomes.size:
        outcome = loops.roll(states, options, np.zeros(1, np.uint64))
        loops.play_one(states.copy(), options, outcome)
    loops.advance(states, options, NOTHING, mask)
    if not outcomes.size:
        loops.play_one(states.copy(), options, int(mask.argmax()))


def _warm_up_records(game: Game, loops: Loops) -> None:
    options = options_array(game, {})
    spaces, none = game.spaces(options[0]), np.zeros(0, game.state)
    loops.first_unplayable(none, options, np.zeros(spaces.actions, np.uint8))
    loops.observe_all(none, options, np.zeros((0, spaces.players, *spaces.observation), np.uint8))


USES: dict[Use, tuple[Callable[[Game, Loops], None], tuple[str, ...]]] = {
    "batch": (_warm_up_batch, ("restart", "place", "reseed", "count_turns", "step")),
    "answers": (_warm_up_answers, ("step_answered",)),
    "positions": (
        _warm_up_positions,
        ("restart", "observe_one", "outcomes", "roll", "play_one", "advance"),
    ),
    "records": (_warm_up_records, ("first_unplayable", "observe_all")),
}


@rule
def random_bits(generators: np.ndarray, index: int) -> int:
    """32 random bits of a game's own generator, SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    generators[index] += GOLDEN_GAMMA
    return bits_of(generators[index])


@rule
def next_bits(generators: np.ndarray, index: int) -> int:
    """The next result of :func:`random_bits`; the generator stays where it is."""
    return bits_of(generators[index] + GOLDEN_GAMMA)


@rule
def bits_of(z: np.uint64) -> int:
    """The result of a generator in a state."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return wide((z ^ (z >> np.uint64(31))) >> np.uint64(32))


@rule
def pack(mask: np.ndarray, bits: np.ndarray) -> None:
    """Write a mask as bits, action 8 i + k as bit k of byte i.

    The product collects a word's eight bytes, each 0 or 1, in its highest bits.
    """
    words = mask.view(np.int64)
    for word in range(words.size):
        bits[word] = ((words[word] * 0x0102040810204080) >> 56) & 0xFF


@rule
def pack_all(first: int, last: int, action_mask: np.ndarray, action_bits: np.ndarray) -> None:
    """Write masks as bits."""
    for game in range(first, last):
        pack(action_mask[game], action_bits[game])


@rule
def draw(words: np.ndarray, count: int, generators: np.ndarray, index: int) -> int:
    """A uniformly random action of the ``count`` that a mask marks (up to 2**-32).

    ``words`` are the mask's bytes, eight at a time.
    """
    return action_at(words, (random_bits(generators, index) * count) >> 32)


@rule
def action_at(words: np.ndarray, rest: int) -> int:
    """The action that a mask marks after ``rest`` others."""
    word = 0
    while word + BLOCK <= words.size:
        here = _count(words[word : word + BLOCK])
        if rest < here:
            break
        rest -= here
        word += BLOCK
    while True:
        # The bytes of a word are 0 or 1: each byte of the product is the sum up to its place.
        sums = words[np.uint64(word)] * 0x0101010101010101
        here = sums >> 56
        if rest < here:
            break
        rest -= here
        word += 1
    # The action is at the first place whose sum exceeds the rest. The highest bit of each byte says
    # whether it does not.
    short = ((rest * 0x0101010101010101 | HIGHEST_BITS) - sums) & HIGHEST_BITS
    action = 8 * word + (((short >> 7) * 0x0101010101010101) >> 56)
    return action


@rule
def _count(block: np.ndarray) -> int:
    """The number of actions that a block of words marks."""
    sums = 0  # of each byte: at most BLOCK
    for word in range(BLOCK):
        sums += block[word]
    pairs = (sums & LOWER_BYTES) + ((sums >> 8) & LOWER_BYTES)
    return ((pairs * 0x0001000100010001) >> 48) & 0xFFFF


@rule
def look_ahead(words: np.ndarray, count: int, generators: np.ndarray, index: int) -> int:
    """The action that :func:`draw` will return; the generator stays where it is."""
    return action_at(words, (next_bits(generators, index) * count) >> 32)


@rule
def sample(
    first: int,
    last: int,
    action_mask: np.ndarray,
    legal_count: np.ndarray,
    generators: np.ndarray,
    drawn: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Draw a legal action for each game, uniformly (up to 2**-32).

    Actions that a step drew ahead, while the mask was in the cache, are taken from ``drawn``.
    """
    words = action_mask.view(np.int64)
    for game in range(first, last):
        if drawn[game] >= 0:
            actions[game] = drawn[game]
            random_bits(generators, game)
        else:
            actions[game] = draw(words[game], legal_count[game], generators, game)
        drawn[game] = SAMPLED - actions[game]


@rule
def is_illegal(
    action_mask: np.ndarray, drawn: np.ndarray, games: np.ndarray, actions: np.ndarray, row: int
) -> bool:
    """Whether a row's game is out of order or its action is not legal."""
    game, action = games[row], actions[row]
    if game < 0 or game >= action_mask.shape[0] or (row > 0 and game <= games[row - 1]):
        return True
    if action < 0 or action >= action_mask.shape[1]:
        return True
    # The masks are not in the cache, so they are only read for actions that `sample` did not draw.
    return drawn[game] != SAMPLED - action and action_mask[game, action] == 0


@rule
def any_illegal(
    first: int,
    last: int,
    action_mask: np.ndarray,
    drawn: np.ndarray,
    games: np.ndarray,
    actions: np.ndarray,
    found: np.ndarray,
) -> None:
    """Set ``found[0]`` if any of these rows is illegal."""
    for row in range(first, last):
        if is_illegal(action_mask, drawn, games, actions, row):
            found[0] = True


@rule
def first_illegal(
    action_mask: np.ndarray, drawn: np.ndarray, games: np.ndarray, actions: np.ndarray
) -> int:
    """First row whose game is out of order or whose action is not legal; -1 if none."""
    for row in range(games.size):
        if is_illegal(action_mask, drawn, games, actions, row):
            return row
    return -1
