"""Reading a damaged file always ends, and raises nothing but RecordError."""

from random import Random

import pytest

from pasgl_env.records import RecordError, read_records, write_records

from ..suites import over_all_games
from .samples import scholars_game, steered


def damaged(data, rng):
    """A copy with one thing changed."""
    place, end = sorted(rng.randrange(len(data)) for _ in range(2))
    junk = rng.choice([b"\0", b"}", b"{", b'"', b"[", b"\n", b"...", b"9" * 30, b"\xff", b"1-0"])
    return rng.choice(
        [
            data[:place] + junk + data[place:],
            data[:place] + junk + data[place + len(junk) :],
            data[:place] + data[min(end, place + 30) :],
            data[:place],
            data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :],
            data[:end] + data[place:],
        ]
    )


@over_all_games
@pytest.mark.parametrize(("name", "number"), [("a.pgr", 25), ("a.pgr.gz", 10), ("a.pgb", 60)])
def test_random_damage(suite, name, number, tmp_path):
    file, rng = tmp_path / name, Random(name)
    write_records(file, [*steered(suite, 3, 2, 10), scholars_game()])
    whole = file.read_bytes()
    refused = 0
    for _ in range(number):
        file.write_bytes(damaged(whole, rng))
        errors = list[RecordError]()
        games = list(read_records(file, on_error=errors.append))
        refused += bool(errors)
        assert len(games) <= 6
        assert all(isinstance(error, RecordError) for error in errors)
        if errors:
            with pytest.raises(RecordError):
                list(read_records(file))
    assert refused > number / 4


def test_changed_bytes_of_binary_files_are_noticed(tmp_path):
    file = tmp_path / "a.pgb"
    write_records(file, [scholars_game()] * 2)
    whole = file.read_bytes()
    for place in range(0, len(whole), 3):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(RecordError):
            list(read_records(file))
