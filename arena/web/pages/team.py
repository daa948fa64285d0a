"""The team's own place: its bots, what they could enter, and the games that they lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, ConflictError, ForbiddenError, NotFoundError
from arena.core.terms import OVER, Outcome
from arena.events import news
from arena.results import grading, own_games, views
from arena.schemas.matches import MAX_REASON_CHARS, ReasonText
from arena.store import matches as match_store
from arena.store import pending as pending_store
from arena.store import teams as store
from arena.store.models import Entry, Match, User
from arena.store.teams import Sought
from arena.submissions import versions
from arena.tournaments import amendments, lifecycle, matches, openings, pending
from arena.web.answers.grading import own_grade_of
from arena.web.answers.matches import detail_of, page_response
from arena.web.answers.team import game_of, opening_of, own_bots_of, own_game_of
from arena.web.answers.tournaments import shown
from arena.web.http.dependencies import InSession
from arena.web.http.responses import MAX_OFFSET, Part, page_of
from arena.web.http.visibility import Viewer
from arena.web.http.web_sessions import PlayerVisitor
from arena.web.pages import analyses, own_game
from arena.web.pages.forms import Field, see
from arena.web.pages.i18n import wanted
from arena.web.pages.rendering import render
from workers.core.contract import TimeControl

HOME = "/my"
LATEST = 4
"""So much that is new, and so many lost games, stand on the first page."""
REFUSED = (ConflictError, ForbiddenError, NotFoundError)
NO_REASON = "its team took it out"
Version = Annotated[int | None, Form(ge=1, lt=2**31)]
router = APIRouter(default_response_class=HTMLResponse)


def _home(
    request: Request, session: InSession, visitor: User, error: ArenaError | None = None
) -> HTMLResponse:
    standing = openings.of_team(session, visitor, visitor.team or visitor)
    lost, _ = own_games.games(session, standing.bots, Sought(outcome=Outcome.LOST), 0, LATEST)
    return render(
        request,
        "my.html",
        error.status if error else 200,
        team=(visitor.team or visitor).name,
        bots=own_bots_of(standing, own_games.form(session, standing.bots)),
        lost=[own_game_of(each) for each in lost],
        specs={each.match.tournament.name: game_of(each.match.tournament) for each in lost},
        openings=[opening_of(each) for each in standing.openings],
        entries=standing.entries,
        awaited=pending_store.of_bots(session, [each.id for each in standing.bots]),
        grades=[own_grade_of(each) for each in grading.own_grades(session, visitor.account_id)],
        before_start=lifecycle.ENTERING,
        over=OVER,
        refused=error,
        hidden=_hidden(standing.entries),
        latest=[each for each in news.listed(session, visitor) if each.is_new][:LATEST],
    )


@router.get("/my")
def home(request: Request, session: InSession, visitor: PlayerVisitor) -> HTMLResponse:
    """One's team: its bots, their checks and last results, what they are in, and what they could enter."""
    return _home(request, session, visitor)


@router.post("/my/entries")
def enter(
    *,
    request: Request,
    session: InSession,
    visitor: PlayerVisitor,
    tournament: Field = "",
    bot: Field = "",
    version: Version = None,
    onward: Annotated[Literal["", "bot"], Form()] = "",
) -> Response:
    """Enter a bot, or let another of its versions play."""
    try:
        entered = lifecycle.get(session, tournament)
        lifecycle.enter(session, visitor, entered, versions.get(session, bot), version)
    except REFUSED as error:
        session.rollback()
        return _home(request, session, visitor, error)
    return see(f"/my/bots/{bot}" if onward else HOME)


@router.post("/my/pending-entries/withdraw")
def withdraw_pending(
    request: Request, session: InSession, visitor: PlayerVisitor, tournament: Field = "", bot: Field = ""
) -> Response:
    """Let a bot enter by itself no more."""
    try:
        entered = lifecycle.get(session, tournament)
        pending.withdraw(session, visitor, entered, versions.get(session, bot))
    except REFUSED as error:
        session.rollback()
        return _home(request, session, visitor, error)
    return see(HOME)


@router.post("/my/entries/leave")
def leave(
    *,
    request: Request,
    session: InSession,
    visitor: PlayerVisitor,
    tournament: Field = "",
    bot: Field = "",
    reason: Annotated[ReasonText | Literal[""], Form(max_length=MAX_REASON_CHARS)] = "",
) -> Response:
    """Take a bot out of a tournament."""
    try:
        left = lifecycle.get(session, tournament)
        amendments.withdraw(session, visitor, left, versions.get(session, bot), reason or NO_REASON)
    except REFUSED as error:
        session.rollback()
        return _home(request, session, visitor, error)
    return see(HOME)


@router.get("/my/games")
def games(
    *,
    request: Request,
    session: InSession,
    visitor: PlayerVisitor,
    part: Part,
    outcome: Annotated[Outcome | Literal[""], Query()] = "",
    bot: Annotated[str, Query()] = "",
    tournament: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """The team's games, the last first: all, or those lost, forfeited, drawn or won."""
    bots = store.bots(session, visitor.account_id)
    sought = Sought(
        outcome=outcome or None,
        bot_id=versions.get(session, bot).id if bot else None,
        tournament_id=lifecycle.get(session, tournament).id if tournament else None,
    )
    rows, total = own_games.games(session, bots, sought, part.offset, part.limit)
    entries = openings.entries_of(session, visitor, bots)
    return render(
        request,
        "my_games.html",
        page=page_of([own_game_of(each) for each in rows], total, part),
        specs={each.match.tournament.name: game_of(each.match.tournament) for each in rows},
        outcome=outcome,
        bot=bot,
        bots=[each.name for each in bots],
        tournament=tournament,
        tournaments=list(dict.fromkeys(entry.tournament.name for entry in entries)),
        hidden=_hidden(entries),
    )


def _hidden(entries: Iterable[Entry]) -> list[str]:
    """The tournaments whose games are not listed, as they are frozen to their teams, too."""
    found = (entry.tournament for entry in entries)
    return sorted({each.name for each in found if each.frozen_at is not None and not each.shows_own})


@router.get("/my/games/{name}/{number}")
def game(
    *,
    request: Request,
    session: InSession,
    visitor: PlayerVisitor,
    name: str,
    number: int,
    ply: Annotated[int | None, Query(ge=0, le=MAX_OFFSET)] = None,
    better: Annotated[str | None, Query(max_length=64)] = None,
) -> HTMLResponse:
    """What one's own bot left of a game: why it ended so, with the evidence, the board, and all moves.

    Also in a freeze, in which the public page shows no results.
    """
    viewer, match = _own_match(session, visitor, name, number)
    moves = match_store.moves(session, match)
    record = viewer.record(match, views.match_record(session, match)) if match.result else None
    return own_game.show(
        request,
        "my_game.html",
        own_game.OwnGame(
            told=detail_of(viewer, match, moves),
            record=record,
            spec=game_of(match.tournament),
            time=TimeControl.model_validate(match.tournament.time),
            seats=[seat for seat in (0, 1) if viewer.sees_bot_of(match, seat)],
            files=[own_game.at_home(each.version) for each in (match.first, match.second)],
            here=f"/my/games/{match.tournament.name}/{match.number}",
            filename=_record_name(match),
        ),
        ply,
        values=analyses.shown(session, match, moves),
        better=better,
        tournament=shown(session, viewer, [match.tournament])[0],
        frozen=match.tournament.frozen_at is not None,
    )


@router.get("/my/games/{name}/{number}/record")
def record(session: InSession, visitor: PlayerVisitor, name: str, number: int) -> Response:
    """The game as a line of a record file, with what one's own bot wrote, to be asked again at home."""
    viewer, match = _own_match(session, visitor, name, number)
    return own_game.download(viewer.record(match, views.match_record(session, match)), _record_name(match))


@router.get("/my/games/{name}/{number}/game.html")
def game_page(
    request: Request, session: InSession, visitor: PlayerVisitor, name: str, number: int
) -> Response:
    """The game as one file that opens without any server, in the reader's language; also in a freeze."""
    _, match = _own_match(session, visitor, name, number)
    return page_response(session, match, wanted(request))


def _own_match(session: Session, visitor: User, name: str, number: int) -> tuple[Viewer, Match]:
    """A match of the visitor's team, or one that they run.

    Raises:
        ForbiddenError: it is another's.
        NotFoundError: there is none, or it is hidden by a freeze.
    """
    match = matches.get_shown(session, visitor, lifecycle.get(session, name), number)
    viewer = Viewer(visitor)
    if not viewer.sees_a_bot_of(match):
        raise ForbiddenError("only the teams of the two bots and the staff see what they wrote")
    return viewer, match


def _record_name(match: Match) -> str:
    return f"{match.tournament.name}-{match.number}.jsonl"
