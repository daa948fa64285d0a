"""The tables of a tournament: leaderboard and crosstable."""

from __future__ import annotations

from functools import lru_cache

from arena.core.terms import OVER
from arena.schemas.standings import CrossCell, CrossRow, Crosstable, Leaderboard, StandingOut, TieBreakOut
from arena.store.models import Tournament
from arena.theory.standings import crosstable
from arena.theory.standings.order import TIE_BREAKS
from arena.theory.standings.table import RankedRow, Standing, Table
from arena.web.answers.copying import copied
from arena.web.http.responses import Window

CELLS = 4096
"""Cells of crosstables that are kept: after a result nearly all are what they were."""
_EMPTY, _RANK = b'"items":[]}', b'{"rank":0'
"""How a leaderboard without lines ends, and how a line of rank 0 begins."""


def leaderboard_of(tournament: Tournament, table: Table) -> bytes:
    """The leaderboard of `tournament` as JSON, as `Leaderboard` has it."""
    head = heading_of(tournament, table).model_dump_json().encode().removesuffix(_EMPTY)
    items = b",".join([b'{"rank":%d%b' % (line.rank, _rest(line)) for line in table.lines])
    return b'%b"items":[%b]}' % (head, items)


def heading_of(tournament: Tournament, table: Table) -> Leaderboard:
    """The leaderboard of `tournament` without its lines; the seed of lots only when it is over."""
    over = tournament.state in OVER
    return Leaderboard(
        tournament=tournament.name,
        state=tournament.state,
        played=tournament.matches_finished,
        matches=tournament.matches_total - tournament.matches_cancelled,
        order=[TieBreakOut(name=name, rules=TIE_BREAKS[name].rules) for name in table.order],
        bracket=table.bracket,
        means=list(table.means),
        lot_seed=tournament.seed if "lot" in table.order and over else None,
        items=[],
    )


def _rest(line: RankedRow) -> bytes:
    """The JSON of a line after its rank; after a result nearly all are what they were."""
    _, row, direct, values = line
    kept: tuple[object, object, bytes] = row.told.get(_rest, (_rest, None, b""))
    if kept[0] == direct and kept[1] == values:
        return kept[2]
    made = _line(line._replace(rank=0).standing).model_dump_json().encode().removeprefix(_RANK)
    row.told[_rest] = direct, values, made
    return made


def _line(standing: Standing) -> StandingOut:
    """The line as the table has it, direct encounters in points."""
    direct = None if standing.direct is None else standing.direct / 2
    return copied(StandingOut, standing, entry=standing.number, direct=direct)


@lru_cache(CELLS)
def _cell(cell: crosstable.Cell) -> CrossCell:
    return copied(CrossCell, cell)


def crosstable_of(
    tournament: Tournament, table: crosstable.Crosstable, total: int, part: Window
) -> Crosstable:
    """A part of the table of `tournament`, which has `total` rows and columns."""
    rows = [
        copied(
            CrossRow,
            standing,
            entry=standing.number,
            cells=[cell and _cell(cell) for cell in cells],
        )
        for standing, cells in zip(table.standings, table.cells, strict=True)
    ]
    about = {"tournament": tournament.name, "state": tournament.state}
    return Crosstable(**about, items=rows, total=total, offset=part.offset, limit=part.limit)
