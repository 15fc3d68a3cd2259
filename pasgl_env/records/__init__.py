"""Records of games, as text for people and in binary form for programs.

>>> import tempfile, pathlib
>>> from pasgl_env import Position
>>> from pasgl_env.records import GameRecord, read_records, write_records
>>> file = pathlib.Path(tempfile.mkdtemp()) / "games.pgb"
>>> write_records(file, [GameRecord.of(Position("pasgl312"), ["Th1h2", "wg8g6"])])
1
>>> [game.final.turns for game in read_records(file)]
[2]
"""

from pasgl_env.records.batch import BatchRecorder
from pasgl_env.records.errors import RecordError
from pasgl_env.records.files import RecordWriter, read_records, write_records
from pasgl_env.records.game import GameRecord
from pasgl_env.records.turn import Turn

__all__ = [
    "BatchRecorder",
    "GameRecord",
    "RecordError",
    "RecordWriter",
    "Turn",
    "read_records",
    "write_records",
]
