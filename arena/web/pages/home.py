"""The home page: what is played now, what comes next, what was played last, and what to do first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy.orm import Session

from arena.core.terms import Act, Leaving, TournamentState
from arena.results import tables
from arena.schemas.matches import MatchOut
from arena.schemas.positions import PositionOut, SceneOut
from arena.schemas.tournaments import TournamentOut
from arena.store import freezes, stamps
from arena.store import matches as match_store
from arena.store import news as news_store
from arena.store import timetables as moment_store
from arena.store import tournaments as store
from arena.store.models import Match, Tournament
from arena.theory.standings.table import Standing
from arena.tournaments import timetables
from arena.web.answers.matches import match_of
from arena.web.answers.team import game_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import InSession
from arena.web.http.visibility import Viewer
from arena.web.pages.following import ARENA, live
from arena.web.pages.rendering import render
from arena.web.pages.replay import drawn

PUBLIC = Viewer(None)
ON, COMING, FINISHED = 4, 5, 4
"""So many tournaments are shown of each kind."""
FIRST_LINES = 5
PODIUM = 3
LAST_GAMES = 8
ANNOUNCED = 3
"""So many of the last announcements to everybody are shown."""
WINDOW = frozenset({"offset", "limit"})

router = APIRouter(default_response_class=HTMLResponse)


class TournamentCard(NamedTuple):
    """A tournament as the public sees it, its first lines, and what is still to be done in it."""

    tournament: TournamentOut
    lines: Sequence[Standing]
    moments: Mapping[Act, dt.datetime]


class Shown(NamedTuple):
    """A game with its board: one that `is_played`, or the last one."""

    tournament: TournamentOut
    match: MatchOut
    scene: SceneOut | None
    position: PositionOut | None
    is_played: bool


class LastGame(NamedTuple):
    """A game that was recorded, and its tournament."""

    tournament: TournamentOut
    match: MatchOut


@router.get("/", response_model=None)
def home(request: Request, session: InSession) -> HTMLResponse | RedirectResponse:
    """What is on, what comes, and what was; the list that was here is at `/tournaments`."""
    if WINDOW & request.query_params.keys():
        return RedirectResponse(f"/tournaments?{request.url.query}", HTTPStatus.PERMANENT_REDIRECT)
    on = store.going_on(session, ON)
    open_ = [each for each in on if each.frozen_at is None]
    running = [each for each in open_ if each.state == TournamentState.RUNNING]
    listed = match_store.playing([each.id for each in running]) if running else None
    found = [] if listed is None else session.execute(listed).all()
    played = {each.tournament_id: each for each in match_store.of_ids(session, [row.id for row in found])}
    first = next((each for each in running if each.id in played), running[0] if running else None)
    cacheable(request, stamps.of_all(session, listed))
    coming, finished = store.coming(session, COMING), store.finished_last(session, FINISHED)
    rows = [*on, *coming, *finished]
    told = {each.name: each for each in shown(session, PUBLIC, rows)}
    moments = _moments(session, [*on, *coming])
    first_lines = {each.name: _first_lines(session, each) for each in on}
    games = match_store.finished_last(session, [each.id for each in (*open_, *finished)], LAST_GAMES)
    return render(
        request,
        "home.html",
        announcements=news_store.announced(session, None, ANNOUNCED),
        on=[TournamentCard(told[each.name], first_lines[each.name], moments[each.id]) for each in on],
        board=_board(session, first, told[first.name], played.get(first.id)) if first else None,
        coming=[TournamentCard(told[each.name], (), moments[each.id]) for each in coming],
        finished=[TournamentCard(told[each.name], _podium(session, each), {}) for each in finished],
        games=[LastGame(told[each.tournament.name], match_of(each)) for each in games],
        live=live(first, closely=True) if first and (played or len(running) == 1) else ARENA,
    )


def _moments(session: Session, tournaments: Sequence[Tournament]) -> dict[int, dict[Act, dt.datetime]]:
    """What is still to happen by itself in these tournaments and when, by their ids, the earliest first."""
    there = moment_store.of_tournaments(session, [each.id for each in tournaments])
    return {
        each.id: {moment.act: moment.at for moment in timetables.to_come(each, there[each.id])}
        for each in tournaments
    }


def _first_lines(session: Session, tournament: Tournament) -> Sequence[Standing]:
    """The first lines of a table, as the public sees it."""
    if tournament.frozen_at is None:
        return tables.table(session, tournament).standings[:FIRST_LINES]
    with freezes.beside(session) as there:
        kept = store.by_name(there, tournament.name)
        return tables.table(there, kept).standings[:FIRST_LINES] if kept else ()


def _podium(session: Session, tournament: Tournament) -> Sequence[Standing]:
    standings = tables.table(session, tournament).standings
    return [line for line in standings if line.rank <= PODIUM and line.left_as != Leaving.DISQUALIFIED]


def _board(
    session: Session, tournament: Tournament, told: TournamentOut, playing: Match | None
) -> Shown | None:
    """A game that is being played, where it began; between two games the last one, where it ended."""
    if playing is not None:
        return _shown(told, playing, playing.opening, is_played=True)
    games = match_store.finished_last(session, [tournament.id], 1)
    if not games:
        return None
    moves = [move.move for move in match_store.moves(session, games[0])]
    return _shown(told, games[0], moves, is_played=False)


def _shown(told: TournamentOut, match: Match, moves: Sequence[str], *, is_played: bool) -> Shown:
    scene, position = drawn(game_of(match.tournament), moves, None)
    return Shown(told, match_of(match), scene, position, is_played)
