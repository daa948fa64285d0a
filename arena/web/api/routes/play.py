"""Games that people play: against bots, or two at one screen. Who knows a game's address sees it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from arena.core.errors import InvalidError
from arena.play import analysing, games, quotas, seats
from arena.play.games import Playing
from arena.schemas.analyses import AnalysisAsked, AnalysisOut
from arena.schemas.games import GameName
from arena.schemas.paging import Page
from arena.schemas.play import (
    ADDRESS,
    NewPlay,
    PlayListed,
    PlayMove,
    PlayNextOut,
    PlayOpponents,
    PlayOut,
    PlayRestart,
    PlaySeats,
)
from arena.store import play as store
from arena.store.paging import page
from arena.submissions.reference import PREFIX
from arena.web.answers.analyses import asked_analysis, done_analysis
from arena.web.answers.languages import LANGUAGES
from arena.web.answers.play import listed_of, next_of, page_response, play_of, record_response
from arena.web.api.routes.matches import Lang
from arena.web.http.dependencies import PUBLIC, Actor, InServices, InSession, InViewer, Player, address_of
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from engines.game import GameError
from engines.games import find_game

router = APIRouter(tags=["play"], responses=documented(401, 403, 422))

Address = Annotated[
    str, Path(pattern=ADDRESS, description="The game's secret.", examples=["u4kWq0hVQ1m2oT7nYc3dXg"])
]


def get_playing(session: InSession, services: InServices, viewer: InViewer, address: Address) -> Playing:
    """The game that the path names, locked, for who may play in it.

    Raises:
        ForbiddenError: it is somebody else's.
    """
    row = games.find(session, address, lock=True)
    games.require_player(viewer.user, row)
    return Playing(session, row, viewer.user, services.settings)


InPlaying = Annotated[Playing, Depends(get_playing)]


@router.get("/play/opponents", response_model=PlayOpponents, responses=NOT_MODIFIED, openapi_extra=PUBLIC)
def list_play_opponents(
    request: Request, session: InSession, viewer: InViewer, game: Annotated[GameName, Query()]
) -> Response:
    """Whom one may play against: reference bots, and signed in one's own and those whose owners let one."""
    try:
        rules = find_game(game)
    except GameError as error:
        raise InvalidError(str(error)) from None
    told = PlayOpponents(
        levels=[PREFIX + name for name in seats.levels(rules)],
        reference=[PREFIX + name for name in seats.offered(rules)],
        own=[bot.name for bot in seats.own_bots(session, viewer.user, game)],
        others=[bot.name for bot in seats.other_bots(session, viewer.user, game)],
    )
    return conditional(request, told)


@router.get("/play/games", response_model=Page[PlayListed], responses=NOT_MODIFIED)
def list_plays(request: Request, session: InSession, player: Player, part: Part) -> Response:
    """The games that one's account has begun, the last touched first."""
    query = store.of_player(quotas.player_of(player, ""))
    rows, total = page(session, query, part.offset, part.limit)
    return conditional(request, page_of([listed_of(row) for row in rows], total, part))


@router.post(
    "/play/games", status_code=201, responses=documented(400, 404, 409, 413, 429), openapi_extra=PUBLIC
)
def begin_play(
    request: Request, session: InSession, services: InServices, viewer: InViewer, wish: NewPlay
) -> PlayOut:
    """Begin a game; a bot that moves first is asked. Without an account whoever has its address plays."""
    player = quotas.player_of(viewer.user, address_of(request))
    return _told(
        Playing(
            session,
            games.begin(session, viewer.user, player, wish, services.settings),
            viewer.user,
            services.settings,
        )
    )


@router.get("/play/games/{address}", response_model=PlayOut, responses=documented(404), openapi_extra=PUBLIC)
def get_play(request: Request, session: InSession, viewer: InViewer, address: Address) -> Response:
    """The game as it stands."""
    return conditional(request, play_of(session, viewer.user, games.find(session, address)))


@router.post(
    "/play/games/{address}/moves", responses=documented(400, 404, 409, 413, 429), openapi_extra=PUBLIC
)
def move_in_play(playing: InPlaying, wish: PlayMove) -> PlayOut:
    """Move. A bot whose turn it is then is asked; its move is there a moment later."""
    games.move(playing, wish.move, wish.ply)
    return _told(playing)


@router.post("/play/games/{address}/undo", responses=documented(404, 409, 429), openapi_extra=PUBLIC)
def undo_in_play(playing: InPlaying) -> PlayOut:
    """Take the last move of a person back, and what a bot has answered."""
    games.undo(playing)
    return _told(playing)


@router.post(
    "/play/games/{address}/restart", responses=documented(400, 404, 409, 413, 429), openapi_extra=PUBLIC
)
def restart_play(playing: InPlaying, wish: PlayRestart) -> PlayOut:
    """Begin the game again, between others or with other parameters if they are named."""
    games.restart(playing, wish.seats, wish.params)
    return _told(playing)


@router.put(
    "/play/games/{address}/seats", responses=documented(400, 404, 409, 413, 429), openapi_extra=PUBLIC
)
def seat_play(playing: InPlaying, wish: PlaySeats) -> PlayOut:
    """Let others sit there from now on: another level, another opponent, or the sides exchanged."""
    games.change(playing, wish.seats)
    return _told(playing)


@router.post("/play/games/{address}/resign", responses=documented(404, 409), openapi_extra=PUBLIC)
def resign_play(playing: InPlaying) -> PlayOut:
    """Give up."""
    games.resign(playing)
    return _told(playing)


@router.post("/play/games/{address}/hint", responses=documented(404, 409, 429), openapi_extra=PUBLIC)
def ask_hint(playing: InPlaying) -> PlayOut:
    """Have found out what is best in this position; it is in the game a moment later."""
    games.ask_hint(playing)
    return _told(playing)


@router.get("/play/games/{address}/next", responses=documented(404, 409), openapi_extra=PUBLIC)
def list_next_positions(session: InSession, address: Address) -> PlayNextOut:
    """Every position that the side to move can choose, with exact values once a hint was asked for."""
    return next_of(session, games.find(session, address))


@router.get("/play/games/{address}/record", responses=documented(404, 409), openapi_extra=PUBLIC)
def get_play_record(session: InSession, viewer: InViewer, address: Address) -> Response:
    """The game as a line of a record file, for `arena match show` and `arena match replay`."""
    return record_response(games.find(session, address), viewer)


@router.get(
    "/play/games/{address}/file",
    response_class=HTMLResponse,
    responses=documented(404, 409),
    openapi_extra=PUBLIC,
)
def get_play_file(session: InSession, viewer: InViewer, address: Address, lang: Lang = "en") -> Response:
    """The game as a page in one file that opens without any server; it has nothing that bots wrote."""
    del viewer  # whose token is looked at, as it is for the record
    return page_response(games.find(session, address), LANGUAGES[lang])


@router.get("/play/games/{address}/analysis", responses=documented(202, 404, 409), openapi_extra=PUBLIC)
def get_play_analysis(session: InSession, address: Address) -> AnalysisOut:
    """What each position of a game that is over was worth with perfect play; 404 if nobody asked."""
    return done_analysis(session, analysing.played_of(games.find(session, address)))


@router.post("/play/games/{address}/analysis", status_code=202, responses=documented(404, 409, 429))
def ask_play_analysis(
    response: Response, session: InSession, services: InServices, actor: Actor, address: Address
) -> AnalysisAsked:
    """Have a game that is over analysed on the workers, when no match or move waits."""
    row = games.find(session, address, lock=True)
    asked = analysing.ask(session, actor, row, services.settings.analyses)
    return asked_analysis(response, asked)


def _told(playing: Playing) -> PlayOut:
    playing.session.flush()
    return play_of(playing.session, playing.user, playing.row)
