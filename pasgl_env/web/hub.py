"""Open games, the clients that watch them, and the programs that play them."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any, Protocol, TypeAlias, TypeVar

from pasgl_env import players, render
from pasgl_env.contract import variants
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.jit.compiled import use_new_code
from pasgl_env.web import garbage
from pasgl_env.web.bounds import Addresses, Turns, Used, others
from pasgl_env.web.live_game import LiveGame, fields_of
from pasgl_env.web.opponents import instant, is_instant
from pasgl_env.web.playtests import Playtests
from pasgl_env.web.pool import Pool, WorkerError
from pasgl_env.web.protocol import Message, Problem
from pasgl_env.web.store import DAY, PATIENCE, Locked, SavedGame, Store, named

MOST_OPEN = 2500
MOST_UNWATCHED = 100
FIRST_RETRY = 0.01
CHECKPOINT_EVERY = 10.0
TICK = 1.0
"""Seconds between looks at whose time has run out."""
SUSPENDED = 10.0
"""Seconds between such looks from which on the server, or its machine, was suspended."""
LONGEST_THOUGHT = 60.0
SHARE_OF_PROGRAMS = 0.2
"""The largest part of the event loop's time for games between programs, all together."""
NO_HELP = "people are playing this game: analysis is off until it has ended"
SILENT = 3.0
"""Seconds after which clients are told that rules are compiled: loading takes less."""
_LOG = logging.getLogger("pasgl_env.web")

T = TypeVar("T")
Tell: TypeAlias = Callable[[dict[str, Any]], None]


class Watcher(Protocol):
    """Receives the changes of a game."""

    used: Used

    def holds(self, live: LiveGame) -> set[int]:
        """The seats of a game that this watcher holds."""
        ...

    def show(self, live: LiveGame) -> None:
        """Receive the state of a game."""
        ...

    def tell(self, message: dict[str, Any]) -> None:
        """Receive any other message."""
        ...


class Hub:
    """All games of a server."""

    def __init__(self, store: Store, pool: Pool, playtests: Playtests) -> None:
        self.store = store
        self.pool = pool
        self.playtests = playtests
        self.addresses = Addresses()
        self.turns = Turns()
        self._aside = ThreadPoolExecutor(1, "store")
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._programs = Used()  # time of the games between programs
        self._live: dict[str, LiveGame] = {}
        self._watchers: dict[str, set[Watcher]] = {}
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._interrupted: set[asyncio.Task[None]] = set()
        self._ready: dict[str, asyncio.Task[bool]] = {}
        # When it was last looked whose time has run out; None if not since the server began.
        self._looked: float | None = store.now()
        self._compiling: list[str] = []
        self._failing = set[str]()  # what is done again and again
        self.clients: set[Tell] = set()

    async def start(self) -> None:
        """Tidy the store, and let the time of turns run on, before clients come."""
        try:
            await self.aside(self.store.drop_unplayed)
        except Locked:
            pass
        except Problem as error:
            _LOG.warning("could not delete the games that nobody played: %s", error)
        try:
            await self.aside(self.store.resume_clocks)
        except Problem:
            self._looked = None

    def ruleset(self, message: Message) -> Ruleset:
        """The variant and the options that a message names; the rules are compiled meanwhile.

        Raises:
            Problem: if a field is of a wrong type.
            ValueError: for an unknown variant or option, or an impossible value.
        """
        variant = variants.find(message.text("variant", most=60)).name
        self._preparing(variant)
        return variants.ruleset(variant, **message.options("options"))

    async def ready(self, variant: str) -> None:
        """Wait until the rules and players of a variant are compiled, once per version.

        Only what computes has to wait: positions are shown and played by the rules as plain Python.

        Raises:
            Problem: if they cannot be compiled.
        """
        if not await asyncio.shield(self._preparing(variant)):
            raise Problem("busy", f"the rules of {variant} could not be prepared")

    def _preparing(self, variant: str) -> asyncio.Task[bool]:
        if variant not in self._ready:
            self._ready[variant] = asyncio.create_task(self._prepare(variant))
        return self._ready[variant]

    async def _prepare(self, variant: str) -> bool:
        """Let a worker compile the rules, which may take long; then load them here."""
        notice = asyncio.get_running_loop().call_later(SILENT, self._begin_compiling, variant)
        stream = self.pool.stream({"task": "warm", "variant": variant}, seconds=600)
        try:
            async with aclosing(stream):
                async for found in stream:
                    use_new_code()
                    if found["ready"] == "players":
                        await asyncio.to_thread(_load, variant)
        except (WorkerError, Problem) as error:
            _LOG.warning("could not prepare %s: %s", variant, error)
            del self._ready[variant]
            return False
        finally:
            notice.cancel()
            if variant in self._compiling:
                self._compiling.remove(variant)
                self._tell_compiling(self.clients)
        return True

    def _begin_compiling(self, variant: str) -> None:
        self._compiling.append(variant)
        self._tell_compiling(self.clients)

    def greet(self, client: Tell) -> None:
        """Tell a new client what is being compiled, now and later."""
        self.clients.add(client)
        if self._compiling:
            self._tell_compiling([client])

    def _tell_compiling(self, clients: Iterable[Tell]) -> None:
        titles = " and ".join(variants.find(variant).title for variant in self._compiling)
        message = f"Compiling {titles}, once: programs can play in about a minute."
        event = {
            "event": "compiling",
            "variants": [*self._compiling],
            "message": titles and message,
        }
        for tell in clients:
            tell(event)

    async def aside(self, call: Callable[..., T], *arguments: Any) -> T:
        """Call a function that may take long, in a thread that does such calls in order."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._aside, call, *arguments)

    def open(self, game: str) -> LiveGame:
        """An open game by its id; ``Problem`` if it is not open."""
        if game not in self._live:
            raise Problem("unknown", "this game is not open")
        return self._live[game]

    async def load(self, game: str) -> LiveGame:
        """A game by its id; it is opened if needed.

        Raises:
            Problem: if there is none, or too many are open.
        """
        if game not in self._live:
            if game not in self._loading:
                self._loading[game] = asyncio.create_task(self._load(game))
            return await asyncio.shield(self._loading[game])
        return self._live[game]

    async def _load(self, game: str) -> LiveGame:
        def replayed() -> LiveGame:
            stored = self.store.find(game)
            if stored is None:
                raise Problem("unknown", "this game does not exist")
            return LiveGame(stored, self.store)

        try:
            return self.add(await self.aside(replayed))
        finally:
            del self._loading[game]

    async def checkpoint(self) -> None:
        """Tidy the store now and then."""
        while True:
            await asyncio.sleep(CHECKPOINT_EVERY)
            await self.aside(self.store.checkpoint)
            if self._looked is not None:
                await self._again("note that it runs", self.aside(self.store.note_alive))

    async def keep_time(self) -> None:
        """End the games of people whose time runs out."""
        while True:
            await asyncio.sleep(TICK)
            await self._again("end the games whose time has run out", self.run_out())

    async def _again(self, what: str, work: Awaitable[None]) -> None:
        """Do what is done again and again: if it fails, the log says so once, until it succeeds."""
        try:
            await work
        except Locked:
            pass
        except Exception as error:
            if what not in self._failing:
                _LOG.error("the server cannot %s, but goes on trying: %s", what, error)
            self._failing.add(what)
        else:
            self._failing.discard(what)

    async def run_out(self) -> None:
        """End the games of people whose time has run out while the server was not suspended."""
        now = self.store.now()
        if self._looked is None or now - self._looked > SUSPENDED:
            for game, deadline in self.store.resume_clocks(self._looked).items():
                if live := self._live.get(game):
                    live.saved.deadline = deadline
                    self.changed(live)
        self._looked = now  # not before the clocks run again, which another program may hold up
        ended = self.store.run_out()
        for game, seat in ended:  # before anything is waited for: nobody may act in them any more
            if live := self._live.get(game):
                self._end(live, seat)
        loading = [(game, seat) for game, seat in ended if game in self._loading]
        await asyncio.gather(*(self._end_loading(game, seat) for game, seat in loading))

    async def _end_loading(self, game: str, seat: int) -> None:
        """End a game, which may have been read before, as soon as it is loaded."""
        with suppress(Problem):
            self._end(await asyncio.shield(self._loading[game]), seat)

    def _end(self, live: LiveGame, seat: int) -> None:
        """End a game in which a seat has run out of time."""
        live.run_out(seat)
        self.interrupt(live)
        self.changed(live)

    def open_games(self) -> list[dict[str, Any]]:
        """The games with seats that anybody can join, newest first.

        For a day after those who wait in them have left; if their time will be short, until then,
        and in games by days as long as nobody comes.
        """
        return [row for row in self.store.open_games() if self._is_awaited(row)]

    def _is_awaited(self, row: dict[str, Any]) -> bool:
        live, turn_time = self._live.get(row["game"]), row["turn_time"]
        is_recent = self.store.now() - row.pop("seen") < DAY
        is_kept = is_recent if turn_time is None else turn_time >= DAY
        return is_kept or (live is not None and bool(self._held(live)))

    async def store_all(self, games: list[SavedGame]) -> None:
        """Store games of a file; what is played meanwhile is stored between them."""
        for game in games:
            began = time.perf_counter()
            await self.aside(self.store.add, [game])
            await asyncio.sleep(time.perf_counter() - began)

    def add(self, live: LiveGame) -> LiveGame:
        """Open a game; it stays open while it is watched."""
        self._close_unwatched()
        if len(self._live) >= MOST_OPEN:
            raise Problem("busy", f"{MOST_OPEN} games are open already; try again later")
        self._live[live.id] = live
        return live

    def watch(self, live: LiveGame, watcher: Watcher) -> None:
        """Send a watcher a game's state, now and after each change."""
        self._watchers.setdefault(live.id, set()).add(watcher)
        watcher.show(live)
        if watcher.holds(live):
            live.note_seen()
        if live.meet(self._held(live)):
            self.changed(live)
        live.reopen_seats(self._held(live))
        self.tell_who_is_there(live)
        self._think(live)

    def leave(self, live: LiveGame, watcher: Watcher) -> None:
        """Remove a watcher; a game without watchers pauses and is closed."""
        watching = self._watchers.get(live.id, set())
        watching.discard(watcher)
        if watcher.holds(live):
            with suppress(Problem):  # the store is locked, or its disk full
                live.note_seen()
                live.reopen_seats(self._held(live))
        if watching:
            self.tell_who_is_there(live)
            return
        self._watchers.pop(live.id, None)
        self.interrupt(live)
        self._live.pop(live.id, None)

    def changed(self, live: LiveGame) -> None:
        """Send all watchers the game's state, and let the next program think."""
        for watcher in list(self._watchers.get(live.id, ())):
            watcher.show(live)
        self._think(live)

    def refuse_help(self, position: Position) -> None:
        """Refuse to help with the position of a game that people play against each other.

        Raises:
            Problem: if it is the position of such a game.
        """
        for live in self._live.values():
            if live.length and live.is_between_people() and live.shows(position):
                raise Problem("seat", NO_HELP)

    async def close(self) -> None:
        """Stop everything."""
        tasks = [*self._thinking.values(), *self._interrupted, *self._ready.values()]
        for task in tasks:
            task.cancel()
        await self.pool.close()  # a process that loads rules would let its task wait
        await stopped(tasks)
        await self.playtests.stop()
        self._aside.shutdown()
        self.store.close()

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of open games and of programs that are thinking."""
        return {"open": len(self._live), "thinking": len(self._thinking)}

    def tell_who_is_there(self, live: LiveGame) -> None:
        """Tell all watchers of a game who plays it, and whose seats are watching."""
        seats = named(live.saved.seats)
        names = [who["name"] for who in seats]
        is_open = [seat for seat, who in enumerate(seats) if who["open"]]
        about = {"seats": sorted(self._held(live)), "names": names, "open": is_open}
        self._tell(live, {"event": "present", **about})

    def _held(self, live: LiveGame) -> set[int]:
        """The seats whose players watch a game."""
        return set().union(*(each.holds(live) for each in self._watchers.get(live.id, ())))

    def say(self, live: LiveGame, text: str) -> None:
        """Tell all watchers of a game something in words."""
        self._tell(live, {"event": "notice", "message": text})

    def _tell(self, live: LiveGame, message: dict[str, Any]) -> None:
        for watcher in self._watchers.get(live.id, set()):
            watcher.tell({"game": live.id, **message})

    def _close_unwatched(self) -> None:
        unwatched = [game for game in self._live if game not in self._watchers]
        for game in unwatched[:-MOST_UNWATCHED]:
            del self._live[game]

    def _think(self, live: LiveGame) -> None:
        """Let a program think if it acts next and the game is watched."""
        watching = self._watchers.get(live.id)
        if live.id in self._thinking or not watching:
            return
        if live.player_to_act is not None:
            used = self._programs
            if live.saved.pace is None:
                used = min((each.used for each in watching), key=Used.lately)
            playing = self.turns.by_turns(used, self._play_on(live))
            self._thinking[live.id] = asyncio.create_task(playing)

    def interrupt(self, live: LiveGame) -> None:
        """Stop a program that thinks about an outdated position."""
        task = self._thinking.pop(live.id, None)
        if task is not None:
            task.cancel()
            self._interrupted.add(task)
            task.add_done_callback(self._interrupted.discard)

    async def _play_on(self, live: LiveGame) -> None:
        """Let a program make its next choice, and send it to all watchers."""
        try:
            if live.saved.pace is not None and not live.position.in_turn:
                await asyncio.sleep(max(live.saved.pace, self._programs.rest(SHARE_OF_PROGRAMS)))
            player = live.player_to_act
            if player is not None:
                number = await self._choice(live, player)
                await others()

                async def play() -> None:
                    live.play_number(number)

                await patiently(play)
        except Exception as error:
            _, text = fault_of(error, f"the game {live.id}")
            self.say(live, f"the program cannot play: {text}")
        else:
            # A new task makes the next choice.
            self._thinking.pop(live.id, None)
            self.changed(live)
        finally:
            if self._thinking.get(live.id) is asyncio.current_task():
                del self._thinking[live.id]

    async def _choice(self, live: LiveGame, player: str) -> int:
        variant = live.saved.ruleset.name
        await self.ready(variant)
        if is_instant(player):
            return players.choose_one(instant(player, variant), live.position)
        task = {"task": "choose", "player": player, **fields_of(live.until(live.length))}
        found = await self.pool.ask(task, seconds=LONGEST_THOUGHT)
        return int(found["action"])


def _load(variant: str) -> None:
    """Load the compiled rules, and draw once."""
    position = Position(variant)
    render.rehearse(position)
    for name in ("random", "greedy", "td"):
        with suppress(NotImplementedError):  # by a game without features
            players.choose_one(instant(name, variant), position)
    garbage.freeze()


def fault_of(error: Exception, cause: object) -> tuple[str, str]:
    """The code and the words for clients of what went wrong; faults of the server are logged."""
    match error:
        case Problem():
            return error.code, error.message
        case IllegalMove() | ValueError() | NotImplementedError():
            return "value", str(error)
        case WorkerError():
            return "failed", str(error)
        case _:  # reported to those whom it concerns: the others play on
            _LOG.error("%s: %s, from %.200r", type(error).__name__, error, cause)
            return "failed", "something broke on the server"


async def stopped(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for them; what has ended by a fault keeps nothing from being closed."""
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception):
            fault_of(ended, "a task of the server")


async def patiently(call: Callable[[], Awaitable[T]]) -> T:
    """Call again while another writer has locked the store, which leaves everything unchanged.

    Raises:
        Locked: after some seconds.
    """
    wait = FIRST_RETRY
    while True:
        try:
            return await call()
        except Locked:
            if wait > PATIENCE:
                raise
        await asyncio.sleep(wait)
        wait *= 2


def compact(message: dict[str, Any]) -> str:
    """A message as compact JSON."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)
