"""The page of a tournament's ratings."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from arena import ratings
from arena.api.dependencies import InSession, InTournament
from arena.api.routes.tournaments import shown
from arena.api.schemas.ratings import RatingTable
from arena.pages.rendering import render
from arena.pages.tournaments import PUBLIC, REFRESH_SECONDS
from arena.store.models import TournamentState

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/tournaments/{name}/ratings")
def show_ratings(request: Request, session: InSession, tournament: InTournament) -> HTMLResponse:
    """How strong the bots are, with errors, and what that rests on."""
    (plan,) = shown(session, PUBLIC, [tournament])
    return render(
        request,
        "ratings.html",
        tournament=plan,
        table=RatingTable.of(tournament, ratings.ratings(session, tournament)),
        refresh=REFRESH_SECONDS if plan.state == TournamentState.RUNNING else None,
    )
