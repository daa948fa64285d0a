"""The pages of scrimmages: asking for one, those that there are, their games, and who lets them be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.core.errors import (
    ArenaError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    TooManyError,
    UnavailableError,
)
from arena.core.terms import Side, VersionState
from arena.schemas.scrimmages import MAX_GAMES, NewScrimmage
from arena.scrimmages import analysing, asking, consent, opponents
from arena.store import scrimmages as store
from arena.store.models import ScrimmageGame, User
from arena.submissions import checks, reference
from arena.submissions.reference import PREFIX
from arena.tournaments import openings
from arena.tournaments.openings import Standing
from arena.web.answers.scrimmages import game_detail_of, opponents_of, page_response, record_of, scrimmage_of
from arena.web.answers.team import opening_of
from arena.web.http.dependencies import InServices, InSession, Services
from arena.web.http.responses import MAX_OFFSET, Part, Window, page_of
from arena.web.http.visibility import Viewer
from arena.web.http.web_sessions import PlayerVisitor, StaffVisitor, VisitedBot, VisitedClass
from arena.web.pages import analyses, own_game
from arena.web.pages.forms import Field, refused, see
from arena.web.pages.i18n import wanted
from arena.web.pages.own_words import game_names
from arena.web.pages.rendering import render
from engines.games import find_game

HOME = "/my/scrimmages"
REFUSED = (ConflictError, ForbiddenError, InvalidError, NotFoundError, TooManyError, UnavailableError)
AS_IN, GAME = "as:", "game:"
"""What the form says of what is played: as in a tournament, or a game as it is usually."""
Number = Annotated[int, Path(ge=1, lt=2**31)]
Allowed = Annotated[bool, Form()]
router = APIRouter(default_response_class=HTMLResponse)


@dataclass(frozen=True)
class Typed:
    """The form as it was filled in: a bot is its name, or its name and a version after a slash."""

    bot: str = ""
    opponent: str = ""
    rules: str = ""
    games: int = 2
    other: str = ""
    """A reference bot that is typed, which goes before the opponent that is chosen."""

    def wish(self) -> NewScrimmage:
        """What is asked for.

        Raises:
            InvalidError: something is missing, or cannot be.
        """
        bot, version = _parted(self.bot)
        other = self.other.strip().removeprefix(PREFIX)
        opponent, opponent_version = (PREFIX + other, "") if other else _parted(self.opponent)
        told: dict[str, Any] = {"bot": bot, "opponent": opponent, "games": self.games}
        told |= {"version": version} if version else {}
        told |= {"opponent_version": opponent_version} if opponent_version else {}
        for mark, field in ((AS_IN, "tournament"), (GAME, "game")):
            if self.rules.startswith(mark):
                told[field] = self.rules.removeprefix(mark)
        try:
            return NewScrimmage.model_validate(told)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise InvalidError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


@dataclass(frozen=True)
class _Choices:
    """What the form offers: for each of the team's bots its playable versions, and what they could play."""

    versions: Mapping[str, Sequence[int]]
    games: Sequence[str]
    tournaments: Mapping[str, str]
    reference: Sequence[str]


def _parted(bot: str) -> tuple[str, str]:
    name, _, version = bot.partition("/")
    return name, version


def _choices(standing: Standing) -> _Choices:
    versions, games = {}, dict[str, None]()
    for bot in standing.bots:
        found = standing.versions[bot.id]
        playable = [each for each in found if each is found[0] or each.state == VersionState.PASSED]
        fit = {each.number: checks.passed_in(each) for each in playable}
        versions[bot.name] = [number for number, passed in fit.items() if passed]
        games |= dict.fromkeys(name for passed in fit.values() for name in passed)
    known = [opening_of(each) for each in standing.openings]
    tournaments = {each.tournament: each.title or each.tournament for each in known}
    for entry in standing.entries:
        tournaments.setdefault(entry.tournament.name, entry.tournament.heading)
    there = [name for name in games if name in game_names()]
    named = dict.fromkeys(name for game in there for name in reference.listed(find_game(game)))
    return _Choices(
        {name: numbers for name, numbers in versions.items() if numbers},
        there,
        tournaments,
        [PREFIX + name for name in named],
    )


def _page(
    request: Request,
    session: Session,
    services: Services,
    visitor: User,
    *,
    side: Side,
    part: Window,
    typed: Typed,
    error: ArenaError | None = None,
) -> HTMLResponse:
    team = visitor.team or visitor
    rows, total = opponents.listed(session, visitor, side, part.offset, part.limit)
    told = opponents_of(
        (), opponents.others(session, team), opponents.allowance(session, team, services.settings)
    )
    viewer = Viewer(visitor)
    page = page_of([scrimmage_of(viewer, each) for each in rows], total, part)
    return render(
        request,
        "my_scrimmages.html",
        error.status if error else 200,
        page=page,
        side=side.value,
        typed=typed,
        choices=_choices(openings.of_team(session, visitor, team)),
        told=told,
        has_scrimmages=team.school_class is None or team.school_class.has_scrimmages,
        most=MAX_GAMES,
        games=game_names(),
        going=any(not each.over for each in page.items),
        refused=error,
    )


@router.get("/my/scrimmages")
def scrimmages(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: PlayerVisitor,
    part: Part,
    side: Annotated[Side, Query()] = Side.ASKED,
    bot: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """The team's scrimmages, or those of others against it, and the form for another one."""
    return _page(request, session, services, visitor, side=side, part=part, typed=Typed(bot=bot))


@router.post("/my/scrimmages")
def ask(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: PlayerVisitor,
    part: Part,
    bot: Field = "",
    opponent: Field = "",
    rules: Field = "",
    games: Annotated[int, Form(ge=1, le=MAX_GAMES)] = 2,
    other: Field = "",
) -> Response:
    """Have some games played."""
    typed = Typed(bot, opponent, rules, games, other)
    try:
        most = services.settings.team_scrimmages
        made = asking.ask(session, services.archives, visitor, typed.wish(), most)
        return see(f"{HOME}/{made.id}")
    except REFUSED as error:
        session.rollback()
        page = _page(
            request, session, services, visitor, side=Side.ASKED, part=part, typed=typed, error=error
        )
        return refused(page, error)


@router.get("/my/scrimmages/{number}")
def scrimmage(request: Request, session: InSession, visitor: PlayerVisitor, number: Number) -> HTMLResponse:
    """A scrimmage: how far it is, and how its games ended."""
    found = asking.get(session, visitor, number)
    return render(request, "my_scrimmage.html", scrimmage=scrimmage_of(Viewer(visitor), found))


@router.post("/my/scrimmages/{number}/cancel")
def cancel(session: InSession, visitor: PlayerVisitor, number: Number) -> Response:
    """Call off what is not over of a scrimmage."""
    asking.cancel(session, visitor, asking.get(session, visitor, number))
    return see(f"{HOME}/{number}")


@router.get("/my/scrimmages/{number}/games/{game}")
def game(
    *,
    request: Request,
    session: InSession,
    visitor: PlayerVisitor,
    number: Number,
    game: Number,
    ply: Annotated[int | None, Query(ge=0, le=MAX_OFFSET)] = None,
    better: Annotated[str | None, Query(max_length=64)] = None,
) -> HTMLResponse:
    """One game: why it ended so for one's own bot, the board after `ply` plies, and all moves."""
    viewer, found = Viewer(visitor), asking.get_game(asking.get(session, visitor, number), game)
    moves = store.moves(session, found)
    values = analyses.shown_played(session, analysing.played_of(session, found)) if found.result else None
    told = game_detail_of(viewer, found, moves)
    return own_game.show(
        request,
        "my_scrimmage_game.html",
        own_game.OwnGame(
            told=told,
            record=record_of(viewer, found, moves) if found.result else None,
            spec=told.game,
            time=told.time,
            seats=told.logs,
            files=_files(found),
            here=f"{HOME}/{number}/games/{game}",
            filename=_record_name(found),
        ),
        ply,
        values=values,
        better=better,
    )


@router.get("/my/scrimmages/{number}/games/{game}/record")
def record(session: InSession, visitor: PlayerVisitor, number: Number, game: Number) -> Response:
    """One game as a line of a record file, with what one's own bot wrote, to be asked again at home."""
    found = asking.get_game(asking.get(session, visitor, number), game)
    told = record_of(Viewer(visitor), found, store.moves(session, found))
    return own_game.download(told, _record_name(found))


@router.get("/my/scrimmages/{number}/games/{game}/game.html")
def game_page(
    request: Request, session: InSession, visitor: PlayerVisitor, number: Number, game: Number
) -> Response:
    """One game as one file that opens without any server, in the reader's language."""
    found = asking.get_game(asking.get(session, visitor, number), game)
    return page_response(found, store.moves(session, found), wanted(request))


@router.post("/my/scrimmages/{number}/games/{game}/analysis")
def analyse(
    session: InSession, services: InServices, visitor: PlayerVisitor, number: Number, game: Number
) -> Response:
    """Have a game analysed, and go back to it."""
    found = asking.get_game(asking.get(session, visitor, number), game)
    analysing.ask(session, visitor, found, services.settings.analyses)
    return see(f"{HOME}/{number}/games/{game}#values")


def _record_name(game: ScrimmageGame) -> str:
    return f"scrimmage-{game.scrimmage_id}-{game.number}.jsonl"


def _files(game: ScrimmageGame) -> list[str]:
    """What the bots of the two seats are called at home; a reference bot by its name."""
    scrimmage = game.scrimmage
    other = scrimmage.opponent
    files = [
        own_game.at_home(scrimmage.version),
        own_game.at_home(other) if other else f"{PREFIX}{scrimmage.reference}",
    ]
    return files if game.seat == 0 else files[::-1]


@router.post("/my/bots/{name}/scrimmages")
def set_bot(
    session: InSession, visitor: PlayerVisitor, bot: VisitedBot, allowed: Allowed = False
) -> Response:
    """Let others of the class play scrimmages against a bot, or no more."""
    consent.set_bot(session, visitor, bot, takes=allowed)
    return see(f"/my/bots/{bot.name}#scrimmages")


@router.post("/classes/{name}/scrimmages")
def set_class(
    session: InSession, visitor: StaffVisitor, school_class: VisitedClass, allowed: Allowed = False
) -> Response:
    """Let a class have scrimmages, or none."""
    consent.set_class(session, visitor, school_class, has=allowed)
    return see(f"/classes/{school_class.name}#scrimmages")
