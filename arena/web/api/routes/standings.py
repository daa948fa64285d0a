"""The tables of a tournament, and what its numbers say of bots, pairs of bots, seats and openings."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from sqlalchemy.orm import Session

from arena.results import bot_statistics, tables, views
from arena.schemas.standings import Crosstable, Leaderboard
from arena.schemas.statistics import BalanceOut, BotNumbersOut, HeadToHeadOut
from arena.tournaments import lifecycle
from arena.web.answers.standings import crosstable_of, leaderboard_of
from arena.web.answers.statistics import balance_of, bot_numbers_of, head_to_head_of
from arena.web.http.dependencies import (
    Block,
    CachedTournament,
    InServices,
    InSession,
    get_cached_tournament,
    read,
)
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, conditional, conditional_json

router = APIRouter(tags=["tournaments"], responses=documented(422))

BotName = Annotated[str, Query(max_length=60, description="A bot's name.")]


@router.get(
    "/tournaments/{name}/leaderboard",
    response_model=Leaderboard,
    responses={**NOT_MODIFIED, **documented(404)},
)
async def get_leaderboard(
    request: Request, services: InServices, name: Annotated[str, Path(examples=["spring-final"])]
) -> Response:
    """The standings as they are now."""
    return await read(request, services, partial(_leaderboard, request, name))


def _leaderboard(request: Request, name: str, session: Session) -> Response:
    tournament = get_cached_tournament(request, session, name)
    return conditional_json(request, leaderboard_of(tournament, tables.table(session, tournament)))


@router.get(
    "/tournaments/{name}/crosstable",
    response_model=Crosstable,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_crosstable(
    request: Request, session: InSession, tournament: CachedTournament, block: Block
) -> Response:
    """Everybody's points against everybody; of many bots, those of neighbours on the leaderboard."""
    table, total = views.crosstable(session, tournament, offset=block.offset, limit=block.limit)
    return conditional(request, crosstable_of(tournament, table, total, block))


@router.get(
    "/tournaments/{name}/bots/{bot}",
    response_model=BotNumbersOut,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_bot_numbers(request: Request, session: InSession, tournament: CachedTournament, bot: str) -> Response:
    """One bot's results by opponent, seat and opening, its forfeits and its time."""
    return conditional(
        request, bot_numbers_of(tournament, bot_statistics.bot_numbers(session, tournament, bot))
    )


@router.get(
    "/tournaments/{name}/head-to-head",
    response_model=HeadToHeadOut,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_head_to_head(
    request: Request, session: InSession, tournament: CachedTournament, one: BotName, other: BotName
) -> Response:
    """Two bots' games with each other, and how likely the first is the stronger one."""
    pair = bot_statistics.head_to_head(session, tournament, one, other)
    return conditional(request, head_to_head_of(tournament, pair))


@router.get(
    "/tournaments/{name}/balance",
    response_model=BalanceOut,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_balance(request: Request, session: InSession, tournament: CachedTournament) -> Response:
    """What the first seat made, in all and by opening, and how often every bot had it."""
    bots = {entry.number: entry.version.bot.name for entry in lifecycle.entries(session, tournament)}
    balance = bot_statistics.seat_balance(session, tournament)
    return conditional(request, balance_of(tournament, balance, bots))
