"""The tables of a tournament, and what its numbers say of bots, pairs of bots, seats and openings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from arena import numbers, results, tables, tournaments
from arena.api.dependencies import InSession, InTournament
from arena.api.problems import documented
from arena.api.responses import MAX_OFFSET, NOT_MODIFIED, Window, conditional
from arena.api.schemas.numbers import BalanceOut, BotNumbersOut, HeadToHeadOut
from arena.api.schemas.standings import Crosstable, Leaderboard

router = APIRouter(tags=["tournaments"], responses=documented(422))

BotName = Annotated[str, Query(max_length=60, description="A bot's name.")]


def _block(
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="The rows and columns to skip.")] = 0,
    limit: Annotated[
        int, Query(ge=1, le=results.MOST_CROSSED, description="How many rows and columns to give at most.")
    ] = results.MOST_CROSSED,
) -> Window:
    return Window(offset=offset, limit=limit)


Block = Annotated[Window, Depends(_block)]


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
def get_crosstable(request: Request, session: InSession, tournament: InTournament, block: Block) -> Response:
    """Everybody's points against everybody; of many bots, those of neighbours on the leaderboard."""
    table, total = results.crosstable(session, tournament, offset=block.offset, limit=block.limit)
    return conditional(request, Crosstable.of(tournament, table, total, block))


@router.get(
    "/tournaments/{name}/bots/{bot}",
    response_model=BotNumbersOut,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_bot_numbers(request: Request, session: InSession, tournament: InTournament, bot: str) -> Response:
    """One bot's results by opponent, seat and opening, its forfeits and its time."""
    return conditional(request, BotNumbersOut.of(tournament, numbers.bot_numbers(session, tournament, bot)))


@router.get(
    "/tournaments/{name}/head-to-head",
    response_model=HeadToHeadOut,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_head_to_head(
    request: Request, session: InSession, tournament: InTournament, one: BotName, other: BotName
) -> Response:
    """Two bots' games with each other, and how likely the first is the stronger one."""
    found = numbers.head_to_head(session, tournament, one, other)
    return conditional(request, HeadToHeadOut.of(tournament, found))


@router.get(
    "/tournaments/{name}/balance",
    response_model=BalanceOut,
    responses={**NOT_MODIFIED, **documented(404)},
)
def get_balance(request: Request, session: InSession, tournament: InTournament) -> Response:
    """What the first seat made, in all and by opening, and how often every bot had it."""
    bots = {entry.number: entry.version.bot.name for entry in tournaments.entries(session, tournament)}
    found = numbers.seat_balance(session, tournament)
    return conditional(request, BalanceOut.of(tournament, found, bots))
