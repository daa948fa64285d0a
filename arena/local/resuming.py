"""A series that is gone on with: which of its games a record file has."""

from __future__ import annotations

import re
from pathlib import Path

from arena.local.errors import InputError
from arena.local.records import read_records
from arena.local.series import Series
from workers.core.contract import MatchRecord, MatchSpec

_GAME = re.compile(r"game-([1-9][0-9]{0,8})")


def recorded(path: Path, series: Series) -> dict[int, tuple[str, MatchRecord]]:
    """The games of `series` that the file has, by their number, each with its name `FILE#n`.

    Raises:
        InputError: the file has a game that is none of the series.
    """
    found: dict[int, tuple[str, MatchRecord]] = {}
    for line, record in enumerate(read_records(path), start=1):
        name = f"{path}#{line}"
        matched = _GAME.fullmatch(record.spec.match) if isinstance(record, MatchRecord) else None
        number = int(matched[1]) if matched else 0
        if not isinstance(record, MatchRecord) or not 1 <= number <= series.total:
            raise InputError(f"{name} is no game of this series; name another file")
        planned = series.game_at(number - 1).spec
        if record.spec != planned:
            raise InputError(
                f"{name} is another game than game {number} of this series: {_differs(record.spec, planned)}"
            )
        found.setdefault(number, (name, record))
    return found


def _differs(told: MatchSpec, planned: MatchSpec) -> str:
    """What is not the same, as the fields of the record call it."""
    one, other = dict(told), dict(planned)
    fields = [name for name in one if one[name] != other[name]]
    return f"{' and '.join(fields)} {'differs' if len(fields) == 1 else 'differ'}"
