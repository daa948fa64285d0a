"""The pages of matches: the list, and one match with its board at any ply."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from arena.core.terms import MatchState
from arena.results import views
from arena.store import matches as store
from arena.store import stamps
from arena.submissions import versions
from arena.tournaments import lifecycle
from arena.web.answers.matches import detail_of, match_of
from arena.web.answers.team import game_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import InMatch, InSession, InTournament, cacheable_matches
from arena.web.http.responses import MAX_OFFSET, Part, page_of
from arena.web.http.visibility import Viewer
from arena.web.pages.rendering import board_of, render
from arena.web.pages.replay import position, steps

PUBLIC = Viewer(None)

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/tournaments/{name}/matches")
def match_list(
    *,
    request: Request,
    session: InSession,
    tournament: InTournament,
    part: Part,
    bot: Annotated[str, Query()] = "",
    state: Annotated[MatchState | Literal[""], Query()] = "",
) -> HTMLResponse:
    """A tournament's matches, all or those of one bot."""
    entry = lifecycle.entry_of(session, tournament, versions.get(session, bot)) if bot else None
    cacheable_matches(request, session, tournament, state=state or None, entry=entry, part=part)
    rows, total = views.list_matches(
        session, tournament, state=state or None, entry=entry, offset=part.offset, limit=part.limit
    )
    (plan,) = shown(session, PUBLIC, [tournament])
    return render(
        request,
        "matches.html",
        tournament=plan,
        page=page_of([match_of(match) for match in rows], total, part),
        bots=sorted(each.version.bot.name for each in lifecycle.entries(session, tournament)),
        bot=bot,
        state=state,
    )


@router.get("/tournaments/{name}/matches/{number}")
def match_page(
    request: Request,
    session: InSession,
    match: InMatch,
    ply: Annotated[int | None, Query(ge=0, le=MAX_OFFSET)] = None,
) -> HTMLResponse:
    """A match: the board after `ply` plies (all, when none is given or there are fewer), and all moves."""
    cacheable(request, stamps.of_match(session, match))
    moves = store.moves(session, match)
    played = [move.move for move in moves] or match.opening
    at = len(played) if ply is None else min(ply, len(played))
    return render(
        request,
        "match.html",
        tournament=shown(session, PUBLIC, [match.tournament])[0],
        match=detail_of(PUBLIC, match, moves),
        steps=steps(moves, match.tournament.time["extensions"], len(match.opening)),
        position=position(game_of(match.tournament), played, at),
        last=len(played),
        board=board_of(match.tournament.game),
    )
