"""Handing in on the web: a bot's files, the check of them as it goes on, and the versions that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Path, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.coordinator import progress
from arena.core.errors import (
    ArenaError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    TooManyError,
    UnavailableError,
)
from arena.schemas.team import OfferOut, OpeningOut
from arena.store import bots as bot_store
from arena.store import pending as pending_store
from arena.store import teams as store
from arena.store.models import Bot, BotVersion, Tournament, User
from arena.submissions import checks, reference, uploads, versions
from arena.submissions.quotas import Quota
from arena.tournaments import lifecycle, openings, pending
from arena.tournaments.openings import Opening
from arena.web.answers.bots import check_of, version_of
from arena.web.answers.team import opening_of
from arena.web.http.dependencies import InServices, InSession, Services
from arena.web.http.responses import archive_of
from arena.web.http.web_sessions import PlayerVisitor, StaffVisitor, VisitedBot
from arena.web.pages import illegal
from arena.web.pages.forms import Field, see
from arena.web.pages.own_words import game_names, upload_fault
from arena.web.pages.rendering import render
from engines import USUAL_GAME
from engines.games import find_game
from workers.programs.archives import SKIPPED
from workers.programs.runtimes.languages import LANGUAGES

REFUSED = (InvalidError, ConflictError, ForbiddenError, NotFoundError, TooManyError, UnavailableError)
SOURCES = [each for each in LANGUAGES.values() if each.suffixes]
ENDINGS = ", ".join(ending for each in SOURCES for ending in each.suffixes)
MEGABYTE = 1024 * 1024
NEWEST = 50
"""So many versions a page shows, the newest; the others are in the API's list."""
Files = Annotated[list[UploadFile], File()]
Games = Annotated[list[str], Form(max_length=20)]
Number = Annotated[int, Path(ge=1, lt=2**31)]
router = APIRouter(default_response_class=HTMLResponse)


def _form(services: Services, games: list[str], error: ArenaError | None) -> dict[str, Any]:
    """What the form to hand in needs: what may be chosen, what was, and what was wrong with it."""
    most = services.settings.max_upload_bytes
    return {
        "games": game_names(),
        "chosen": games,
        "most_bytes": most,
        "skipped": sorted(SKIPPED),
        "languages": [each.title for each in SOURCES],
        "fault": upload_fault(error) if error else "",
        "values": {
            "most": f"{most / MEGABYTE:g}",
            "endings": ENDINGS,
        },
        "detail": error or "",
    }


def _submit(
    session: Session,
    services: Services,
    visitor: User,
    files: list[UploadFile],
    games: list[str],
    *,
    name: str,
    tournament: str = "",
) -> BotVersion:
    """Hand files in, and have the bot enter a tournament, if one is named, when it has passed in its game."""
    wanted = lifecycle.get(session, tournament) if tournament else None
    if wanted is not None:
        games = list(dict.fromkeys([*games, wanted.game]))
    file = uploads.bundled([uploads.File(each.filename or "", each.file.read()) for each in files])
    version, _ = versions.submit(
        session,
        services.archives,
        visitor,
        bot_name=name or uploads.suggested_name(file, (visitor.team or visitor).name),
        filename=file.name,
        data=file.data,
        games=games,
        quota=Quota.of(services.settings),
    )
    if wanted is not None:
        pending.enter(session, visitor, lifecycle.get(session, tournament), version.bot)
    return version


def _address(version: BotVersion) -> str:
    return f"/my/bots/{quote(version.bot.name)}/versions/{version.number}"


@router.get("/my/bots/new")
def new_bot(
    request: Request,
    session: InSession,
    services: InServices,
    visitor: PlayerVisitor,
    game: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006  (FastAPI copies it)
) -> HTMLResponse:
    """The form for a new bot; the staff may name a reference bot instead."""
    return _new_page(request, session, services, visitor, games=game)


def _new_page(
    request: Request,
    session: Session,
    services: Services,
    visitor: User,
    *,
    games: list[str],
    error: ArenaError | None = None,
    **typed: str,
) -> HTMLResponse:
    entrances = _entrances(session, visitor)
    usual = list(dict.fromkeys(each.game for each in entrances)) or [USUAL_GAME]
    return render(
        request,
        "my_new_bot.html",
        error.status if error else 200,
        **{"name": "", "reference": "", "other": "", "reference_name": "", **_entering(entrances), **typed},
        references=_references() if permissions.is_staff(visitor) else [],
        **_form(services, games or usual, error),
    )


def _entrances(session: Session, visitor: User) -> Sequence[Tournament]:
    """The tournaments that a bot can enter by itself when it has passed its check."""
    return [
        each for each in store.open_tournaments(session, visitor.class_id) if each.state in lifecycle.ENTERING
    ]


def _entering(entrances: Sequence[Tournament]) -> dict[str, Any]:
    """What the form says of them; the only one is chosen at first."""
    only = entrances[0].name if len(entrances) == 1 else ""
    return {"entrances": [(each.name, each.heading) for each in entrances], "tournament": only}


def _references() -> list[str]:
    """The reference bots of all games and their levels, those of a game together."""
    return list(dict.fromkeys(name for game in game_names() for name in reference.listed(find_game(game))))


@router.post("/my/bots/new/reference")
def hand_in_reference(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: StaffVisitor,
    name: Field = "",
    reference_bot: Annotated[str, Form(alias="reference", max_length=60)] = "",
    other: Field = "",
    game: Games = [],  # noqa: B006  (FastAPI copies it)
) -> Response:
    """Hand in a reference bot by its name: the one that is typed, else the one that is chosen."""
    text = other.strip() or reference_bot
    try:
        version, _ = reference.submit(
            session, services.archives, visitor, text=text, bot_name=name.strip(), games=game
        )
        return see(_address(version))
    except REFUSED as error:
        session.rollback()
        typed = {"reference": reference_bot, "other": other, "reference_name": name}
        return _new_page(request, session, services, visitor, games=game, error=error, **typed)


@router.post("/my/bots/new")
def hand_in_new(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: PlayerVisitor,
    name: Field = "",
    tournament: Field = "",
    file: Files = [],  # noqa: B006  (FastAPI copies it)
    game: Games = [],  # noqa: B006  (likewise)
) -> Response:
    """Hand in a new bot, or a new version of one's own of that name."""
    try:
        version = _submit(session, services, visitor, file, game, name=name.strip(), tournament=tournament)
    except REFUSED as error:
        session.rollback()
        typed = {"name": name, "tournament": tournament}
        return _new_page(request, session, services, visitor, games=game, error=error, **typed)
    return see(_address(version))


def _bot_page(
    request: Request,
    session: Session,
    services: Services,
    visitor: User,
    *,
    bot: Bot,
    error: ArenaError | None = None,
) -> HTMLResponse:
    found = store.versions(session, [bot.id])[bot.id]
    standing = openings.of_team(session, visitor, bot.owner)
    plays: dict[int, list[str]] = {}
    for entry in standing.entries:
        if entry.bot_id == bot.id:
            plays.setdefault(entry.version.number, []).append(entry.tournament.name)
    return render(
        request,
        "my_bot.html",
        error.status if error else 200,
        bot=bot.name,
        owner=bot.owner.name,
        own_bot=visitor.account_id == bot.owner_id,
        takes_scrimmages=bot.takes_scrimmages,
        versions=[version_of(each) for each in found[:NEWEST]],
        total=len(found),
        code=checks.code_of(found[0]) if found else None,
        plays=plays,
        choices=[_choice(bot, found, each) for each in standing.openings],
        **_entering(
            [each.tournament for each in standing.openings if each.tournament.state in lifecycle.ENTERING]
        ),
        **_form(services, list(found[0].games) if found else [USUAL_GAME], error),
    )


def _choice(
    bot: Bot, found: Sequence[BotVersion], opening: Opening
) -> tuple[OpeningOut, OfferOut, list[int]]:
    """A tournament, what the bot could do there, and the versions of it that may play there."""
    told = opening_of(opening)
    offer = next(each for each in told.bots if each.bot == bot.name)
    return told, offer, [each.number for each in openings.all_fit(found, opening.tournament.game)]


@router.get("/my/bots/{name}")
def show_bot(
    request: Request, session: InSession, services: InServices, visitor: PlayerVisitor, bot: VisitedBot
) -> HTMLResponse:
    """A bot: its versions with their verdicts, which one plays where, and the form for another one."""
    return _bot_page(request, session, services, visitor, bot=bot)


@router.post("/my/bots/{name}/versions")
def hand_in_version(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: PlayerVisitor,
    bot: VisitedBot,
    tournament: Field = "",
    file: Files = [],  # noqa: B006  (FastAPI copies it)
    game: Games = [],  # noqa: B006  (likewise)
) -> Response:
    """Hand in another version of a bot."""
    try:
        return see(
            _address(_submit(session, services, visitor, file, game, name=bot.name, tournament=tournament))
        )
    except REFUSED as error:
        session.rollback()
        return _bot_page(request, session, services, visitor, bot=bot, error=error)


@router.get("/my/bots/{name}/versions/{number}")
def show_version(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: PlayerVisitor,
    bot: VisitedBot,
    number: Number,
) -> HTMLResponse:
    """A version with its check: how far it is, or what came of it and all the evidence."""
    version = versions.get_version(session, bot, number)
    check, is_newest = version.check, bot_store.newest_version(session, bot) is version
    done = progress.so_far(services.broker, check) if check else []
    waiting = checks.waiting_for(session, services.settings, check) if check else None
    told = check_of(check, visitor, waiting, done) if check else None
    return render(
        request,
        "my_version.html",
        version=version_of(version),
        check=told,
        being_done=check.state if check else None,
        planned=progress.planned(check) if check else [],
        awaited=pending_store.of_bots(session, [bot.id]) if is_newest else [],
        entered=[
            each for each in openings.entries_of(session, visitor, [bot]) if each.version_id == version.id
        ],
        games=game_names(),
        against=illegal.why_in_check(told.report) if told and told.report else None,
    )


@router.post("/my/bots/{name}/versions/{number}/check")
def check_again(
    *,
    session: InSession,
    services: InServices,
    visitor: PlayerVisitor,
    bot: VisitedBot,
    number: Number,
    game: Games = [],  # noqa: B006  (FastAPI copies it)
) -> Response:
    """Have a version checked once more, in other games too if some are ticked."""
    version = versions.get_version(session, bot, number)
    checks.again(session, visitor, version, game, Quota.of(services.settings))
    return see(_address(version))


@router.post("/my/bots/{name}/versions/{number}/check/cancel")
def cancel_check(session: InSession, visitor: PlayerVisitor, bot: VisitedBot, number: Number) -> Response:
    """Call off a version's check."""
    version = versions.get_version(session, bot, number)
    checks.cancel(session, visitor, version)
    return see(_address(version))


@router.get("/my/bots/{name}/versions/{number}/files")
def download(session: InSession, services: InServices, bot: VisitedBot, number: Number) -> Response:
    """The files of a version, as a zip."""
    return archive_of(services.archives, versions.get_version(session, bot, number))
