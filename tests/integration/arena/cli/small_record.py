"""A record of small games, of which everything can be found out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.arena.cli.conftest import Run

SMALL = ("reversed_reversi", "--param", "size=4")
TWO = ("--first", "random", "--second", "perfect", "--seed", "5", "--swap")
_RECORDS: dict[tuple[str, ...], bytes] = {}


def lines_of(path: Path | str) -> list[dict[str, Any]]:
    """The lines of a file as JSON."""
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


@pytest.fixture
def small(run: Run, tmp_path: Path) -> Path:
    """Twelve games of Reversi on 4 by 4 squares from openings, by chance against perfect play."""
    path = tmp_path / "games.jsonl"
    openings = ("--openings", "6", "--opening-plies", "2")
    return recorded(run, path, *SMALL, *TWO, *openings, "-n", "12")


def recorded(run: Run, path: Path, *words: str) -> Path:
    """The record of a simulation of these words, which is played once a process."""
    if words in _RECORDS:
        path.write_bytes(_RECORDS[words])
    else:
        assert run("simulate", *words, "--record", str(path)).code == 0
        _RECORDS[words] = path.read_bytes()
    return path
