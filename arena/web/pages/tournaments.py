"""The pages of tournaments: the list, a leaderboard, a crosstable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from arena.core.terms import OVER, Leaving, TournamentState
from arena.results import tables, views
from arena.results.brackets import names, staged
from arena.results.rank_changes import rank_changes
from arena.results.swiss_rounds import rounds
from arena.store import stamps
from arena.store.models import Tournament
from arena.theory.standings.table import Standing
from arena.tournaments import lifecycle, lists
from arena.web.answers.standings import crosstable_of, heading_of
from arena.web.answers.timetables import timetable_of
from arena.web.answers.tournament_export import formats_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import Block, CachedTournament, InSession, InTournament
from arena.web.http.responses import Part, page_of
from arena.web.http.visibility import Viewer
from arena.web.pages.following import live
from arena.web.pages.planning import KEPT_SECONDS, Supposed, SupposingRoute, outlook
from arena.web.pages.questions import announced
from arena.web.pages.rendering import macros, render
from arena.web.pages.tie_breaks import FORFEITS, SHOWN_ANYWAY, STAGES, TIE_BREAKS, Words
from workers.core.contract import Policy
from workers.play.policy import policy_of

PODIUM = 3
PAIRINGS = 100
"""So many of a round stand on the page; its games are in the list of games."""
ROWS = 4096
"""Rows of leaderboards that are kept: after a result nearly all are what they were."""
PUBLIC = Viewer(None)

router = APIRouter(default_response_class=HTMLResponse)
supposing = APIRouter(default_response_class=HTMLResponse, route_class=SupposingRoute)


@router.get("/tournaments")
def index(request: Request, session: InSession, part: Part) -> HTMLResponse:
    """All tournaments, newest first."""
    cacheable(request, stamps.of_tournaments(session, part.offset, part.limit))
    rows, total = lists.list_tournaments(session, part.offset, part.limit)
    page = page_of(shown(session, PUBLIC, rows), total, part)
    return render(request, "tournaments.html", page=page)


@supposing.get("/tournaments/{name}")
def leaderboard(
    request: Request, session: InSession, tournament: InTournament, supposed: Annotated[Supposed, Query()]
) -> HTMLResponse:
    """A tournament's plan, how far it is, and its leaderboard."""
    over = tournament.state in OVER
    cacheable(request, stamps.of_tournament(session, tournament), float("inf") if over else KEPT_SECONDS)
    standings = tables.table(session, tournament)
    changes = rank_changes(session, tournament, standings)
    table = heading_of(tournament, standings)
    (plan,) = shown(session, PUBLIC, [tournament])
    game = lifecycle.game_of(tournament)
    columns = Columns(
        tournament=tournament.name,
        names=standings.order,
        extra=tuple(name for name in standings.order if _has_column(name, table.means)),
        mean="points" in table.means,
        scores=game.score_sense is not None,
    )
    return render(
        request,
        "leaderboard.html",
        tournament=plan,
        table=table,
        rows=_rows(request, columns, standings.standings, changes.places if changes else {}),
        changes=changes,
        podium=_podium(tournament, standings.standings),
        names=columns.names,
        extra=columns.extra,
        forfeits=FORFEITS,
        rules={step.name: step.rules for step in table.order},
        words=TIE_BREAKS,
        score_sense=game.score_sense,
        policy=policy_of(game, Policy()),
        planning=outlook(request, session, tournament, supposed),
        coming=[each for each in timetable_of(session, PUBLIC, tournament).moments if each.done_at is None],
        formats=formats_of(tournament),
        live=live(tournament),
        **announced(session, tournament),
    )


class Columns(NamedTuple):
    """What a row of a leaderboard is written by beside its line.

    `names` are the chain's steps, of which `extra` have columns of their own; `mean` and `scores` say whether
    there are columns of the points' mean and of scores.
    """

    tournament: str
    names: tuple[str, ...]
    extra: tuple[str, ...]
    mean: bool
    scores: bool

    @property
    def words(self) -> dict[str, Words]:
        """How numbers are written."""
        return TIE_BREAKS


def _rows(
    request: Request, columns: Columns, standings: Sequence[Standing], changes: Mapping[int, int]
) -> Markup:
    """The rows of all lines. But for its rank and what that was a row is the same wherever it stands."""
    macro = macros(request, "standing.html")
    rows = [
        f'<tr id="entry-{line.number}">\n<td class="num rank">{change}{line.rank}</td>\n'
        f"{_row(macro.row, columns, line._replace(rank=0))}\n</tr>\n"
        for line in standings
        for change in [_change(macro.change, changes.get(line.number, 0))]
    ]
    return Markup("".join(rows))  # noqa: S704  (numbers, and what a template has made)


def _podium(tournament: Tournament, standings: Sequence[Standing]) -> list[Standing]:
    """The first three places of a tournament that was played to its end."""
    if tournament.state != TournamentState.FINISHED:
        return []
    return [line for line in standings if line.rank <= PODIUM and line.left_as != Leaving.DISQUALIFIED]


@lru_cache(ROWS)
def _change(macro: Callable[[int], Markup], places: int) -> str:
    return str(macro(places)).strip()


@lru_cache(ROWS)
def _row(row: Callable[[Columns, Standing], Markup], columns: Columns, line: Standing) -> Markup:
    return row(columns, line)


def _has_column(name: str, means: Sequence[str]) -> bool:
    """Whether a step has a column of its own: also the mean beside a sum that is always there."""
    return name not in SHOWN_ANYWAY or (name in means and name != "points")


@router.get("/tournaments/{name}/crosstable")
def crosstable(
    request: Request, session: InSession, tournament: CachedTournament, block: Block
) -> HTMLResponse:
    """Everybody's points against everybody; of many bots, those of neighbours on the leaderboard."""
    (plan,) = shown(session, PUBLIC, [tournament])
    table, total = views.crosstable(session, tournament, offset=block.offset, limit=block.limit)
    return render(
        request,
        "crosstable.html",
        tournament=plan,
        table=crosstable_of(tournament, table, total, block),
        staged=staged(session, tournament),
        stage_words=STAGES,
        rounds=rounds(session, tournament),
        most_pairings=PAIRINGS,
        bots=names(session, tournament),
        live=live(tournament),
    )
