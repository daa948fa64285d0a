"""The pages of games: what there is to play, and of each its rules, protocol, players and tournaments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from arena.core.errors import NotFoundError
from arena.play import seats
from arena.store import stamps
from arena.store import tournaments as store
from arena.web.answers.specimens import TranscriptLine, specimen_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import InSession
from arena.web.http.visibility import Viewer
from arena.web.pages.own_words import game_names
from arena.web.pages.rendering import render
from arena.web.pages.wording import N_, PLAYERS
from bots.reference import known_bots
from bots.sdk.libraries import LANGUAGES, library
from bots.starters import STARTERS
from bots.starters.writing import zipped
from engines.game import Game
from engines.games import all_games, find_game, find_presentation
from engines.strategies import players_of
from workers.core.contract import Policy
from workers.play.policy import policy_of

PUBLIC = Viewer(None)
LISTED = 8
LEGAL = 12
"""So many of the legal moves of an opening position are written out."""
FIRST, LAST = 4, 3
"""So many lines of a conversation are shown from its beginning and its end."""
PICTURES = (N_("Where it begins"), N_("In the midst"), N_("How it ended"))

STARTER = '''"""A first bot for {title}: it plays the first legal move. Save arena_bot.py beside it.

What it is asked where the game begins:

    request.state  {state}
    request.legal  {legal}
"""

from arena_bot import run


class MyBot:
    def choose(self, request):
        return request.legal[0]


run(MyBot())
'''

MEDIA = {"python": "text/x-python", "cpp": "text/x-c++", "javascript": "text/javascript"}

router = APIRouter(default_response_class=HTMLResponse)


class Named(NamedTuple):
    """A player as it is written with its parameters, and what it does."""

    form: str
    description: str


@router.get("/games")
def game_list(request: Request) -> HTMLResponse:
    """Every game that is installed, with its board."""
    games = {name: (title, specimen_of(name)) for name, title in game_names().items()}
    return render(request, "games.html", games=games)


@router.get("/games/{name}")
def game_page(request: Request, session: InSession, name: str) -> HTMLResponse:
    """All that one needs to know of a game to play it, and to write a bot for it."""
    _require(name)
    cacheable(request, stamps.of_all(session, game=name))
    game, presentation, specimen = find_game(name), find_presentation(name), specimen_of(name)
    rows = store.of_game(session, name, LISTED)
    return render(
        request,
        "game.html",
        game=game,
        title=game_names()[name],
        rules=presentation.rules(game),
        notation=presentation.notation(game),
        aim=presentation.aim(game.params),
        params={each: (presentation.parameter(each), value) for each, value in game.parameters.items()},
        policy=policy_of(game, Policy()),
        specimen=specimen,
        pictures=list(zip(PICTURES, (specimen.opening, specimen.midst, specimen.end), strict=True)),
        legal=[each.move for each in islice(specimen.opening.legal or (), LEGAL)],
        starter=_starter(name),
        starters=STARTERS,
        libraries=[
            (language, written, file)
            for language, written in LANGUAGES.items()
            for file in library(name, language)
        ],
        said=_parts(specimen.said),
        levels=seats.levels(game),
        players=_players(game),
        known=PLAYERS,
        tournaments=shown(session, PUBLIC, rows),
    )


@router.get("/games/{name}/main.py")
def starter(name: str) -> Response:
    """A first bot for the game, to be saved beside the kit."""
    _require(name)
    headers = {"Content-Disposition": 'attachment; filename="main.py"'}
    return Response(_starter(name), media_type="text/x-python", headers=headers)


@router.get("/games/{name}/starters/{language}.zip")
def whole_starter(name: str, language: str) -> Response:
    """A whole bot for the game in a language, with a test and a file for its build, to begin with.

    Raises:
        NotFoundError: there is no such game, or no starter for that language.
    """
    _require(name)
    if language not in STARTERS:
        raise NotFoundError(
            "there is no starter for %(language)r; there are %(languages)s",
            language=language,
            languages=", ".join(STARTERS),
        )
    headers = {"Content-Disposition": f'attachment; filename="{name}-{language}.zip"'}
    return Response(zipped(language, name), media_type="application/zip", headers=headers)


@router.get("/games/{name}/rules/{language}/{file}")
def rules(name: str, language: str, file: str) -> Response:
    """A file of the game's rules as a library, to be saved beside a bot in that language.

    Raises:
        NotFoundError: there is no such game, or the game has no such file for the language.
    """
    _require(name)
    found = library(name, language)
    if file not in found:
        raise NotFoundError("the rules of %(name)s have no file of that name for that language", name=name)
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(found[file], media_type=MEDIA[language], headers=headers)


def _require(name: str) -> None:
    if name not in all_games():
        raise NotFoundError(f"there is no game {name!r}; there are {', '.join(sorted(all_games()))}")


@cache
def _starter(name: str) -> str:
    opening = specimen_of(name).opening
    legal = [each.move for each in opening.legal or ()]
    shown = f"{legal[:LEGAL]}" + f" and {len(legal) - LEGAL} more" * (len(legal) > LEGAL)
    return STARTER.format(title=game_names()[name].english, state=json.dumps(opening.state), legal=shown)


def _parts(said: Sequence[TranscriptLine]) -> tuple[Sequence[TranscriptLine], int, Sequence[TranscriptLine]]:
    """The beginning of a conversation, how many lines are left out, and its end."""
    if len(said) <= FIRST + LAST:
        return said, 0, ()
    return said[:FIRST], len(said) - FIRST - LAST, said[-LAST:]


def _players(game: Game[Any]) -> Sequence[Named]:
    """The reference bots that people may play against."""
    players, bots = players_of(game.name), known_bots("")
    return [
        Named(players[each].form, players[each].description)
        if each in players
        else Named(bots[each].form, bots[each].description)
        for each in seats.offered(game)
    ]
