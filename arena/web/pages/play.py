"""The pages on which people play: choosing a game, and playing it; every act is one of the API's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, InvalidError, NotFoundError
from arena.play import analysing, games, quotas, turns
from arena.play.games import Playing
from arena.schemas.play import ADDRESS, NewPlay
from arena.store import play as store
from arena.store.models import User
from arena.store.play import UNFINISHED
from arena.web.answers.play import drawn_of, listed_of, next_of, page_response, play_of, record_response
from arena.web.answers.positions import scene_of
from arena.web.answers.steps import steps
from arena.web.http.dependencies import InServices, InSession, address_of
from arena.web.http.responses import MAX_OFFSET
from arena.web.http.visibility import Viewer
from arena.web.http.web_sessions import MaybeVisitor, Visitor
from arena.web.pages import analyses, play_forms
from arena.web.pages.forms import Field, refused, see
from arena.web.pages.i18n import wanted
from arena.web.pages.own_words import game_names
from arena.web.pages.play_forms import CLOCKS, MOVE_CLOCKS, OTHER, YOU, Asked, Draft, Sent
from arena.web.pages.rendering import render
from arena.web.pages.replay import drawn, positions_address
from arena.web.pages.wording import PLAYERS
from engines.game import GameError
from engines.games import find_presentation

HOME = "/play"
LISTED = 20
BUTTONS = 60
"""So many legal moves have a button each; more are typed or chosen from a list."""
WAIT_SECONDS = 1
"""After so long a page that waits for a worker is asked for again."""
Address = Annotated[str, Path(pattern=ADDRESS)]
Ply = Annotated[int | None, Query(ge=0, le=MAX_OFFSET)]
router = APIRouter(default_response_class=HTMLResponse)


@router.get("/play")
def choose(request: Request, session: InSession, visitor: MaybeVisitor) -> HTMLResponse:
    """Which games can be played, and those that one's account has begun."""
    rows = []
    if visitor is not None:
        query = store.of_player(quotas.player_of(visitor, "")).limit(LISTED)
        rows = [listed_of(row) for row in session.scalars(query)]
    return render(request, "play.html", games=game_names(), rows=rows, visitor=visitor)


@router.get("/play/{game}")
def prepare(
    request: Request, session: InSession, visitor: MaybeVisitor, game: str, asked: Asked
) -> HTMLResponse:
    """The form by which a game is begun, with what the address says of it."""
    draft = _draft(game, asked)
    faults = play_forms.faults_of(draft, session, visitor)
    return _form(request, session, visitor, draft, faults=faults)


@router.post("/play/{game}")
def begin(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: MaybeVisitor,
    game: str,
    sent: Sent,
) -> Response:
    """Begin a game."""
    draft = _draft(game, sent)
    try:
        wish = {
            "game": game,
            "params": draft.params,
            "seats": play_forms.seats_of(draft["opponent"], draft["level"], draft["side"]),
            "clock": play_forms.clock_of(draft["clock"]),
        }
        player = quotas.player_of(visitor, address_of(request))
        row = games.begin(session, visitor, player, NewPlay.model_validate(wish), services.settings)
        return see(f"{HOME}/games/{row.address}")
    except ValidationError as error:
        session.rollback()
        first = error.errors(include_url=False, include_input=False)[0]
        fault = InvalidError(
            "this cannot be accepted: %(field)s: %(fault)s",
            field=".".join(map(str, first["loc"])),
            fault=first["msg"],
        )
        return refused(_form(request, session, visitor, draft, error=fault), fault)
    except ArenaError as error:
        session.rollback()
        return refused(_form(request, session, visitor, draft, error=error), error)


@router.get("/play/games/{address}")
def show(request: Request, session: InSession, visitor: MaybeVisitor, address: Address) -> HTMLResponse:
    """A game: its board, whose turn it is, what can be done, and the moves so far."""
    return _page(request, session, visitor, address)


@router.get("/play/games/{address}/record")
def record(session: InSession, visitor: MaybeVisitor, address: Address) -> Response:
    """The game as a line of a record file, to be kept."""
    return record_response(games.find(session, address), Viewer(visitor))


@router.get("/play/games/{address}/game.html")
def game_page(request: Request, session: InSession, address: Address) -> Response:
    """The game as one file that opens without any server, in the reader's language."""
    return page_response(games.find(session, address), wanted(request))


@router.get("/play/games/{address}/next")
def show_next(request: Request, session: InSession, visitor: MaybeVisitor, address: Address) -> HTMLResponse:
    """Every position that can come next, to look through, to choose from, and to know the exact value of."""
    row = games.find(session, address)
    play, following = play_of(session, visitor, row), next_of(session, row)
    waits = following.asked in UNFINISHED
    return render(
        request,
        "play_next.html",
        play=play,
        following=following,
        scene=following.scene,
        drawn=drawn_of(row),
        playable=play.mine and not play.seats[play.position.to_move].bot,
        waits=waits,
        refresh=WAIT_SECONDS if waits else None,
    )


@router.get("/play/games/{address}/replay")
def replay(
    *,
    request: Request,
    session: InSession,
    visitor: MaybeVisitor,
    address: Address,
    ply: Ply = None,
    better: Annotated[str | None, Query(max_length=64)] = None,
) -> HTMLResponse:
    """The game from its beginning on, ply by ply; when it is over with exact values, where there are any."""
    row = games.find(session, address)
    play = play_of(session, visitor, row)
    played = [move.move for move in play.moves]
    scene, at = drawn(play.game, played, ply)
    values = analyses.shown_played(session, analysing.played_of(row)) if play.result else None
    return render(
        request,
        "play_replay.html",
        play=play,
        values=values,
        better=better,
        places=values.better(at.ply, better) if values and at else [],
        scene=scene,
        position=at,
        positions=positions_address(play.game, played),
        last=len(played),
        steps=steps(games.moves_of(row), 0, 0),
    )


@router.post("/play/games/{address}/analysis")
def analyse(session: InSession, services: InServices, visitor: Visitor, address: Address) -> Response:
    """Have the game analysed, and go back to its replay."""
    row = games.find(session, address, lock=True)
    analysing.ask(session, visitor, row, services.settings.analyses)
    return see(f"{HOME}/games/{address}/replay#values")


class Acting:
    """Does something in the game that a path names, and shows it again: also what was refused, and why."""

    def __init__(
        self,
        request: Request,
        session: InSession,
        services: InServices,
        visitor: MaybeVisitor,
        address: Address,
    ) -> None:
        self._request, self._session, self._settings = request, session, services.settings
        self._visitor, self._address = visitor, address

    def do(self, act: Callable[..., None], *told: Any, then: str = "") -> Response:
        """Do it, and show the game, or what of it `then` says.

        Raises:
            NotFoundError: there is no such game.
        """
        try:
            row = games.find(self._session, self._address, lock=True)
            games.require_player(self._visitor, row)
            act(Playing(self._session, row, self._visitor, self._settings), *told)
        except NotFoundError:
            raise
        except ArenaError as error:
            self._session.rollback()
            page = _page(self._request, self._session, self._visitor, self._address, error)
            return refused(page, error)
        return see(f"{HOME}/games/{self._address}{then}")


Act = Annotated[Acting, Depends(Acting)]


@router.post("/play/games/{address}/moves")
def move(act: Act, move: Field = "", ply: Annotated[int, Form(ge=0, lt=2**31)] = 0) -> Response:
    """Move."""
    return act.do(games.move, move.strip(), ply)


@router.post("/play/games/{address}/undo")
def undo(act: Act) -> Response:
    """Take the last move back."""
    return act.do(games.undo)


@router.post("/play/games/{address}/restart")
def restart(act: Act, sent: Sent) -> Response:
    """Begin it again, on another board where one is sent."""

    def again(playing: Playing) -> None:
        board = play_forms.has_params(sent)
        games.restart(playing, None, _draft(playing.row.game, sent).params if board else None)

    return act.do(again)


@router.post("/play/games/{address}/seats")
def seat(act: Act, opponent: Field = "", level: Field = "", side: Field = YOU) -> Response:
    """Let another opponent, or another level of it, play from now on."""

    def change(playing: Playing) -> None:
        games.change(playing, play_forms.seats_of(opponent, level, side))

    return act.do(change)


@router.post("/play/games/{address}/resign")
def resign(act: Act) -> Response:
    """Give up."""
    return act.do(games.resign)


@router.post("/play/games/{address}/hint")
def hint(act: Act) -> Response:
    """Ask what is best."""
    return act.do(games.ask_hint)


@router.post("/play/games/{address}/next")
def value_next(act: Act) -> Response:
    """Ask what every next position is worth."""
    return act.do(games.ask_hint, then="/next")


def _form(
    request: Request,
    session: Session,
    visitor: User | None,
    draft: Draft,
    *,
    error: ArenaError | None = None,
    faults: Sequence[ArenaError] = (),
) -> HTMLResponse:
    name = draft.game.name
    choices = play_forms.choices_of(session, visitor, draft.game)
    return render(
        request,
        "play_new.html",
        error.status if error else 200,
        draft=draft,
        presentation=find_presentation(name),
        title=game_names()[name],
        opponent=play_forms.chosen(draft, choices),
        side=OTHER if draft["side"] == OTHER else YOU,
        choices=choices,
        clocks=CLOCKS,
        move_clocks=MOVE_CLOCKS,
        most_seconds=turns.MOVE_MS // 1000,
        known=PLAYERS,
        refused=error,
        faults=faults,
    )


def _page(
    request: Request,
    session: Session,
    visitor: User | None,
    address: str,
    error: ArenaError | None = None,
) -> HTMLResponse:
    row = games.find(session, address)
    play = play_of(session, visitor, row)
    bot = next((each.bot for each in play.seats if each.bot is not None), None)
    game = games.rules_of(row)
    return render(
        request,
        "play_game.html",
        error.status if error else 200,
        play=play,
        scene=scene_of(game),
        drawn=drawn_of(row),
        opponent=bot or "",
        side=OTHER if play.seats[0].bot is not None else YOU,
        choices=play_forms.choices_of(session, visitor, game) if play.mine else None,
        known=PLAYERS,
        board=Draft(row.game, play_forms.typed_of(game.params)),
        how=find_presentation(row.game).how_to_point,
        typed=len(play.position.legal) > BUTTONS,
        refused=error,
    )


def _draft(name: str, typed: Mapping[str, str]) -> Draft:
    try:
        return Draft(name, typed)
    except GameError as error:
        raise NotFoundError(error.message, **error.values) from None
