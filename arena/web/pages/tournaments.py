"""The pages of tournaments: the list, a leaderboard, a crosstable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from arena.core.terms import TournamentState
from arena.results import tables, views
from arena.store import stamps
from arena.store.models import Tournament
from arena.theory.standings.stages import Stage, stages
from arena.tournaments import history, lifecycle
from arena.tournaments.plans import BRACKETS
from arena.web.answers.standings import crosstable_of, leaderboard_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import Block, CachedTournament, InSession, InTournament
from arena.web.http.responses import Part, page_of
from arena.web.http.visibility import Viewer
from arena.web.pages.planning import KEPT_SECONDS, Supposed, outlook
from arena.web.pages.rendering import render
from arena.web.pages.tie_breaks import FORFEITS, SHOWN_ANYWAY, STAGES, TIE_BREAKS
from workers.core.contract import Policy
from workers.play.policy import policy_of

REFRESH_SECONDS = 5
PUBLIC = Viewer(None)

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/")
def index(request: Request, session: InSession, part: Part) -> HTMLResponse:
    """All tournaments, newest first."""
    rows, total = lifecycle.list_tournaments(session, part.offset, part.limit)
    page = page_of(shown(session, PUBLIC, rows), total, part)
    return render(request, "index.html", page=page)


@router.get("/tournaments/{name}")
def leaderboard(
    request: Request, session: InSession, tournament: InTournament, supposed: Annotated[Supposed, Query()]
) -> HTMLResponse:
    """A tournament's plan, how far it is, and its leaderboard."""
    over = tournament.state in lifecycle.OVER
    cacheable(request, stamps.of_tournament(session, tournament), float("inf") if over else KEPT_SECONDS)
    progress = views.progress(session, tournament)
    table = leaderboard_of(tournament, tables.table(session, tournament), progress)
    (plan,) = shown(session, PUBLIC, [tournament])
    game = lifecycle.game_of(tournament)
    return render(
        request,
        "leaderboard.html",
        tournament=plan,
        table=table,
        names=[step.name for step in table.order],
        extra=[step.name for step in table.order if _has_column(step.name, table.means)],
        forfeits=FORFEITS,
        rules={step.name: step.rules for step in table.order},
        words=TIE_BREAKS,
        score_sense=game.score_sense,
        policy=policy_of(game, Policy()),
        planning=outlook(request, session, tournament, supposed),
        refresh=REFRESH_SECONDS if plan.state == TournamentState.RUNNING else None,
    )


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
        stages=_stages(session, tournament),
        stage_words=STAGES,
        bots={entry.number: entry.version.bot.name for entry in lifecycle.entries(session, tournament)},
        refresh=REFRESH_SECONDS if plan.state == TournamentState.RUNNING else None,
    )


def _stages(session: Session, tournament: Tournament) -> list[Stage]:
    if tournament.format not in BRACKETS:
        return []
    return stages(history.meetings(session, tournament))
