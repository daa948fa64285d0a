"""The staff's pages of a tournament's matches: which there are, and what is done about one or a round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query
from fastapi.responses import HTMLResponse, Response

from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.core.terms import MatchState, Winner
from arena.results import views
from arena.schemas.plans import BRACKETS, SWISS
from arena.store import matches as store
from arena.store.matches import Sought
from arena.store.models import Match
from arena.submissions import versions
from arena.tournaments import amendments, lifecycle, matches
from arena.web.answers.matches import detail_of, match_of
from arena.web.answers.tournaments import shown
from arena.web.http.dependencies import InMatch
from arena.web.http.responses import Part, Window, page_of
from arena.web.http.visibility import Viewer
from arena.web.pages.forms import Field, see
from arena.web.pages.managing import NOTHING_REFUSED, InManagement, ManagementRequest, reason_of, refusal
from arena.web.pages.rendering import render

USUAL_PART = Window(offset=0, limit=50)
REFUSED = (ConflictError, InvalidError, NotFoundError)
BotName = Annotated[str, Query(max_length=60)]
State = Annotated[MatchState | Literal[""], Query()]
router = APIRouter(default_response_class=HTMLResponse)


@router.get("/manage/{name}/matches")
def match_list(
    *,
    management: InManagement,
    part: Part,
    bot: BotName = "",
    state: State = "",
) -> HTMLResponse:
    """The matches of a tournament, by bot and state, each with a way to what can be done about it."""
    return _list(management, part, bot=bot, state=state)


def _list(
    management: ManagementRequest,
    part: Window,
    *,
    bot: str = "",
    state: MatchState | Literal[""] = "",
    status: int = 200,
    **told: object,
) -> HTMLResponse:
    named = versions.get(management.session, bot) if bot else None
    entry = lifecycle.entry_of(management.session, management.tournament, named) if named else None
    sought = Sought(state=state or None, entry=entry)
    rows, total = views.list_matches(
        management.session, management.tournament, sought, offset=part.offset, limit=part.limit
    )
    context: dict[str, Any] = {
        "tournament": shown(management.session, Viewer(management.visitor), [management.tournament])[0],
        "page": page_of([match_of(match) for match in rows], total, part),
        "bots": sorted(
            each.version.bot.name for each in lifecycle.entries(management.session, management.tournament)
        ),
        "bot": bot,
        "state": state,
        "begun": management.tournament.state in amendments.SETTLED,
        **NOTHING_REFUSED,
    }
    return render(management.request, "manage_matches.html", status, **context | told)


@router.post("/manage/{name}/rounds/rerun")
def rerun_round(
    management: InManagement,
    number: Annotated[int, Form(ge=1, lt=2**31)],
    reason: Field = "",
) -> Response:
    """Have all matches of a round played again."""
    try:
        amendments.rerun_round(
            management.session, management.visitor, management.tournament, number, reason_of(reason)
        )
    except REFUSED as error:
        management.session.rollback()
        told = refusal(error, "rerun-round", number=number, reason=reason)
        return _list(management, USUAL_PART, status=error.status, **told)
    return see(f"{management.home}/matches")


@router.get("/manage/{name}/matches/{number}")
def show_match(management: InManagement, match: InMatch) -> HTMLResponse:
    """One match, and what can be done about it."""
    return _match(management, match)


def _match(management: ManagementRequest, match: Match, status: int = 200, **told: object) -> HTMLResponse:
    context: dict[str, Any] = {
        "tournament": shown(management.session, Viewer(management.visitor), [management.tournament])[0],
        "match": detail_of(Viewer(management.visitor), match, store.moves(management.session, match)),
        "begun": management.tournament.state in amendments.SETTLED,
        "droppable": management.tournament.format not in BRACKETS | SWISS,
        **NOTHING_REFUSED,
    }
    return render(management.request, "manage_match.html", status, **context | told)


@router.post("/manage/{name}/matches/{number}/retry")
def retry_match(management: InManagement, match: InMatch) -> Response:
    """Give a parked match another chance."""
    return _done(
        management, match, "retry", lambda: matches.retry(management.session, management.visitor, match)
    )


@router.post("/manage/{name}/matches/{number}/drop")
def drop_match(management: InManagement, match: InMatch, reason: Field = "") -> Response:
    """Call a parked match off."""

    def act() -> None:
        matches.drop(management.session, management.visitor, match, reason_of(reason))

    return _done(management, match, "drop", act, reason=reason)


@router.post("/manage/{name}/matches/{number}/rerun")
def rerun_match(management: InManagement, match: InMatch, reason: Field = "") -> Response:
    """Have a finished match played again."""

    def act() -> None:
        amendments.rerun(management.session, management.visitor, match, reason_of(reason))

    return _done(management, match, "rerun", act, reason=reason)


@router.post("/manage/{name}/matches/{number}/result")
def set_result(
    management: InManagement,
    match: InMatch,
    winner: Annotated[Winner, Form()],
    reason: Field = "",
) -> Response:
    """Decide a match."""

    def act() -> None:
        amendments.set_result(management.session, management.visitor, match, winner, reason_of(reason))

    return _done(management, match, "result", act, winner=winner, reason=reason)


def _done(
    management: ManagementRequest,
    match: Match,
    name: str,
    act: Callable[[], None],
    **typed: object,
) -> Response:
    try:
        act()
    except REFUSED as error:
        management.session.rollback()
        told = refusal(error, name, **typed)
        return _match(management, match, error.status, **told)
    return see(f"{management.home}/matches/{match.number}")
