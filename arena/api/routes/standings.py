"""The tables of a tournament, and what its numbers say of bots, pairs of bots, seats and openings."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena import results, tables
from arena.api.dependencies import InSession, InTournament
from arena.api.problems import documented
from arena.api.responses import NOT_MODIFIED, conditional
from arena.api.schemas.standings import Crosstable, Leaderboard

router = APIRouter(tags=["tournaments"], responses=documented(422))


@router.get(
    "/tournaments/{name}/leaderboard",
    response_model=Leaderboard,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_leaderboard(request: Request, session: InSession, tournament: InTournament) -> Response:
    """The standings as they are now."""
    table = tables.table(session, tournament)
    progress = results.progress(session, tournament)
    return conditional(request, Leaderboard.of(tournament, table, progress))


@router.get(
    "/tournaments/{name}/crosstable",
    response_model=Crosstable,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_crosstable(request: Request, session: InSession, tournament: InTournament) -> Response:
    """Everybody's points against everybody."""
    return conditional(request, Crosstable.of(tournament, results.crosstable(session, tournament)))
