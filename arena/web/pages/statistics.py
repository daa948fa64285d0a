"""The pages of a tournament's numbers: one bot, two bots, the audit of seats and openings, and accuracy."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from arena.results import accuracy, bot_statistics
from arena.store import stamps
from arena.tournaments import lifecycle
from arena.web.answers.accuracy import accuracy_of
from arena.web.answers.statistics import balance_of, bot_numbers_of, head_to_head_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.costly_routes import CostlyRoute
from arena.web.http.dependencies import CachedTournament, InSession, InTournament
from arena.web.pages.rendering import render
from arena.web.pages.tournaments import PUBLIC

router = APIRouter(default_response_class=HTMLResponse)
costly = APIRouter(default_response_class=HTMLResponse, route_class=CostlyRoute)


@router.get("/tournaments/{name}/bots/{bot}")
def show_bot(request: Request, session: InSession, tournament: CachedTournament, bot: str) -> HTMLResponse:
    """One bot's results by opponent, seat and opening, its forfeits and its time."""
    (plan,) = shown(session, PUBLIC, [tournament])
    numbers = bot_numbers_of(tournament, bot_statistics.bot_numbers(session, tournament, bot))
    return render(
        request,
        "bot_numbers.html",
        tournament=plan,
        numbers=numbers,
        score_sense=lifecycle.game_of(tournament).score_sense,
    )


@router.get("/tournaments/{name}/head-to-head")
def show_head_to_head(
    request: Request,
    session: InSession,
    tournament: CachedTournament,
    one: Annotated[str, Query()],
    other: Annotated[str, Query()],
) -> HTMLResponse:
    """Two bots' games with each other."""
    (plan,) = shown(session, PUBLIC, [tournament])
    pair = head_to_head_of(tournament, bot_statistics.head_to_head(session, tournament, one, other))
    return render(
        request,
        "head_to_head.html",
        tournament=plan,
        pair=pair,
        score_sense=lifecycle.game_of(tournament).score_sense,
    )


@router.get("/tournaments/{name}/balance")
def show_balance(request: Request, session: InSession, tournament: CachedTournament) -> HTMLResponse:
    """What the first seat made, in all and by opening, and how often every bot had it."""
    (plan,) = shown(session, PUBLIC, [tournament])
    bots = {entry.number: entry.version.bot.name for entry in lifecycle.entries(session, tournament)}
    balance = balance_of(tournament, bot_statistics.seat_balance(session, tournament), bots)
    return render(request, "balance.html", tournament=plan, balance=balance)


@costly.get("/tournaments/{name}/accuracy")
def show_accuracy(request: Request, session: InSession, tournament: InTournament) -> HTMLResponse:
    """How well each bot has moved, in all and by stage of the game, by those games that are analysed."""
    cacheable(request, stamps.of_accuracy(session, tournament))
    (plan,) = shown(session, PUBLIC, [tournament])
    told = accuracy_of(tournament, accuracy.accuracies(session, tournament))
    return render(request, "accuracy.html", tournament=plan, told=told)
