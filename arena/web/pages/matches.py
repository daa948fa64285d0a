"""The pages of matches: the list, and one match with its board at any ply."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from arena.results import views
from arena.store import event_log, stamps
from arena.store import matches as store
from arena.tournaments import lifecycle
from arena.web.answers.matches import detail_of, heading_of, match_of, page_response
from arena.web.answers.steps import steps
from arena.web.answers.team import game_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import AreSought, InMatch, InSession, InTournament, cacheable_matches
from arena.web.http.responses import MAX_OFFSET, Part, page_of
from arena.web.http.visibility import Viewer
from arena.web.pages import analyses
from arena.web.pages.following import live
from arena.web.pages.i18n import wanted
from arena.web.pages.rendering import render
from arena.web.pages.replay import drawn

PUBLIC = Viewer(None)

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/tournaments/{name}/matches")
def match_list(
    request: Request, session: InSession, tournament: InTournament, sought: AreSought, part: Part
) -> HTMLResponse:
    """A tournament's matches, all or those that are asked for."""
    cacheable_matches(request, session, tournament, sought, part)
    rows, total = views.list_matches(session, tournament, sought, offset=part.offset, limit=part.limit)
    (plan,) = shown(session, PUBLIC, [tournament])
    return render(
        request,
        "matches.html",
        tournament=plan,
        page=page_of([match_of(match) for match in rows], total, part),
        bots=sorted(each.version.bot.name for each in lifecycle.entries(session, tournament)),
        bot=sought.entry.version.bot.name if sought.entry else "",
        state=sought.state or "",
        round=sought.round or "",
        rounds=tournament.rounds_paired,
        ended=sought.ended or "",
        live=live(tournament),
    )


@router.get("/tournaments/{name}/matches/{number}")
def match_page(
    request: Request,
    session: InSession,
    match: InMatch,
    ply: Annotated[int | None, Query(ge=0, le=MAX_OFFSET)] = None,
    better: Annotated[str | None, Query(max_length=64)] = None,
) -> HTMLResponse:
    """A match: the board after `ply` plies (all, when none is given or there are fewer), and all moves.

    Where it was analysed, `better` is a best move that is shown on the board.
    """
    cacheable(request, stamps.of_match(session, match))
    moves = store.moves(session, match)
    played = [move.move for move in moves] or match.opening
    scene, position = drawn(game_of(match.tournament), played, ply)
    values = analyses.shown(session, match, moves)
    return render(
        request,
        "match.html",
        tournament=shown(session, PUBLIC, [match.tournament])[0],
        match=detail_of(PUBLIC, match, moves),
        steps=steps(moves, match.tournament.time["extensions"], len(match.opening)),
        scene=scene,
        position=position,
        last=len(played),
        told=event_log.last_of_match(session, match),
        values=values,
        better=better,
        places=values.better(position.ply, better) if values and position else [],
    )


@router.get("/tournaments/{name}/matches/{number}/game.html")
def match_file(request: Request, session: InSession, match: InMatch) -> Response:
    """A match as one file that opens without any server, in the reader's language."""
    cacheable(request, stamps.of_match(session, match))
    return page_response(session, match, wanted(request))


@router.get("/tournaments/{name}/matches/{number}/embed")
def embedded(
    request: Request,
    session: InSession,
    match: InMatch,
    ply: Annotated[int | None, Query(ge=0, le=MAX_OFFSET)] = None,
) -> HTMLResponse:
    """A match alone, with its board and its result, to be framed by pages of others."""
    cacheable(request, stamps.of_match(session, match))
    moves = store.moves(session, match)
    played = [move.move for move in moves] or match.opening
    spec = game_of(match.tournament)
    scene, position = drawn(spec, played, ply)
    told = match_of(match)
    return render(
        request,
        "embed.html",
        tournament=match.tournament,
        match=told,
        result=told.result,
        heading=heading_of(match),
        names=[seat.bot for seat in told.seats],
        game=spec,
        scene=scene,
        position=position,
        last=len(played),
        told=event_log.last_of_match(session, match),
    )
