"""Bots: teams submit files, everybody sees which versions there are."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Form, Path, Query, Request, Response, UploadFile

from arena.access import permissions
from arena.coordinator import progress
from arena.core.errors import ForbiddenError, NotFoundError
from arena.core.names import FORM, MAX_CHARS
from arena.people import users
from arena.schemas.bots import BotOut, CheckAgain, CheckOut, LanguageOut, NewReference, Submitted, VersionOut
from arena.schemas.paging import Page
from arena.store import summaries
from arena.store.paging import page
from arena.submissions import checks, hosts, reference, versions
from arena.submissions.quotas import Quota
from arena.web.answers.bots import bot_of, check_of, version_of
from arena.web.http.dependencies import PUBLIC, Actor, InServices, InSession, InViewer, Staff
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, archive_of, conditional, page_of, part_of
from workers.programs.runtimes.languages import LANGUAGES

router = APIRouter(tags=["bots"], responses=documented(422))

ARCHIVE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The zip.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
KNOWN_VERSION: dict[int | str, dict[str, Any]] = {
    200: {"model": Submitted, "description": "The bot had a version with just this content already."}
}


@router.get("/bots", response_model=Page[BotOut], responses=NOT_MODIFIED)
def list_bots(
    *,
    request: Request,
    session: InSession,
    part: Part,
    text: Annotated[
        str, Query(max_length=MAX_CHARS, description="Only those with it in their name or their team's.")
    ] = "",
    game: Annotated[str, Query(max_length=MAX_CHARS, description="Only those handed in for this game.")] = "",
) -> Response:
    """All bots, in the order of their names."""
    rows, total = versions.list_bots(session, part.offset, part.limit, text=text, game=game)
    newest = summaries.newest_versions(session, rows)
    return conditional(request, page_of([bot_of(bot, newest.get(bot.id)) for bot in rows], total, part))


@router.get("/bots/{name}", response_model=BotOut, responses={**NOT_MODIFIED, **documented(404)})
def get_bot(request: Request, session: InSession, name: str) -> Response:
    """One bot."""
    bot = versions.get(session, name)
    return conditional(request, bot_of(bot, summaries.newest_versions(session, [bot]).get(bot.id)))


@router.get(
    "/bots/{name}/versions",
    response_model=Page[VersionOut],
    responses={**NOT_MODIFIED, **documented(404)},
)
def list_versions(request: Request, session: InSession, name: str, part: Part) -> Response:
    """A bot's versions, newest first."""
    query = summaries.versions(versions.get(session, name))
    rows, total = page(session, query, part.offset, part.limit)
    return conditional(request, page_of([version_of(version) for version in rows], total, part))


@router.post(
    "/bots/{name}/versions",
    status_code=201,
    responses={**KNOWN_VERSION, **documented(400, 401, 403, 404, 409, 413, 429)},
)
def submit_version(
    *,
    services: InServices,
    session: InSession,
    actor: Actor,
    response: Response,
    name: Annotated[str, Path(json_schema_extra={"pattern": FORM}, max_length=MAX_CHARS)],
    file: UploadFile,
    owner: Annotated[str | None, Form(description="Whose bot it is to be; for the staff only.")] = None,
    game: Annotated[list[str] | None, Form(description="A game it is checked in; may be repeated.")] = None,
) -> Submitted:
    """Submit a bot's files: one source file, or a `.zip` of them all.

    The first submission makes the bot, and the user its owner. The same content again gives the version
    that has it, with status 200; it is checked again if a game is named in which it was not. A new version
    is checked before it may play, in the games that its `bot.toml` names, else in those of the form, else in
    the usual one.
    """
    permissions.require_player(actor)
    for_user = users.find(session, owner) if owner else None
    if owner and (for_user is None or not permissions.may_submit_for(actor, for_user)):
        if permissions.is_staff(actor) and for_user is None:
            raise NotFoundError(f"there is no user {owner!r}")
        raise ForbiddenError("only the staff may submit for somebody else; leave out 'owner'")
    version, created = versions.submit(
        session,
        services.archives,
        actor,
        bot_name=name,
        filename=file.filename or "",
        data=file.file.read(),
        owner=for_user,
        games=game or (),
        quota=Quota.of(services.settings),
    )
    response.status_code = 201 if created else 200
    return Submitted(**dict(version_of(version)), created=created)


@router.post(
    "/bots/{name}/reference",
    status_code=201,
    responses={**KNOWN_VERSION, **documented(400, 401, 403, 404, 409, 413)},
)
def submit_reference(
    *,
    services: InServices,
    session: InSession,
    staff: Staff,
    response: Response,
    name: Annotated[str, Path(json_schema_extra={"pattern": FORM}, max_length=MAX_CHARS)],
    wish: NewReference,
) -> Submitted:
    """Submit a reference bot under some name; it is checked as any other, and may then be entered."""
    version, created = reference.submit(
        session, services.archives, staff, text=wish.reference, bot_name=name, games=wish.games
    )
    response.status_code = 201 if created else 200
    return Submitted(**dict(version_of(version)), created=created)


@router.get(
    "/bots/{name}/versions/{number}/check",
    response_model=CheckOut,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def get_check(
    *, request: Request, services: InServices, session: InSession, viewer: InViewer, name: str, number: int
) -> Response:
    """The submission check of a version; its evidence is for the bot's owner and the staff."""
    version = versions.get_version(session, versions.get(session, name), number)
    check = checks.get(version)
    waiting = checks.waiting_for(session, services.settings, check)
    done = progress.so_far(services.broker, check)
    return conditional(request, check_of(check, viewer.user, waiting, done))


@router.post(
    "/bots/{name}/versions/{number}/check",
    status_code=202,
    responses=documented(400, 401, 403, 404, 409, 429),
)
def check_again(
    *,
    services: InServices,
    session: InSession,
    actor: Actor,
    name: str,
    number: int,
    wanted: Annotated[CheckAgain, Body(default_factory=CheckAgain)],
) -> CheckOut:
    """Have a version checked once more; its last verdict stands until there is another."""
    version = versions.get_version(session, versions.get(session, name), number)
    quota = Quota.of(services.settings)
    check = checks.again(session, actor, version, wanted.games, quota)
    return check_of(check, actor, checks.waiting_for(session, services.settings, check))


@router.post(
    "/bots/{name}/versions/{number}/check/cancel",
    responses=documented(401, 403, 404, 409),
)
def cancel_check(session: InSession, actor: Actor, name: str, number: int) -> CheckOut:
    """Call off a version's check that is not over; it is unchecked until it is checked again."""
    version = versions.get_version(session, versions.get(session, name), number)
    return check_of(checks.cancel(session, actor, version), actor, None)


@router.get("/languages", response_model=Page[LanguageOut], responses=NOT_MODIFIED)
def list_languages(request: Request, services: InServices, session: InSession, part: Part) -> Response:
    """The languages that bots can be written in, and what of them can be run now."""
    running = hosts.versions(session, services.settings)
    languages = [
        LanguageOut(name=each.name, title=each.title, entries=list(each.entries), versions=running[each.name])
        for each in LANGUAGES.values()
    ]
    return conditional(request, part_of(languages, part))


@router.get(
    "/bots/{name}/versions/{number}/archive",
    responses={**ARCHIVE, **documented(401, 403, 404)},
    response_class=Response,
)
def get_archive(services: InServices, session: InSession, actor: Actor, name: str, number: int) -> Response:
    """The files of a version as a zip, for the bot's owner and the staff."""
    bot = versions.get(session, name)
    if not permissions.opens(actor, bot):
        raise ForbiddenError("only the bot's owner and the staff may have its files")
    return archive_of(services.archives, versions.get_version(session, bot, number))
