"""One client's connection: its requests and the answers."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Iterator
from contextlib import aclosing, contextmanager, suppress
from functools import partial
from typing import Any

from pasgl_env import lessons, puzzles, render
from pasgl_env.contract import variants
from pasgl_env.contract.events import sentences
from pasgl_env.engine.position import Position
from pasgl_env.players import levels
from pasgl_env.puzzles.endings import ENDINGS, listed
from pasgl_env.records import GameRecord
from pasgl_env.web import drawings, guides, opponents
from pasgl_env.web.bounds import (
    GAMES_OF_ADDRESS,
    MOST_UNSENT,
    MOST_WATCHED,
    OPEN_GAMES_AN_HOUR,
    Address,
    Allowance,
    Backlog,
    Used,
    others,
)
from pasgl_env.web.hub import NO_HELP, Hub, compact, fault_of, patiently
from pasgl_env.web.live_game import NOT_OPEN, PERSON, LiveGame, digest, fields_of
from pasgl_env.web.playtests import MOST_GAMES as MOST_PLAYTESTED
from pasgl_env.web.protocol import VERSION, Message, Problem
from pasgl_env.web.store import DAY, Feedback, named

MESSAGES_A_SECOND, BURST = 40.0, 120.0
GAMES_A_MINUTE, GAMES_AT_ONCE = 20.0, 60.0
MOST_MESSAGES = 500
"""Messages that may wait to be sent."""
MOST_TURNS = 500
"""Turns in a message."""
MOST_WAITING = 200
"""Messages that may wait for an earlier one."""
MOST_SIZE = 2**18
"""Characters of the messages that may wait."""
MOST_GAMES = 8
"""Games that a client may watch at the same time."""
SHORTEST_TURN_TIME, LONGEST_TURN_TIME = 10.0, 30 * DAY
MOST_OWN = 200
"""Games of which a client asks whose turn it is."""
LONGEST_NAME = 40
MOST_ATTEMPTED = 20
"""Actions of an attempt at a step of a lesson."""
MOST_CHANGES = 300
"""Changes in an edit of a position."""
MOST_LABELS = 300
"""Actions and rolls of a line of play."""
MOST_LOST = 0.06
"""What a turn may lose of the best value, which is from -1 to 1, to be taken as good."""
LONGEST_ANALYSIS = 600.0
SEARCHES = ("analyse", "evaluate", "hint", "dangers")
HINT_SECONDS = 1.0
MOST_VISITS = 1_000_000
LENGTHS = ("short", "right", "long")
RECENT = 50


class _Unsent(Backlog[str]):
    """Messages that wait to be sent; their length is counted for the client's address."""

    def __init__(self, address: Address) -> None:
        super().__init__()
        self._address = address

    def put(self, item: str) -> None:
        self._address.unsent += len(item)
        super().put(item)

    def take(self) -> str:
        text = super().take()
        self._address.unsent -= len(text)
        return text


class Session:
    """A client's connection; its methods ``do_...`` are the commands of the protocol.

    Args:
        hub: all games.
        link: the start of links to this server, with its token if it has one.
        address: the client's address; None for one of its own.
        may_frame: whether other sites may show the page in a frame.
    """

    def __init__(
        self, hub: Hub, link: str, address: Address | None = None, *, may_frame: bool = False
    ) -> None:
        self._hub = hub
        self._may_frame = may_frame
        self._link = link
        self._address = address or Address()
        self.used = Used(self._address)
        self._draws = False
        self.unsent = _Unsent(self._address)
        self.is_overrun = False
        self._waiting = Backlog[tuple[int, Message, int] | None]()
        self._size = 0  # characters of the messages that wait
        self._taken = 0  # messages so far
        self._current = 0  # the number of the message that is being carried out
        self._stopped: dict[str, int] = {}  # by kind of search, the number of the last `stop`
        self._held: dict[str, set[int]] = {}
        self._watched: dict[str, LiveGame] = {}
        self._turns_sent: dict[str, int] = {}
        self._messages = Allowance(MESSAGES_A_SECOND, BURST)
        self._games = Allowance(GAMES_A_MINUTE / 60, GAMES_AT_ONCE)
        self._searches: dict[str, asyncio.Task[None]] = {}

    async def take(self, data: str) -> None:
        """Take a message, to be carried out after those before it; ``stop`` is at once.

        Does not wait for slow commands, so that the connection is read all the time. No message
        from a client raises an error.
        """
        self._taken += 1
        is_allowed = self._messages.take()
        message = None
        try:
            message = Message.read(data)  # first, so that the refusal repeats its id
            if not is_allowed:
                raise Problem("rate", f"at most {MESSAGES_A_SECOND:g} messages a second")
            if len(self._waiting) >= MOST_WAITING or self._size > MOST_SIZE:
                raise Problem("rate", f"at most {MOST_WAITING} messages wait for an earlier one")
        except Problem as error:
            self._refuse_message(message, error)
        else:
            if message.is_for("stop"):
                await self._answer(message)
            else:
                self._size += len(data)
                self._waiting.put((self._taken, message, len(data)))

    def finish(self) -> None:
        """Let :meth:`work` end after the messages that were taken."""
        self._waiting.put(None)

    async def work(self) -> None:
        """Carry out the messages in order."""
        while (waiting := await self._waiting.get()) is not None:
            self._current, message, size = waiting
            self._size -= size
            if (rest := self._address.rest) > 0:
                await asyncio.sleep(rest)
            await self._hub.turns.by_turns(self.used, self._answer(message))

    async def _answer(self, message: Message) -> None:
        try:
            name = message.text("do", most=40)
            if name not in COMMANDS:
                raise Problem("command", f"no command {name!r}; there are {', '.join(COMMANDS)}")
            answer = await patiently(partial(getattr(self, f"do_{name}"), message))
            self.tell({"re": message.id, "ok": True, **answer})
        except Exception as error:
            self._refuse_message(message, error)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message as soon as the client can take it."""
        if self.is_overrun:
            return
        text = compact(message)
        is_full = len(self.unsent) >= MOST_MESSAGES
        self.is_overrun = is_full or self._address.unsent + len(text) > MOST_UNSENT
        self.unsent.put("" if self.is_overrun else text)  # in any case wake who sends

    def holds(self, live: LiveGame) -> set[int]:
        """The seats of a game whose secrets the client knows."""
        return self._held.get(live.id, set())

    def show(self, live: LiveGame) -> None:
        """Send the state of a game, with the turns that are new to the client."""
        sent = min(self._turns_sent.get(live.id, 0), len(live.turns))
        # A turn that was taken back may have been replaced since.
        sent = max(0, sent - 1, len(live.turns) - MOST_TURNS)
        self._turns_sent[live.id] = len(live.turns)
        self.tell(
            {
                "event": "state",
                **live.view(self.holds(live)),
                "turns_from": sent,
                "turns": live.lines(sent, len(live.turns), self.holds(live)),
                "you": sorted(self._held.get(live.id, ())),
                "drawing": drawings.drawing(live.position) if self._draws else None,
            }
        )

    def close(self) -> None:
        """Clean up after the client has gone."""
        self._hub.clients.discard(self.tell)
        while self.unsent:
            self.unsent.take()
        for task in self._searches.values():
            task.cancel()
        for live in list(self._watched.values()):
            self._hub.leave(live, self)
        self._address.watched -= len(self._watched)
        self._watched.clear()

    def _refuse_message(self, message: Message | None, error: Exception) -> None:
        code, text = fault_of(error, message)
        number = None if message is None else message.id
        self.tell({"re": number, "ok": False, "error": {"code": code, "message": text}})

    async def do_hello(self, message: Message) -> dict[str, Any]:
        message.number("version", VERSION, VERSION)
        self._draws = message.flag("draw")
        self._hub.greet(self.tell)
        own = {"link": self._link, "embedding": self._may_frame}
        return {"version": VERSION, **own, **drawings.catalogue()}

    async def do_board(self, message: Message) -> dict[str, Any]:
        ruleset = self._hub.ruleset(message)
        return drawings.board(ruleset, message.one_of("theme", drawings.THEMES, "light"))

    async def do_new(self, message: Message) -> dict[str, Any]:
        if "from" in message:
            source = await self._hub.load(message.text("from", most=40))
            self._refuse_help(source)
            before = source.until(message.number("ply", 0, source.length, source.length))
        else:
            before = self._beginning(message)
        variant = before.ruleset.name
        seats = [await self._seat(variant, seat) for seat in message.messages("seats", 4)]
        pace = turn_time = None
        if not any(seat["player"] == PERSON for seat in seats):
            pace = message.seconds("pace", 0.05, 60, 1.0)
        if "turn_time" in message:
            turn_time = message.seconds("turn_time", SHORTEST_TURN_TIME, LONGEST_TURN_TIME, 0)
        with self._counted_game(is_open=any(seat.get("open") for seat in seats)):
            live, keys = LiveGame.begin(self._hub.store, before, seats, pace, turn_time)
            self._hub.add(live)
        secrets = {
            str(seat): key
            for seat, (who, key) in enumerate(zip(seats, keys, strict=True))
            if who["player"] == PERSON and not who.get("open")
        }
        return {"game": live.id, "secrets": secrets}

    async def do_join(self, message: Message) -> dict[str, Any]:
        """Reserve an open seat, unless somebody was faster; it is taken by watching the game.

        A client that has a seat already gets no other.
        """
        game, own = message.text("game", most=40), message.texts("secrets", 4)
        live = await self._hub.load(game)
        for secret in own:
            if (held := live.seat_of(secret)) is not None:
                return {"game": game, "seat": held, "secret": secret}
        with self._counted_game():
            if all(game != row["game"] for row in self._hub.open_games()):
                raise Problem("seat", NOT_OPEN)
            seat, secret = live.join(_name(message))
        return {"game": game, "seat": seat, "secret": secret}

    @contextmanager
    def _counted_game(self, is_open: bool = False) -> Iterator[None]:
        """Count a new game, unless it is refused."""
        bounds = [
            (self._games, f"{GAMES_A_MINUTE:g} new games a minute"),
            (self._address.games, f"{GAMES_OF_ADDRESS:g} new games a minute from one address"),
        ]
        if is_open:
            most = f"{OPEN_GAMES_AN_HOUR:g} new open games an hour from one address"
            bounds.append((self._address.open_games, most))
        taken = list[Allowance]()
        try:
            for allowance, most in bounds:
                if not allowance.take():
                    raise Problem("rate", f"at most {most}")
                taken.append(allowance)
            yield
        except Exception:
            for allowance in taken:
                allowance.give_back()
            raise

    async def do_rematch(self, message: Message) -> dict[str, Any]:
        """Offer a rematch, or begin it if somebody else has offered it."""
        live = self._live_game(message)
        if live.rematch is None:
            if live.offer_rematch(self._held[live.id]):
                with self._counted_game():
                    self._hub.add(live.begin_rematch())
            self._hub.changed(live)
        return {"game": live.rematch}

    def _beginning(self, message: Message) -> GameRecord:
        """The start of a new game, with the moves of a turn that has begun."""
        ruleset = self._hub.ruleset(message)
        if "start" not in message:
            return GameRecord(ruleset, array("H"))
        position = Position.from_text(ruleset, message.text("start"))
        self._hub.refuse_help(position)
        return GameRecord.of(position, [])

    async def _seat(self, variant: str, seat: Message) -> dict[str, Any]:
        name = _name(seat)
        if "level" in seat:
            level = seat.text("level", most=40)
            return {"player": levels.player_at(level, variant), "name": name or level}
        player = seat.text("player", PERSON, 100)
        if seat.flag("open"):
            if player != PERSON:
                raise Problem("field", "only the seat of a person can be open")
            return {"player": PERSON, "name": "", "open": True}
        if player != PERSON:
            opponents.checked(player)
            if opponents.is_instant(player):
                opponents.instant(player, variant)
            else:
                task = {"task": "check", "player": player, "variant": variant}
                await self._hub.pool.ask(task, seconds=120, by=self._address)
        return {"player": player, "name": name}

    async def do_watch(self, message: Message) -> dict[str, Any]:
        game = message.text("game", most=40)
        if game not in self._watched and len(self._watched) >= MOST_GAMES:
            raise Problem("rate", f"at most {MOST_GAMES} games at once: leave one first")
        live = await self._hub.load(game)
        if game not in self._watched:
            if self._address.watched >= MOST_WATCHED:
                raise Problem("rate", f"at most {MOST_WATCHED} games at once from one address")
            self._address.watched += 1
        secrets = message.texts("secrets", 4)
        seats = {secret: live.seat_of(secret) for secret in secrets}
        self._held[game] = {seat for seat in seats.values() if seat is not None}
        self._watched[game] = live
        self._turns_sent[game] = 0
        for seat in live.take_seats(self._held[game]):
            self._hub.say(live, f"{live.position.seats[seat]} has come.")
        if live.note_holder(self._held[game]):
            self._hub.changed(live)
        self._hub.watch(live, self)
        wrong = [secret for secret, seat in seats.items() if seat is None]
        return {"game": game, "wrong_secrets": wrong, **_about(live)}

    async def do_leave(self, message: Message) -> dict[str, Any]:
        live = self._watched.pop(self._live_game(message).id)
        self._address.watched -= 1
        self._turns_sent.pop(live.id, None)
        self._hub.leave(live, self)
        self._held.pop(live.id, None)
        return {}

    async def do_play(self, message: Message) -> dict[str, Any]:
        live = self._live_game_at(message)
        live.play(message.text("label", most=60), self._held[live.id])
        self._hub.changed(live)
        return {"ply": live.length}

    async def do_undo(self, message: Message) -> dict[str, Any]:
        live = self._live_game_at(message)
        live.undo(self._held[live.id])
        self._hub.changed(live)
        return {"ply": live.length}

    async def do_take_back(self, message: Message) -> dict[str, Any]:
        live = self._live_game_at(message)
        if done := live.take_back(self._held[live.id]):
            self._hub.interrupt(live)
        self._hub.changed(live)
        return {"done": done}

    async def do_allow(self, message: Message) -> dict[str, Any]:
        live = self._live_game_at(message)
        asked = live.allow(self._held[live.id])
        self._hub.interrupt(live)
        self._say(live, asked, "was allowed to take back a turn")
        return {}

    async def do_refuse(self, message: Message) -> dict[str, Any]:
        live = self._live_game(message)
        asked = live.refuse(self._held[live.id])
        self._say(live, asked, "was not allowed to take back a turn")
        return {}

    async def do_decline(self, message: Message) -> dict[str, Any]:
        """Decline the rematch that somebody else offers."""
        live = self._live_game(message)
        self._say(live, live.decline_rematch(self._held[live.id]), "declined the rematch")
        return {}

    def _say(self, live: LiveGame, seat: int, what: str) -> None:
        """Tell everybody what became of a request, and the new state."""
        self._hub.say(live, f"{live.position.seats[seat]} {what}.")
        self._hub.changed(live)

    async def do_name(self, message: Message) -> dict[str, Any]:
        """Name the person who plays the client's seats."""
        live = self._live_game(message)
        live.set_name(_name(message), self._held[live.id])
        self._hub.tell_who_is_there(live)
        return {}

    async def do_resign(self, message: Message) -> dict[str, Any]:
        live = self._live_game(message)
        live.resign(self._held[live.id])
        self._hub.interrupt(live)
        self._hub.changed(live)
        return {}

    async def do_pace(self, message: Message) -> dict[str, Any]:
        """Set the pace of a game between programs, or pause it."""
        live = self._live_game(message)
        if live.people:
            raise Problem("field", "only games between programs have a pace")
        if "seconds" in message:
            live.set_pace(message.seconds("seconds", 0.05, 60, 1.0))
        if "paused" in message:
            live.set_paused(message.flag("paused"))
        self._hub.interrupt(live)
        self._hub.changed(live)
        return {}

    async def do_turns(self, message: Message) -> dict[str, Any]:
        """Turns of a game from some turn on."""
        live = self._live_game(message)
        first = message.number("from", 0, len(live.turns), 0)
        return {"turns": live.lines(first, first + MOST_TURNS, self.holds(live))}

    async def do_look(self, message: Message) -> dict[str, Any]:
        """A position of a game or of a text, and from there on of a line of play."""
        return await self._seen(self._shown(message)[1])

    do_position = do_look

    def _shown(self, message: Message) -> tuple[GameRecord, Position]:
        """The position that a message names, and the play that leads to it; copies."""
        if "game" in message:
            live = self._live_game(message)
            length = message.number("ply", 0, live.length, live.length)
            record, position = live.until(length), live.at(length).copy()  # it may move on
        else:
            position = self._position_of(message)
            record = GameRecord.of(position, [])
        return _continued(record, position, message.texts("labels", MOST_LABELS))

    async def _seen(self, position: Position) -> dict[str, Any]:
        await others()
        seen = drawings.seen(position)
        await others()
        return {**seen, "drawing": drawings.drawing(position) if self._draws else None}

    async def do_explain(self, message: Message) -> dict[str, Any]:
        """Explain a square and its moves, or why a move to another square is impossible."""
        if "step" in message or "puzzle" in message:
            position = self._attempt(message).positions[-1]
        else:
            position = self._shown(message)[1]
        square = _square(position, message.text("square", most=4))
        if message.flag("why"):
            target = None
            if "target" in message:
                target = _square(position, message.text("target", most=4))
            return {"words": [guides.why_not(position, square, target)]}
        return {"words": guides.explain(position, square)}

    async def do_lesson(self, message: Message) -> dict[str, Any]:
        """The lesson of a variant."""
        return drawings.course(lessons.lesson(message.text("variant", most=60)))

    async def do_puzzles(self, message: Message) -> dict[str, Any]:
        """All puzzles: variant, position text, solution, difficulty and proof of each."""
        names = puzzles.available()
        return {"puzzles": [[name, *fields] for name in names for _, *fields in puzzles.load(name)]}

    async def do_attempt(self, message: Message) -> dict[str, Any]:
        """Judge a learner's actions in a step of a lesson, a puzzle, an ending or a game's turn."""
        if "game" in message:
            return await self._try_again(message)
        if "ending" in message:
            return await self._play_ending(message)
        attempt = self._attempt(message)
        return {
            "verdict": attempt.verdict,
            "happened": attempt.happened,
            "positions": [await self._seen(position) for position in attempt.positions],
        }

    async def _try_again(self, message: Message) -> dict[str, Any]:
        """Judge another turn in an earlier position of a game, by the search."""
        live = self._live_game(message)
        self._refuse_help(live)
        ply = message.number("ply", 0, live.length)
        start, (record, position) = live.at(ply).copy(), self._shown(message)
        labels = message.texts("labels", MOST_LABELS)
        verdict, is_turn = lessons.Verdict.OPEN, position.turns != start.turns or position.is_over
        if is_turn and labels == message.texts("hinted", MOST_LABELS):
            verdict = lessons.Verdict.DONE  # whatever another look would find
        elif is_turn:
            task = {"task": "judge", "before": ply, **fields_of(record)}
            await self._hub.ready(record.ruleset.name)
            lost = (await self._hub.pool.ask(task, seconds=60, by=self._address))["lost"]
            verdict = lessons.Verdict.DONE if lost <= MOST_LOST else lessons.Verdict.WRONG
        you = () if start.to_move is None else (start.to_move,)
        happened = sentences(position.events, position.seats, you) if "labels" in message else []
        return {"verdict": verdict, "happened": happened, "positions": [await self._seen(position)]}

    async def do_endings(self, message: Message) -> dict[str, Any]:
        """All endings: variant, title, position text and options of each, and what to say."""
        return listed()

    async def _play_ending(self, message: Message) -> dict[str, Any]:
        """Play and judge an ending by exact values."""
        number = message.number("ending", 0, len(ENDINGS) - 1)
        await self._hub.ready(ENDINGS[number].variant)
        found = ENDINGS[number].attempt(message.texts("labels", MOST_LABELS))
        positions, position = list[dict[str, Any]](), ENDINGS[number].start()
        for played in range(len(found.labels) + 1):
            if played:
                position.play(found.labels[played - 1])
            if played in found.shown:
                positions.append(await self._seen(position))
        judged = {"verdict": found.verdict, "happened": found.happened, "line": found.line}
        return {**judged, "positions": positions}

    async def do_edit(self, message: Message) -> dict[str, Any]:
        """Change a position: put pieces on squares, and set fields."""
        position = self._position_of(message)
        changes = [_change(position, each) for each in message.messages("changes", MOST_CHANGES)]
        if changes:
            position = guides.edited(position, *changes)
        return {**await self._seen(position), "fields": guides.fields(position)}

    async def do_analyse(self, message: Message) -> dict[str, Any]:
        """Analyse a position, and send the candidates while the search runs."""
        record, position = self._to_help(message)
        every = message.seconds("every", 0.05, 5, 0.2)
        task = {"every": every, "visits": MOST_VISITS, **fields_of(record)}
        side = 1 if position.teams[position.to_move or 0] == position.teams[0] else -1
        self._search(message, "analyse", task, {"event": "analysis", "side": side})
        return {}

    async def do_hint(self, message: Message) -> dict[str, Any]:
        """Find a good action, and what follows if all play well."""
        record, _ = self._to_help(message)
        before = len(record.choices) - len(message.texts("labels", MOST_LABELS))
        task = {"seconds": HINT_SECONDS, "before": before, **fields_of(record)}
        self._search(message, "hint", task, {"event": "hint"})
        return {}

    async def do_dangers(self, message: Message) -> dict[str, Any]:
        """Find what threatens after each action."""
        record, _ = self._to_help(message)
        self._search(message, "dangers", fields_of(record), {"event": "dangers"})
        return {}

    def _to_help(self, message: Message) -> tuple[GameRecord, Position]:
        """The position of a message, in which somebody is to act and who asks may be helped."""
        if "game" in message:
            self._refuse_help(self._live_game(message))
        record, position = self._shown(message)
        if "game" not in message:
            self._hub.refuse_help(position)
        if position.is_over or position.is_truncated or position.is_chance:
            raise Problem("over", "there is nothing to choose in this position")
        return record, position

    async def do_evaluate(self, message: Message) -> dict[str, Any]:
        """Evaluate each turn of a game."""
        live = self._live_game(message)
        self._refuse_help(live)
        about = {"event": "evaluation", "game": live.id}
        self._search(message, "evaluate", fields_of(live.record), about)
        return {"turns": len(live.turns)}

    async def do_stop(self, message: Message) -> dict[str, Any]:
        which = message.one_of("what", SEARCHES, "analyse")
        self._stopped[which] = self._taken
        if task := self._searches.pop(which, None):
            task.cancel()
        return {}

    async def do_games(self, message: Message) -> dict[str, Any]:
        """The newest games, the open ones, and the client's own in which somebody's time runs."""
        own = {
            each.text("game", most=40): set(map(digest, each.texts("secrets", 4)))
            for each in message.messages("own", MOST_OWN)
        }
        games = await self._hub.aside(self._hub.store.recent, RECENT)
        running = self._hub.store.running([*own])
        for row in running:
            row["is_your_turn"] = row.pop("awaited") in own[row["game"]]
        return {"games": games, "open": self._hub.open_games(), "own": running}

    async def do_rate(self, message: Message) -> dict[str, Any]:
        """Store feedback on a game."""
        live = self._live_game(message)
        feedback = Feedback(
            name=_name(message),
            rating=message.number("rating", 1, 5),
            length=message.one_of("length", LENGTHS, "right"),
            comment=message.line("comment", 2000),
        )
        self._hub.store.rate(live.id, feedback)
        return {}

    async def do_feedback(self, message: Message) -> dict[str, Any]:
        """Feedback on games."""
        game = message.text("game", most=40) if "game" in message else None
        return {"feedback": await self._hub.aside(self._hub.store.feedback, game)}

    async def do_playtest(self, message: Message) -> dict[str, Any]:
        """Begin a playtest or a sweep."""
        self._hub.store.check_file()
        variant = message.text("variant", most=60)
        name = await self._hub.playtests.begin(
            variants.ruleset(variant, **message.options("options")),
            message.texts("players", 2),
            message.number("games", 2, MOST_PLAYTESTED, 1000),
            message.text("sweep", "", 200),
        )
        return {"name": name}

    async def do_playtests(self, message: Message) -> dict[str, Any]:
        """All playtests."""
        return {"playtests": await self._hub.aside(self._hub.playtests.all)}

    async def do_stop_playtest(self, message: Message) -> dict[str, Any]:
        await self._hub.playtests.stop()
        return {}

    def _live_game(self, message: Message) -> LiveGame:
        game = message.text("game", most=40)
        if game not in self._watched:
            raise Problem("unknown", "watch the game first")
        return self._watched[game]

    def _live_game_at(self, message: Message) -> LiveGame:
        """A game that is watched, at the length that the message states, if it states one."""
        live = self._live_game(message)
        if "ply" in message and message.number("ply", 0, 2**20) != live.length:
            raise Problem("late", "the game has moved on in the meantime")
        return live

    def _refuse_help(self, live: LiveGame) -> None:
        """Refuse to help in a game between people."""
        if live.is_between_people(self._held.get(live.id, ())):
            raise Problem("seat", NO_HELP)

    def _attempt(self, message: Message) -> lessons.Attempt:
        """The attempt at a puzzle or a step of a lesson that a message describes."""
        variant = variants.find(message.text("variant", most=60)).name
        labels = message.texts("labels", MOST_ATTEMPTED)
        if "puzzle" in message:
            return _puzzle(variant, message.text("puzzle")).attempt(labels)
        steps = lessons.lesson(variant).steps
        step = steps[message.number("step", 0, len(steps) - 1)]
        return step.attempt(labels)

    def _position_of(self, message: Message) -> Position:
        text = message.text("text") if "text" in message else None
        return Position.from_text(self._hub.ruleset(message), text)

    def _search(
        self, message: Message, name: str, task: dict[str, Any], about: dict[str, Any]
    ) -> None:
        """Start a search in a worker; it replaces this client's earlier search of that name."""
        if before := self._searches.pop(name, None):
            before.cancel()
        if self._current < self._stopped.get(name, 0):
            return  # stopped while it waited for an earlier command
        following = self._follow({"task": name, **task}, {"of": message.id, **about})
        self._searches[name] = asyncio.create_task(following)

    async def _follow(self, task: dict[str, Any], about: dict[str, Any]) -> None:
        with suppress(asyncio.CancelledError):
            try:
                await self._hub.ready(task["variant"])
                stream = self._hub.pool.stream(task, seconds=LONGEST_ANALYSIS, by=self._address)
                async with aclosing(stream):
                    async for found in stream:
                        self.tell({**about, **found})
                self.tell({**about, "done": True})
            except Exception as error:
                _, text = fault_of(error, about)
                self.tell({**about, "done": True, "error": text})


COMMANDS = tuple(name[3:] for name in vars(Session) if name.startswith("do_"))


def _name(message: Message) -> str:
    """The name of a person or a program."""
    return message.line("name", LONGEST_NAME)


def _puzzle(variant: str, text: str) -> puzzles.Puzzle:
    """The puzzle with a position."""
    for puzzle in puzzles.load(variant):
        if puzzle.text == text:
            return puzzle
    raise Problem("field", f"{variant} has no puzzle with this position")


def _continued(
    record: GameRecord, position: Position, labels: list[str]
) -> tuple[GameRecord, Position]:
    """A record and its last position, which is changed, with more actions and rolls played."""
    choices = record.choices[:]
    for label in labels:
        choices.append(position.action(label))
        position.play_action(choices[-1])
    return GameRecord(record.ruleset, choices, record.start), position


def _square(position: Position, name: str) -> str:
    """Check the name of a square of a position's board."""
    if name not in render.places(position.ruleset):
        raise Problem("field", f"there is no square {name!r} on this board")
    return name


def _change(position: Position, change: Message) -> guides.Put | guides.FieldValue:
    """A change of a position as clients tell it."""
    if "field" in change:
        return guides.FieldValue(change.text("field"), change.text("value"))
    square = _square(position, change.text("square", most=4))
    return guides.Put(square, change.text("piece", "", 20))


def _about(live: LiveGame) -> dict[str, Any]:
    """The parts of a game that never change."""
    game, record = live.saved, live.saved.about
    names = live.position.seats
    return {
        "variant": game.ruleset.name,
        "options": dict(game.ruleset.options),
        "changed_options": game.ruleset.unusual,
        "kind": game.kind,
        "seats": [
            {"seat": name, **who} for name, who in zip(names, named(game.seats), strict=True)
        ],
        "teams": list(live.position.teams),
        "turn_time": game.turn_time,
        "tags": {key: str(value) for key, value in record.get("tags", {}).items()},
        "date": record.get("date"),
        "comments": record.get("comments", {}),
        "start": game.start,
    }
