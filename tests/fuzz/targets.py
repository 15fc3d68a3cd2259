"""The fuzz targets: functions of arbitrary bytes, which fail if a reader misbehaves."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pasgl_env import Batch, Position
from pasgl_env.contract.variants import names
from pasgl_env.records import GameRecord, read_records, write_records

from ..records.samples import drawn
from ..web.loops import run
from .messages import conversations, talk

MOST_MESSAGES = 100


class Target(NamedTuple):
    """A reader, valid inputs to start from, and the modules whose coverage guides the search."""

    read: Callable[[bytes], None]
    samples: Callable[[], Iterator[bytes]]
    modules: tuple[str, ...]


class _Named(io.BytesIO):
    """An open binary file; the suffix of its name gives its format."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


def read_text(data: bytes) -> None:
    """A position text, after a byte that picks the variant."""
    variant = names()[data[0] % len(names())] if data else names()[0]
    text = data[1:].decode("utf-8", "surrogateescape")
    with suppress(ValueError):
        position = Position.from_text(variant, text)
        assert position.text == text
        position.legal_moves()


def text_samples() -> Iterator[bytes]:
    for number, variant in enumerate(names()):
        rng, position = Random(1), Position(variant)
        for _ in range(12):
            yield bytes([number]) + position.text.encode()
            if not position.is_over:
                position.play_action(rng.choice(position.legal_actions()))


def read_pgr(data: bytes) -> None:
    with suppress(ValueError):
        _check_all(list(read_records(_Named(data, "fuzz.pgr"))))


def read_pgb(data: bytes) -> None:
    with suppress(ValueError):
        _check_all(list(read_records(_Named(data, "fuzz.pgb"))))


def _check_all(games: list[GameRecord]) -> None:
    """Whatever was read can be written, and read again as the same."""
    with TemporaryDirectory() as folder:
        for form in ("pgr", "pgb") if games else ():
            file = Path(folder) / f"games.{form}"
            write_records(file, games)
            assert list(read_records(file)) == games


def record_samples(form: str) -> Iterator[bytes]:
    with TemporaryDirectory() as folder:
        for variant in names():
            file = Path(folder) / f"{variant}.{form}"
            write_records(file, [drawn(variant, Random(1), 12), drawn(variant, Random(2), 3)])
            yield file.read_bytes()


def read_batch(data: bytes) -> None:
    with TemporaryDirectory() as folder, suppress(ValueError):
        file = Path(folder) / "batch.npz"
        file.write_bytes(data)
        batch = Batch.load(file)
        batch.step(batch.sample())


def batch_samples() -> Iterator[bytes]:
    with TemporaryDirectory() as folder:
        for variant in names():
            Batch(variant, 2, seed=1).save(Path(folder) / "batch.npz")
            yield (Path(folder) / "batch.npz").read_bytes()


def read_checkpoint(data: bytes) -> None:
    """A malicious file with a correct checksum."""
    from pasgl_env.players.networks import checkpoint

    with TemporaryDirectory() as folder, suppress(checkpoint.BadCheckpoint):
        file = Path(folder) / "agent.pt"
        file.write_bytes(checkpoint.with_checksum(data))
        checkpoint.load_player(file)


def checkpoint_samples() -> Iterator[bytes]:
    import torch

    content = {"format": 3, "variant": "pachessi", "kind": "ppo", "options": {}, "width": 1}
    stream = io.BytesIO()
    torch.save({**content, "policy": {"weight": torch.zeros(2)}}, stream)
    yield stream.getvalue()


def read_messages(data: bytes) -> None:
    """Messages to the web server, one per line."""
    run(lambda: talk(data.split(b"\n")[:MOST_MESSAGES]))


_RECORDS = ("pasgl_env.records",)
TARGETS = {
    "texts": Target(
        read_text,
        text_samples,
        (
            "pasgl_env.games.chieftain.position_text",
            "pasgl_env.games.pachessi.position_text",
            "pasgl_env.games.pasgl312.position_text",
            "pasgl_env.games.spalding.position_text",
        ),
    ),
    "pgr": Target(read_pgr, lambda: record_samples("pgr"), _RECORDS),
    "pgb": Target(read_pgb, lambda: record_samples("pgb"), _RECORDS),
    "batches": Target(read_batch, batch_samples, ("numpy.lib._format_impl", "zipfile")),
    "messages": Target(read_messages, conversations, ("pasgl_env.web",)),
    "checkpoints": Target(
        read_checkpoint,
        checkpoint_samples,
        ("pasgl_env.players.networks.checkpoint", "torch._weights_only_unpickler"),
    ),
}
