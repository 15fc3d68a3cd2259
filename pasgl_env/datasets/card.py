"""The card of a data set, ``README.md`` in the form of Hugging Face, and its checksums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.datasets import checksums
from pasgl_env.datasets.folder import DATA, SPLITS, TRAIN, files_of
from pasgl_env.datasets.reading import read_rows
from pasgl_env.evaluation.match import sides
from pasgl_env.evaluation.table import Table
from pasgl_env.storage.files import write_whole

CARD = "README.md"
_COLUMNS = "step player legal visits outcome truncated turns_left key".split()
_SIZES = {
    10**9: "n>1B",
    10**6: "1M<n<1B",
    10**5: "100K<n<1M",
    10**4: "10K<n<100K",
    10**3: "1K<n<10K",
    0: "n<1K",
}
"""The least number of rows in each category of Hugging Face."""

_SELF_PLAY = "MIT, as that of pasgl_env, which made it."
_RECORDS = "That of the records."


def write_card(
    folder: Path,
    ruleset: Ruleset,
    about: Mapping[str, Any],
    source: str,
    known: Mapping[str, str] | None = None,
) -> None:
    """Write the checksums and the card of a finished data set; equal files give equal cards.

    Args:
        folder: of the data set.
        ruleset: of its games.
        about: what identifies it.
        source: how the games came about, in sentences.
        known: checksums of files that were compared with them, by their names.

    Raises:
        OSError: if something cannot be read or written.
        ValueError: if a file is damaged; nothing is written then.
    """
    files = {split: files_of(folder, split) for split in SPLITS}
    columns = {split: _read(some) for split, some in files.items() if some}
    sums = checksums.written(folder, chain(*files.values()), known or {})
    content = _CARD.format(
        size=_size(sum(each["key"].size for each in columns.values())),
        files="".join(
            f"  - split: {each}\n    path: {DATA}/{each}/*.parquet\n" for each in columns
        ),
        title=ruleset.game.title,
        variant=ruleset.name,
        options=json.dumps(dict(ruleset.options)),
        source=source,
        license="unknown" if "records" in about else "mit",
        licence=_RECORDS if "records" in about else _SELF_PLAY,
        about=json.dumps(about, indent=2),
        statistics=_statistics(columns, ruleset).to_markdown(),
        digest=hashlib.sha256(sums.encode()).hexdigest(),
        checksums=checksums.CHECKSUMS,
    )
    write_whole(folder / checksums.CHECKSUMS, sums.encode())
    write_whole(folder / CARD, content.encode())


def _read(files: Sequence[Path]) -> dict[str, np.ndarray]:
    """The columns that statistics need; lists as their lengths, -1 for none."""
    from pyarrow import compute

    table = read_rows(files, _COLUMNS)
    lists = {
        name: compute.list_value_length(table[name]).fill_null(-1).to_numpy()
        for name in ("legal", "visits")
    }
    return {name: table[name].to_numpy() for name in _COLUMNS if name not in lists} | lists


def _statistics(columns: Mapping[str, Mapping[str, np.ndarray]], ruleset: Ruleset) -> Table:
    trained = np.unique(columns[TRAIN]["key"])
    rows = [_figures(split, each, trained, ruleset) for split, each in columns.items()]
    headings = ["", *(split for split in columns)]
    named = [[name, *(each[name] for each in rows)] for name in rows[0]]
    return Table("Statistics", headings, named, left=[0])


def _figures(
    split: str, columns: Mapping[str, np.ndarray], trained: np.ndarray, ruleset: Ruleset
) -> dict[str, str]:
    """The statistics of a split, by their names."""
    keys, rows = columns["key"], columns["key"].size
    first = columns["step"] == 0
    side = np.array(ruleset.teams)[columns["player"][first]]
    result = np.where(side == 0, 1, -1) * columns["outcome"][first]
    cut_off = columns["truncated"][first]
    own, *others = sides(ruleset)
    known = np.isin(keys, trained).sum() if split != TRAIN else rows
    counted = {
        "games": first.sum(),
        "positions": rows,
        "different positions, up to symmetry": np.unique(keys).size,
        "positions that are also in train": known,
        "positions with a search": (columns["visits"] >= 0).sum(),
        f"games won by {own}": (result > 0).sum(),
        f"games won by {' or '.join(others)}": (result < 0).sum(),
        "games drawn": ((result == 0) & ~cut_off).sum(),
        "games cut off at the turn limit": cut_off.sum(),
    }
    means = {
        "positions in a game": rows / max(first.sum(), 1),
        "turns in a game": columns["turns_left"][first].mean(),
        "legal actions": columns["legal"].mean(),
    }
    return {
        **{name: f"{int(number):,}" for name, number in counted.items()},
        **{f"{name}, mean": f"{mean:.1f}" for name, mean in means.items()},
    }


def _size(rows: int) -> str:
    """The category of a size, in the words of Hugging Face."""
    return next(name for least, name in _SIZES.items() if rows >= least)


_CARD = """\
---
pretty_name: Positions of {title}
license: {license}
task_categories:
- reinforcement-learning
tags:
- board-games
- chess-variants
- self-play
- imitation-learning
- pasgl_env
size_categories:
- {size}
configs:
- config_name: default
  data_files:
{files}---

# Positions of {title}

One row for each action that a player chose in games of {title}, a variant of the suite pasgl_env,
with the legal actions, what the player's search found, and how the game ended.

{source}
Games, not positions, are divided among the splits: of every ten games eight are for training.

## Use

```python
from pasgl_env import datasets

data = datasets.load("FOLDER", "train")
for batch in data.batches(1024, seed=0):  # NumPy; data.loader(1024) for PyTorch
    batch["observation"], batch["action_mask"], batch["policy"], batch["outcome"]
```

Without pasgl_env: `datasets.load_dataset("FOLDER")` of Hugging Face, or any reader of Parquet.

## Columns

| Column | Type | Content |
|---|---|---|
| `game`, `step` | uint32 | the number of the game, and of the action in it |
| `turn` | int32 | turns completed, by all players together |
| `player` | uint8 | the player to act |
| `text` | string | the position text; within a turn, with the labels played in it |
| `state` | binary | the state record, which `pasgl_env.Batch` takes |
| `legal` | list of uint16 | the legal actions |
| `action`, `label` | uint16, string | the action played |
| `visits` | list of uint32 | the search's visits to the legal actions; null without a search |
| `values` | list of float32 | their values for the player to act, -1 to 1; NaN if unknown |
| `outcome` | int8 | for the player to act: 1 won, -1 lost, 0 drawn or cut off |
| `truncated` | bool | whether the game was cut off, by the turn limit or for lack of room |
| `turns_left` | int32 | turns from here to the end of the game |
| `key` | uint64 | equal for positions that look the same to the player to act, up to symmetry |

## Rules

`{variant}` with the options `{options}`.

{statistics}
## Checksums

`{checksums}` has the SHA-256 of every file; its own is `{digest}`.

## How it was made

```json
{about}
```

## Licence

{licence}
"""
