"""The tables of a tournament: leaderboard and crosstable."""

from __future__ import annotations

from arena.core.terms import TournamentState
from arena.schemas.standings import CrossCell, CrossRow, Crosstable, Leaderboard, StandingOut, TieBreakOut
from arena.store.models import Tournament
from arena.theory.standings import crosstable
from arena.theory.standings.order import TIE_BREAKS
from arena.theory.standings.table import Standing, Table
from arena.web.answers.copying import copied
from arena.web.http.responses import Window


def leaderboard_of(tournament: Tournament, table: Table, progress: dict[str, int]) -> Leaderboard:
    """The leaderboard of `tournament`; the seed of lots only when it is over."""
    over = tournament.state in {TournamentState.FINISHED, TournamentState.CANCELLED}
    return Leaderboard(
        tournament=tournament.name,
        state=tournament.state,
        played=progress["finished"],
        matches=progress["total"] - progress["cancelled"],
        order=[TieBreakOut(name=name, rules=TIE_BREAKS[name].rules) for name in table.order],
        bracket=table.bracket,
        means=list(table.means),
        lot_seed=tournament.seed if "lot" in table.order and over else None,
        items=[_line(line) for line in table.standings],
    )


def _line(standing: Standing) -> StandingOut:
    """The line as the table has it, direct encounters in points."""
    direct = None if standing.direct is None else standing.direct / 2
    return copied(StandingOut, standing, entry=standing.number, direct=direct)


def crosstable_of(
    tournament: Tournament, table: crosstable.Crosstable, total: int, part: Window
) -> Crosstable:
    """A part of the table of `tournament`, which has `total` rows and columns."""
    rows = [
        copied(
            CrossRow,
            standing,
            entry=standing.number,
            cells=[copied(CrossCell, cell) if cell else None for cell in cells],
        )
        for standing, cells in zip(table.standings, table.cells, strict=True)
    ]
    about = {"tournament": tournament.name, "state": tournament.state}
    return Crosstable(**about, items=rows, total=total, offset=part.offset, limit=part.limit)
