"""The staff's pages by which a class's bots are handed in at once, looked at before and seen checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, InvalidError
from arena.core.games import MAX_GAMES, UploadError
from arena.core.terms import Handed, VersionState
from arena.store.database import release
from arena.store.models import SchoolClass, User
from arena.submissions import batches, bulk, uploads
from arena.submissions.bulk import GOOD, HANDED_IN, Choice, PartOutcome
from arena.tournaments import entering
from arena.web.answers.batches import batch_of
from arena.web.answers.bots import bot_of
from arena.web.answers.people import class_of
from arena.web.http.dependencies import InServices, InSession
from arena.web.http.responses import MAX_OFFSET
from arena.web.http.web_sessions import StaffVisitor, VisitedClass
from arena.web.pages.forms import see
from arena.web.pages.hand_in import ENDINGS, MEGABYTE, Games
from arena.web.pages.own_words import BATCH_FLAWS, HANDED, game_names, part_fault
from arena.web.pages.rendering import render
from engines import USUAL_GAME
from workers.programs.archives import SKIPPED

Files = Annotated[list[UploadFile], File()]
Names = Annotated[list[str], Form(max_length=batches.MAX_PARTS)]
Asked = Annotated[list[str], Query(max_length=MAX_GAMES)]
Count = Annotated[int | None, Query(ge=0, le=MAX_OFFSET)]
router = APIRouter(default_response_class=HTMLResponse)


def _home(school_class: SchoolClass) -> str:
    return f"/classes/{quote(school_class.name)}"


def _form(
    request: Request,
    school_class: SchoolClass,
    games: Sequence[str],
    error: ArenaError | None = None,
) -> HTMLResponse:
    fault = ""
    if isinstance(error, UploadError):
        fault = BATCH_FLAWS.get(error.flaw, BATCH_FLAWS[None])
    return render(
        request,
        "class_hand_in.html",
        error.status if error else 200,
        school_class=class_of(school_class),
        games=game_names(),
        chosen=games,
        most_bytes=batches.MAX_BATCH_BYTES,
        most_parts=batches.MAX_PARTS,
        skipped=sorted(SKIPPED),
        fault=fault,
        values={"most": f"{batches.MAX_BATCH_BYTES / MEGABYTE:g}", "parts": batches.MAX_PARTS},
        detail=error or "",
    )


@router.get("/classes/{name}/hand-in")
def ask_for_bots(request: Request, school_class: VisitedClass, game: Asked = [USUAL_GAME]) -> HTMLResponse:  # noqa: B006
    """The form that takes the bots of a class, as a zip or as a folder."""
    return _form(request, school_class, game)


@router.post("/classes/{name}/hand-in")
def take_bots(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    file: Files = [],  # noqa: B006  (FastAPI copies it)
    game: Games = [],  # noqa: B006  (likewise)
) -> Response:
    """Have an upload wait, so that what would become of it can be looked at."""
    release(session)
    try:
        upload = batches.pack([uploads.File(each.filename or "", each.file.read()) for each in file])
        batches.take_apart(upload, lambda _: False)  # what is no upload at all is said at once
    except UploadError as error:
        return _form(request, school_class, game, error)
    token = services.waiting.keep(school_class.id, visitor.id, upload)
    return see(f"{_home(school_class)}/hand-in/{token}?{urlencode({'game': game}, doseq=True)}")


def _preview(
    request: Request,
    school_class: SchoolClass,
    lines: Sequence[PartOutcome],
    teams: Sequence[User],
    games: Sequence[str],
    *,
    error: ArenaError | None = None,
    done: tuple[int, int] | None = None,
) -> HTMLResponse:
    batch = batch_of(lines, teams, dry_run=True)
    return render(
        request,
        "class_preview.html",
        error.status if error else 200,
        school_class=class_of(school_class),
        batch=batch,
        faults=[part_fault(line) for line in lines],
        states=HANDED,
        ready=sum(line.state in HANDED_IN for line in lines),
        same=sum(line.state in GOOD - HANDED_IN for line in lines),
        games=game_names(),
        chosen=games,
        values={"most": "4", "endings": ENDINGS},
        done=done,
        refused=error,
    )


@router.get("/classes/{name}/hand-in/{token}")
def look_at_bots(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    token: str,
    game: Asked = [],  # noqa: B006  (FastAPI copies it)
) -> HTMLResponse:
    """Whose each part of an upload is, and what would become of it; nothing is handed in."""
    upload = services.waiting.get(school_class.id, visitor.id, token)
    lines = bulk.look(session, visitor, school_class, upload, Choice(games=game))
    return _preview(request, school_class, lines, bulk.teams_of(session, school_class), game)


@router.post("/classes/{name}/hand-in/{token}")
def hand_in_bots(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    token: str,
    label: Names = [],  # noqa: B006  (FastAPI copies it)
    team: Names = [],  # noqa: B006  (likewise)
    game: Games = [],  # noqa: B006  (likewise)
) -> Response:
    """Hand in what can be, for the teams that were chosen; what cannot stays to be looked at."""
    upload = services.waiting.get(school_class.id, visitor.id, token)
    choice = Choice(dict(zip(label, team, strict=False)), game)
    try:
        lines = bulk.hand_in(session, visitor, school_class, upload, choice, archives=services.archives)
    except InvalidError as error:
        session.rollback()
        lines = bulk.look(session, visitor, school_class, upload, Choice())
        teams = bulk.teams_of(session, school_class)
        return _preview(request, school_class, lines, teams, game, error=error)
    made = sum(line.state in HANDED_IN for line in lines)
    same = sum(line.state in GOOD - HANDED_IN for line in lines)
    out = sum(line.state is Handed.LEFT_OUT for line in lines)
    if made + same + out == len(lines):
        if not out:
            services.waiting.remove(school_class.id, visitor.id, token)
        return see(f"{_home(school_class)}/checks?made={made}&same={same}&out={out}")
    left = [line for line in lines if line.state not in GOOD]
    return _preview(
        request, school_class, left, bulk.teams_of(session, school_class), game, done=(made, same)
    )


@router.get("/classes/{name}/checks")
def show_checks(
    *,
    request: Request,
    session: InSession,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    made: Count = None,
    same: Count = None,
    out: Count = None,
) -> HTMLResponse:
    """The newest versions of a class's bots, how far their checks are, and what they can be entered into."""
    return render(
        request,
        "class_checks.html",
        school_class=class_of(school_class),
        made=made,
        same=same,
        out=out,
        **_checks(session, visitor, school_class),
    )


def _checks(session: Session, visitor: User, school_class: SchoolClass) -> dict[str, Any]:
    standing = entering.standing_of(session, visitor, school_class)
    bots = [bot_of(bot, standing.newest.get(bot.id)) for bot in standing.bots]
    states = [bot.newest.state for bot in bots if bot.newest]
    return {
        "bots": bots,
        "checked": sum(state is not VersionState.CHECKING for state in states),
        "passed": states.count(VersionState.PASSED),
        "going": VersionState.CHECKING in states,
        "versions": len(states),
        "codes": standing.codes,
        "openings": standing.openings,
    }
