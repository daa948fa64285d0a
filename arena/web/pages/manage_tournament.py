"""The staff's page of one tournament: who takes part, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Query
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.core.terms import OVER
from arena.events import announcements, questions
from arena.people import classes
from arena.schemas.plans import BRACKETS, SWISS
from arena.schemas.texts import MAX_TEXT_CHARS
from arena.schemas.tournaments import MAX_TITLE_CHARS
from arena.store import analyses as analysis_store
from arena.store.models import SchoolClass, Tournament, User
from arena.submissions import versions
from arena.tournaments import amendments, analyses, entering, lifecycle, pending, timetables, titles
from arena.tournaments.entering import Candidate
from arena.web.answers.bots import bot_of
from arena.web.answers.tournament_export import formats_of
from arena.web.answers.tournaments import entry_of, pending_of, shown
from arena.web.http.dependencies import InServices
from arena.web.http.responses import MAX_LIMIT, MAX_OFFSET
from arena.web.http.visibility import Viewer
from arena.web.pages.following import live
from arena.web.pages.forms import Field, Text, see, text_of
from arena.web.pages.managing import (
    NOTHING_REFUSED,
    InManagement,
    ManagementRequest,
    reason_of,
    refusal,
    title_of,
)
from arena.web.pages.planning import Supposed, outlook
from arena.web.pages.rendering import render

ANNOUNCED = 5
"""So many of the last announcements are shown beside the form for the next one."""
REFUSED = (ConflictError, ForbiddenError, InvalidError, NotFoundError)
"""What an act on the page may come to, which the page then says."""
router = APIRouter(default_response_class=HTMLResponse)


@router.get("/manage/{name}")
def show_tournament(
    *,
    management: InManagement,
    supposed: Annotated[Supposed, Query()],
    class_name: Annotated[str, Query(max_length=60)] = "",
    entered: Annotated[int | None, Query(ge=0, le=MAX_OFFSET)] = None,
) -> HTMLResponse:
    """A tournament that one runs: how far it is, who takes part, and what can be done."""
    chosen = entering.class_of(
        management.session, management.visitor, management.tournament, class_name or None
    )
    return _page(management, supposed, chosen, entered=entered)


def _page(
    management: ManagementRequest,
    supposed: Supposed | None = None,
    chosen: SchoolClass | None = None,
    status: int = 200,
    **told: object,
) -> HTMLResponse:
    session, tournament = management.session, management.tournament
    chosen = chosen or entering.class_of(session, management.visitor, tournament)
    takes = tournament.state in (*lifecycle.ENTERING, *lifecycle.PLAYING)
    found = entering.candidates(session, tournament, chosen) if chosen and takes else []
    reference = entering.reference_bots(session, tournament) if takes else []
    rows, _ = classes.list_classes(session, management.visitor, 0, MAX_LIMIT)
    announced, _ = announcements.listed_in(session, tournament, offset=0, limit=ANNOUNCED)
    context: dict[str, Any] = {
        "tournament": shown(session, Viewer(management.visitor), [tournament])[0],
        "entries": [entry_of(entry) for entry in lifecycle.entries(session, tournament)],
        "live": live(tournament) if tournament.state in lifecycle.ENTERING else None,
        "takes": takes,
        "chosen": chosen.name if chosen else "",
        "its_class": chosen is not None and chosen.id == tournament.class_id,
        "classes": [row.name for row in rows],
        "candidates": [_told(candidate) for candidate in found],
        "awaited": [pending_of(each) for each in pending.awaited(session, tournament)]
        if tournament.state in lifecycle.ENTERING
        else [],
        "most_title": MAX_TITLE_CHARS,
        "solved": analyses.has_solver(tournament.game, tournament.game_version),
        "analyses": None if tournament.analysed_for is None else analysis_store.left(session, tournament.id),
        "reference": [candidate.bot.name for candidate in reference],
        "begun": tournament.state in amendments.SETTLED,
        "over": tournament.state in OVER,
        "failed": timetables.failed(session, tournament),
        "annuls": tournament.format not in BRACKETS | SWISS,
        "planning": outlook(management.request, session, tournament, supposed or Supposed()),
        "formats": formats_of(tournament),
        "entered": None,
        "announcements": announced,
        "most_chars": MAX_TEXT_CHARS,
        "open_questions": questions.count_open(session, management.visitor).get(tournament.id, 0),
        **NOTHING_REFUSED,
    }
    return render(management.request, "manage_tournament.html", status, **context | told)


def _told(candidate: Candidate) -> dict[str, Any]:
    return {"bot": bot_of(candidate.bot, candidate.version), "playable": candidate.playable}


def _transition(name: str, change: Callable[[Session, User, Tournament], None]) -> None:
    def endpoint(management: InManagement) -> Response:
        try:
            change(management.session, management.visitor, management.tournament)
        except ConflictError as error:
            return _refused(management, error, name)
        return see(management.home)

    router.post(f"/manage/{{name}}/{name}", name=f"{name}_managed")(endpoint)


_transition("open", lifecycle.open_)
_transition("start", lifecycle.start)
_transition("pause", lifecycle.pause)
_transition("resume", lifecycle.resume)
_transition("end", lifecycle.end)
_transition("cancel", lifecycle.cancel)


@router.post("/manage/{name}/title")
def set_title(management: InManagement, title: Field = "") -> Response:
    """Let another title stand over the tournament, or its name."""
    try:
        titles.change(management.session, management.visitor, management.tournament, title_of(title))
    except InvalidError as error:
        return _refused(management, error, "title", title=title)
    return see(management.home)


@router.post("/manage/{name}/analyses")
def analyse_all(management: InManagement, services: InServices) -> Response:
    """Have all games analysed by workers that have nothing else to do."""
    try:
        analyses.ask_all(
            management.session, management.visitor, management.tournament, services.settings.analyses
        )
    except (ConflictError, ForbiddenError) as error:
        return _refused(management, error, "analyses")
    return see(f"{management.home}#analyses")


@router.post("/manage/{name}/analyses/stop")
def call_off_analyses(management: InManagement) -> Response:
    """Have no more games analysed by themselves."""
    analyses.call_off(management.session, management.tournament)
    return see(f"{management.home}#analyses")


@router.post("/manage/{name}/pending-entries")
def enter_when_checked(management: InManagement, bot: Field = "") -> Response:
    """Enter a bot by its name, if not at once then by itself when it has passed its check."""
    try:
        pending.enter(
            management.session,
            management.visitor,
            management.tournament,
            versions.get(management.session, bot.strip()),
        )
    except REFUSED as error:
        return _refused(management, error, "enter", bot=bot)
    return see(f"{management.home}#entries")


@router.post("/manage/{name}/pending-entries/{bot}/withdraw")
def withdraw_pending(management: InManagement, bot: str) -> Response:
    """Let a bot enter by itself no more."""
    try:
        pending.withdraw(
            management.session,
            management.visitor,
            management.tournament,
            versions.get(management.session, bot),
        )
    except REFUSED as error:
        return _refused(management, error, "enter", bot=bot)
    return see(f"{management.home}#entries")


@router.post("/manage/{name}/announcements")
def announce(management: InManagement, text: Text = "") -> Response:
    """Tell everybody something about the tournament."""
    try:
        announcements.make_in(management.session, management.visitor, management.tournament, text_of(text))
    except InvalidError as error:
        return _refused(management, error, "announce", text=text)
    return see(f"{management.home}#announcements")


@router.post("/manage/{name}/entries")
def enter_bot(
    management: InManagement,
    bot: Field = "",
    class_name: Field = "",
) -> Response:
    """Enter the newest version of a bot by its name."""
    try:
        lifecycle.enter(
            management.session,
            management.visitor,
            management.tournament,
            versions.get(management.session, bot.strip()),
        )
    except REFUSED as error:
        return _refused(management, error, "enter", bot=bot)
    return see(f"{management.home}{_of_class(class_name)}#entering")


@router.post("/manage/{name}/entries/class")
def enter_class(
    management: InManagement,
    class_name: Field = "",
) -> Response:
    """Enter every bot of a class that may play; the others stay in the list, with what they lack."""
    try:
        made = entering.enter_class(
            management.session, management.visitor, management.tournament, class_name or None
        )
    except REFUSED as error:
        return _refused(management, error, "enter-class")
    query = f"?entered={len(made.entries)}" + _of_class(class_name).replace("?", "&")
    return see(f"{management.home}{query}#entering")


def _of_class(name: str) -> str:
    return f"?class_name={quote(name)}" if name else ""


@router.post("/manage/{name}/entries/{bot}/withdraw")
def withdraw_bot(
    management: InManagement,
    bot: str,
    reason: Field = "",
) -> Response:
    """Take a bot out."""
    try:
        found = versions.get(management.session, bot)
        amendments.withdraw(
            management.session, management.visitor, management.tournament, found, reason_of(reason)
        )
    except REFUSED as error:
        act = f"withdraw {bot}"
        return _refused(management, error, act, reason=reason)
    return see(f"{management.home}#entries")


@router.post("/manage/{name}/entries/{bot}/disqualify")
def disqualify_bot(
    *,
    management: InManagement,
    bot: str,
    reason: Field = "",
    annul: Annotated[bool, Form()] = False,
) -> Response:
    """Expel a bot."""
    try:
        found = versions.get(management.session, bot)
        why = reason_of(reason)
        amendments.disqualify(
            management.session, management.visitor, management.tournament, found, why, annul=annul
        )
    except REFUSED as error:
        act = f"disqualify {bot}"
        return _refused(management, error, act, reason=reason, annul=annul)
    return see(f"{management.home}#entries")


def _refused(
    management: ManagementRequest,
    error: ArenaError,
    act: str,
    **typed: object,
) -> HTMLResponse:
    management.session.rollback()
    told = refusal(error, act, **typed)
    return _page(management, status=error.status, **told)
