"""One's own team: its bots, what they could enter now, and how their games ended."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from arena.core.terms import Outcome
from arena.results import own_games
from arena.schemas.paging import Page
from arena.schemas.team import OpeningOut, OwnBot, OwnGameOut
from arena.store import teams as store
from arena.store.teams import Sought
from arena.submissions import versions
from arena.tournaments import lifecycle, openings
from arena.web.answers.team import opening_of, own_bots_of, own_game_of
from arena.web.http.dependencies import InSession, Player
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of, part_of

router = APIRouter(tags=["team"], responses=documented(401, 403, 422))


@router.get("/me/bots", response_model=Page[OwnBot], responses=NOT_MODIFIED)
def list_own_bots(request: Request, session: InSession, player: Player, part: Part) -> Response:
    """The bots of one's team: the newest version and its check, the last results, and what they are in."""
    standing = openings.of_team(session, player, player.team or player)
    rows = own_bots_of(standing, own_games.form(session, standing.bots))
    return conditional(request, part_of(rows, part))


@router.get("/me/openings", response_model=Page[OpeningOut], responses=NOT_MODIFIED)
def list_openings(request: Request, session: InSession, player: Player, part: Part) -> Response:
    """The tournaments that one's team may enter now, and for each of its bots what stands in the way."""
    standing = openings.of_team(session, player, player.team or player)
    return conditional(request, part_of([opening_of(each) for each in standing.openings], part))


@router.get("/me/matches", response_model=Page[OwnGameOut], responses={**NOT_MODIFIED, **documented(404)})
def list_own_matches(
    *,
    request: Request,
    session: InSession,
    player: Player,
    part: Part,
    outcome: Annotated[Outcome | None, Query(description="Only those that ended so for the bot.")] = None,
    bot: Annotated[str | None, Query(description="Only those of this bot.")] = None,
    tournament: Annotated[str | None, Query(description="Only those of this tournament.")] = None,
) -> Response:
    """The recorded matches of one's team, the last first; a match of two of its bots is there twice."""
    sought = Sought(
        outcome=outcome,
        bot_id=versions.get(session, bot).id if bot else None,
        tournament_id=lifecycle.get(session, tournament).id if tournament else None,
    )
    bots = store.bots(session, player.account_id)
    rows, total = own_games.games(session, bots, sought, part.offset, part.limit)
    return conditional(request, page_of([own_game_of(each) for each in rows], total, part))
