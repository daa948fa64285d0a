"""The bots of a class: all of them handed in at once, and how far their checks are."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Request, Response, UploadFile

from arena.core.errors import InvalidError
from arena.schemas.batches import Batch
from arena.schemas.bots import BotOut
from arena.schemas.paging import Page
from arena.store import bots as store
from arena.store import summaries
from arena.submissions import batches, bulk, uploads
from arena.submissions.bulk import Choice
from arena.web.answers.batches import batch_of
from arena.web.answers.bots import bot_of
from arena.web.http.dependencies import InClass, InServices, InSession, Staff
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, part_of

CLASS = "/classes/{name}"
router = APIRouter(tags=["classes"], responses=documented(401, 403, 404, 422))


@router.post(CLASS + "/submissions", responses=documented(400, 409, 413, 503))
def submit_class(
    *,
    services: InServices,
    session: InSession,
    staff: Staff,
    school_class: InClass,
    file: Annotated[
        list[UploadFile], File(min_length=1, description="A zip; or all files, with their folders.")
    ],
    dry_run: Annotated[bool, Query(description="Only say what would be done.")] = False,
    team: Annotated[
        list[str] | None,
        Form(
            max_length=batches.MAX_PARTS,
            description="`LABEL=TEAM`: whose a part of the upload is that its name does not tell; without a "
            "team it is left out. May be repeated.",
        ),
    ] = None,
    game: Annotated[
        list[str] | None, Form(description="A game they are checked in; may be repeated.")
    ] = None,
) -> Batch:
    """Hand in the bots of a class: a file, a folder or a zip for each team, or what Moodle or Canvas exports.

    What each team sent becomes a version of its bot, as if it had handed it in; the log says who did. The
    same once more changes nothing. What cannot be taken is told with the reason, and holds nothing else up.
    """
    upload = batches.pack([uploads.File(each.filename or "", each.file.read()) for each in file])
    choice = Choice(dict(map(_assigned, team or ())), game or ())
    if dry_run:
        lines = bulk.look(session, staff, school_class, upload, choice)
    else:
        lines = bulk.hand_in(session, staff, school_class, upload, choice, archives=services.archives)
    return batch_of(lines, bulk.teams_of(session, school_class), dry_run=dry_run)


def _assigned(text: str) -> tuple[str, str]:
    label, equals, name = text.rpartition("=")
    if not equals or not label:
        raise InvalidError(
            f"{text[:80]!r} says of no part whose it is: write LABEL=TEAM, or LABEL= for nobody's"
        )
    return label, name


@router.get(CLASS + "/bots", response_model=Page[BotOut], responses=NOT_MODIFIED)
def list_class_bots(request: Request, session: InSession, school_class: InClass, part: Part) -> Response:
    """The bots of a class's teams with their newest versions, and whether these have passed."""
    page = part_of(store.of_class(session, school_class), part)
    newest = summaries.newest_versions(session, page.items)
    items = [bot_of(bot, newest.get(bot.id)) for bot in page.items]
    return conditional(
        request, Page[BotOut](items=items, total=page.total, offset=page.offset, limit=page.limit)
    )
