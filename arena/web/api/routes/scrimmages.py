"""Scrimmages: games that a team has played for itself, and who lets them be played."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from arena.core.terms import Side
from arena.schemas.analyses import AnalysisAsked, AnalysisOut
from arena.schemas.classes import ClassOut
from arena.schemas.games import GameName
from arena.schemas.paging import Page
from arena.schemas.scrimmages import (
    BotConsent,
    NewScrimmage,
    OpponentsOut,
    ScrimmageConsent,
    ScrimmageGameDetail,
    ScrimmageOut,
)
from arena.scrimmages import analysing, asking, consent, opponents
from arena.store import scrimmages as store
from arena.submissions import versions
from arena.web.answers.analyses import asked_analysis, done_analysis
from arena.web.answers.languages import LANGUAGES
from arena.web.answers.people import class_of
from arena.web.answers.scrimmages import game_detail_of, opponents_of, page_response, record_of, scrimmage_of
from arena.web.api.routes.matches import Lang
from arena.web.http.dependencies import InClass, InServices, InSession, Player, Staff
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from arena.web.http.visibility import Viewer
from workers.core.contract import MatchRecord

router = APIRouter(tags=["team"], responses=documented(401, 403, 422))

Number = Annotated[int, Path(ge=1, lt=2**31)]


@router.get("/me/scrimmages", response_model=Page[ScrimmageOut], responses=NOT_MODIFIED)
def list_scrimmages(
    *,
    request: Request,
    session: InSession,
    player: Player,
    part: Part,
    side: Annotated[Side, Query(description="Whether one's team asked, or others against it.")] = Side.ASKED,
) -> Response:
    """The scrimmages that one's team asked for, or that others did against its bots; the last first."""
    rows, total = opponents.listed(session, player, side, part.offset, part.limit)
    viewer = Viewer(player)
    return conditional(request, page_of([scrimmage_of(viewer, each) for each in rows], total, part))


@router.post("/me/scrimmages", status_code=201, responses=documented(400, 404, 409, 413, 429))
def ask_scrimmage(
    session: InSession, services: InServices, player: Player, wish: NewScrimmage
) -> ScrimmageOut:
    """Have some games played against a reference bot, another version, or a bot whose owner lets one.

    They wait until no tournament's match does, count nowhere, and are seen by the two teams only.
    """
    made = asking.ask(session, services.archives, player, wish, services.settings.team_scrimmages)
    return scrimmage_of(Viewer(player), made)


@router.get("/me/opponents", response_model=OpponentsOut, responses=NOT_MODIFIED)
def list_opponents(
    request: Request,
    session: InSession,
    services: InServices,
    player: Player,
    game: Annotated[GameName | None, Query()] = None,
) -> Response:
    """Whom one's team may play a scrimmage against now, besides its own bots, and how many games."""
    team = player.team or player
    bots = opponents.others(session, team)
    allowed = opponents.allowance(session, team, services.settings)
    return conditional(request, opponents_of(opponents.reference_bots(game), bots, allowed))


@router.get("/me/scrimmages/{number}", response_model=ScrimmageOut, responses=documented(404))
def get_scrimmage(request: Request, session: InSession, player: Player, number: Number) -> Response:
    """One scrimmage, for the two teams."""
    return conditional(request, scrimmage_of(Viewer(player), asking.get(session, player, number)))


@router.post("/me/scrimmages/{number}/cancel", responses=documented(404, 409))
def cancel_scrimmage(session: InSession, player: Player, number: Number) -> ScrimmageOut:
    """Call off what is not over of a scrimmage."""
    scrimmage = asking.get(session, player, number)
    asking.cancel(session, player, scrimmage)
    return scrimmage_of(Viewer(player), scrimmage)


@router.get(
    "/me/scrimmages/{number}/games/{game}", response_model=ScrimmageGameDetail, responses=documented(404)
)
def get_scrimmage_game(
    request: Request, session: InSession, player: Player, number: Number, game: Number
) -> Response:
    """One game with its moves; what a bot wrote is for its own team."""
    found = asking.get_game(asking.get(session, player, number), game)
    return conditional(request, game_detail_of(Viewer(player), found, store.moves(session, found)))


@router.get(
    "/me/scrimmages/{number}/games/{game}/record", response_model=MatchRecord, responses=documented(404, 409)
)
def get_scrimmage_record(
    request: Request, session: InSession, player: Player, number: Number, game: Number
) -> Response:
    """What is needed to show or replay a game, as in a line of a record file; hidden texts are empty."""
    found = asking.get_game(asking.get(session, player, number), game)
    return conditional(request, record_of(Viewer(player), found, store.moves(session, found)))


@router.get(
    "/me/scrimmages/{number}/games/{game}/file",
    response_class=HTMLResponse,
    responses=documented(404, 409),
)
def get_scrimmage_file(
    session: InSession, player: Player, number: Number, game: Number, lang: Lang = "en"
) -> Response:
    """A game as a page in one file that opens without any server; it has nothing that bots wrote."""
    found = asking.get_game(asking.get(session, player, number), game)
    return page_response(found, store.moves(session, found), LANGUAGES[lang])


@router.get("/me/scrimmages/{number}/games/{game}/analysis", responses=documented(202, 404, 409))
def get_scrimmage_analysis(session: InSession, player: Player, number: Number, game: Number) -> AnalysisOut:
    """What each position of a game was worth with perfect play; 202 while that is found out."""
    found = asking.get_game(asking.get(session, player, number), game)
    return done_analysis(session, analysing.played_of(session, found), game)


@router.post(
    "/me/scrimmages/{number}/games/{game}/analysis", status_code=202, responses=documented(404, 409, 429)
)
def ask_scrimmage_analysis(
    *,
    response: Response,
    session: InSession,
    services: InServices,
    player: Player,
    number: Number,
    game: Number,
) -> AnalysisAsked:
    """Have a game analysed on the workers, when no match or move waits; for the two teams only."""
    found = asking.get_game(asking.get(session, player, number), game)
    asked = analysing.ask(session, player, found, services.settings.analyses)
    return asked_analysis(response, asked, game)


@router.put("/me/bots/{name}/scrimmages", responses=documented(400, 404, 413))
def set_bot_scrimmages(session: InSession, player: Player, name: str, wish: ScrimmageConsent) -> BotConsent:
    """Let others of the class play scrimmages against a bot, or no more; then those that wait end."""
    bot = consent.set_bot(session, player, versions.get(session, name), takes=wish.allowed)
    return BotConsent(bot=bot.name, allowed=bot.takes_scrimmages)


@router.put("/classes/{name}/scrimmages", responses=documented(400, 404, 413))
def set_class_scrimmages(
    session: InSession, staff: Staff, school_class: InClass, wish: ScrimmageConsent
) -> ClassOut:
    """Let a class have scrimmages, or none; then those that wait end."""
    return class_of(consent.set_class(session, staff, school_class, has=wish.allowed))
