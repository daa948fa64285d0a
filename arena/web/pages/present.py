"""A tournament for a room: the projector's page, and a sheet of its standings for paper."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.results import tables, views
from arena.results.brackets import names
from arena.results.rank_changes import rank_changes
from arena.results.swiss_rounds import rounds
from arena.schemas.matches import MatchOut
from arena.schemas.positions import PositionOut, SceneOut
from arena.store import matches as match_store
from arena.store import stamps
from arena.store.matches import Sought
from arena.store.models import Tournament
from arena.web.answers.matches import match_of
from arena.web.answers.team import game_of
from arena.web.answers.timetables import timetable_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import CachedTournament, InSession, InTournament
from arena.web.http.responses import frozen_since
from arena.web.http.visibility import Viewer
from arena.web.pages.following import live
from arena.web.pages.questions import announced
from arena.web.pages.rendering import render
from arena.web.pages.replay import drawn

PUBLIC = Viewer(None)
BOARDS = 4
"""So many of the games that are being played are shown."""
NEXT = 6

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/tournaments/{name}/present")
def present(request: Request, session: InSession, tournament: InTournament) -> HTMLResponse:
    """Standings, what is played and what comes next, in big type; scripts page through the standings."""
    playing = match_store.listed(tournament, Sought(MatchState.RUNNING), 0, BOARDS)
    cacheable(request, stamps.of_matches(session, tournament, playing))
    table = tables.table(session, tournament)
    changes = rank_changes(session, tournament, table)
    frozen = frozen_since(request) is not None
    return render(
        request,
        "present.html",
        tournament=shown(session, PUBLIC, [tournament])[0],
        lines=table.standings,
        changes=changes.places if changes else {},
        playing=[] if frozen else _playing(session, tournament),
        coming_up=[] if frozen else _next(session, tournament),
        coming=[each for each in timetable_of(session, PUBLIC, tournament).moments if each.done_at is None],
        live=live(tournament, closely=True),
        **announced(session, tournament),
    )


@router.get("/tournaments/{name}/print")
def sheet(request: Request, session: InSession, tournament: CachedTournament) -> HTMLResponse:
    """The standings on a clean sheet, and the rounds of a Swiss system."""
    table = tables.table(session, tournament)
    return render(
        request,
        "print.html",
        tournament=shown(session, PUBLIC, [tournament])[0],
        lines=table.standings,
        rounds=rounds(session, tournament),
        bots=names(session, tournament),
    )


def _playing(
    session: Session, tournament: Tournament
) -> list[tuple[MatchOut, SceneOut | None, PositionOut | None]]:
    """The first of the games that are being played, with their boards as they began."""
    spec = game_of(tournament)
    found = _first(session, tournament, MatchState.RUNNING, BOARDS)
    return [(match, *drawn(spec, match.opening, None)) for match in found]


def _next(session: Session, tournament: Tournament) -> list[MatchOut]:
    """The matches that are played next, by number."""
    waiting = [
        each
        for state in (MatchState.PUBLISHED, MatchState.PENDING)
        for each in _first(session, tournament, state, NEXT)
    ]
    return sorted(waiting, key=lambda each: each.number)[:NEXT]


def _first(session: Session, tournament: Tournament, state: MatchState, most: int) -> list[MatchOut]:
    rows, _ = views.list_matches(session, tournament, Sought(state), limit=most)
    return [match_of(match) for match in rows]
