"""The staff's pages of a tournament's class report, and of how it is graded."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError

from arena.core.errors import ArenaError, ConflictError, InvalidError
from arena.core.terms import TournamentState
from arena.results import grading
from arena.results.class_report import class_report
from arena.schemas.grading import MAX_LINES, SchemeIn
from arena.tournaments import lifecycle
from arena.web.answers.grading import csv_lines, grading_of
from arena.web.answers.report import class_report_of
from arena.web.answers.report import csv_lines as report_lines
from arena.web.answers.tournaments import shown
from arena.web.http.responses import csv_file
from arena.web.http.visibility import Viewer
from arena.web.pages.forms import Field, see
from arena.web.pages.managing import NOTHING_REFUSED, InManagement, ManagementRequest, reason_of, refusal
from arena.web.pages.rendering import render
from arena.web.pages.wording import N_

REFUSED = (ConflictError, InvalidError)
EMPTY_LINES = 2
"""So many empty lines stand below those that are filled in."""
MAX_FIELD_CHARS = 60
MOST = 1000
"""No number of a scheme is greater."""
NO_NUMBER = N_(
    "Some number cannot be read. Points go from 0 to 1000 with at most two decimals, shares from 0 to 100 "
    "percent, and a place is a whole number."
)
NO_BOT = N_("A line has a share or points, and no bot: choose one, or leave the line empty.")
TWICE = N_("Two lines ask for the same: leave one out.")
CELLS = {"thresholds": ("bot", "share", "points"), "bands": ("up_to", "band")}
"""The fields of a line of each kind that are empty at first."""
EXAMPLE = {
    "base": "60",
    "most": "100",
    "up_to_0": "1",
    "unit_0": "places",
    "band_0": "20",
    "up_to_1": "2",
    "unit_1": "places",
    "band_1": "16",
    "up_to_2": "4",
    "unit_2": "places",
    "band_2": "12",
    "up_to_3": "8",
    "unit_3": "places",
    "band_3": "8",
    "up_to_4": "16",
    "unit_4": "places",
    "band_4": "4",
}
"""By how far a team comes in groups and a bracket."""

Sent = Mapping[str, str]
router = APIRouter(default_response_class=HTMLResponse)


class UnreadableError(InvalidError):
    """What was typed makes no scheme; the message is one of the pages'."""


@router.get("/manage/{name}/report")
def show_report(management: InManagement) -> HTMLResponse:
    """What every team's bot made of a tournament."""
    report = class_report_of(management.tournament, class_report(management.session, management.tournament))
    return render(
        management.request, "report.html", tournament=_cup(management), report=report, **NOTHING_REFUSED
    )


@router.get("/manage/{name}/report.csv")
def show_report_csv(management: InManagement) -> Response:
    """The same for a spreadsheet."""
    report = class_report_of(management.tournament, class_report(management.session, management.tournament))
    return csv_file(report_lines(report), f"{management.tournament.name}-report")


@router.get("/manage/{name}/grading")
def show_grading(management: InManagement) -> HTMLResponse:
    """How a tournament is graded, and who gets what by what stands in the form."""
    sent = _cut(management.request.query_params.multi_items())
    return _page(management, sent if "base" in sent else None)


async def _sent(request: Request) -> Sent:
    return _cut((await request.form()).multi_items())


@router.post("/manage/{name}/grading")
def set_grading(management: InManagement, sent: Annotated[Sent, Depends(_sent)]) -> Response:
    """Set how it is graded."""
    try:
        grading.set_scheme(management.session, management.visitor, management.tournament, scheme_of(sent))
    except UnreadableError as error:
        return _page(management, sent, error.status)
    except REFUSED as error:
        management.session.rollback()
        return _page(management, sent, error.status, **refusal(error, "set"))
    return see(f"{management.home}/grading")


@router.post("/manage/{name}/grading/release")
def release_grades(management: InManagement, reason: Field = "") -> Response:
    """Tell the teams their grades."""
    try:
        grading.release(
            management.session,
            management.visitor,
            management.tournament,
            reason_of(reason) if reason else None,
        )
    except REFUSED as error:
        management.session.rollback()
        return _page(management, status=error.status, **refusal(error, "release", reason=reason))
    return see(f"{management.home}/grading#told")


@router.get("/manage/{name}/grading.csv")
def show_grades_csv(management: InManagement) -> Response:
    """The grades as they are now, for a spreadsheet."""
    return csv_file(
        csv_lines(grading_of(management.session, management.tournament).grades),
        f"{management.tournament.name}-grades",
    )


def scheme_of(sent: Sent) -> SchemeIn:
    """The scheme that a form makes; lines that are left empty are none.

    Raises:
        UnreadableError: it makes none.
    """
    told: dict[str, Any] = {"base": _number(sent.get("base", "") or "0"), "thresholds": [], "bands": []}
    if sent.get("most"):
        told["most"] = _number(sent["most"])
    for at in range(MAX_LINES):
        bot, share, points = (sent.get(f"{name}_{at}", "") for name in ("bot", "share", "points"))
        if share or points:
            if not bot:
                raise UnreadableError(NO_BOT)
            share_ = _number(share or "0") / 100
            told["thresholds"].append({"bot": bot, "share": share_, "points": _number(points or "0")})
        up_to, unit, band = (sent.get(f"{name}_{at}", "") for name in ("up_to", "unit", "band"))
        if up_to or band:
            told["bands"].append({"up_to": _number(up_to), "unit": unit, "points": _number(band or "0")})
    try:
        return SchemeIn.model_validate(told)
    except ValidationError as error:
        twice = any(each["type"] == "value_error" and not each["loc"] for each in error.errors())
        raise UnreadableError(TWICE if twice else NO_NUMBER) from None


def _number(text: str) -> Decimal:
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        raise UnreadableError(NO_NUMBER) from None
    if not (value.is_finite() and 0 <= value <= MOST):
        raise UnreadableError(NO_NUMBER)
    return value


def _cut(items: list[tuple[str, Any]]) -> Sent:
    return {name: value[:MAX_FIELD_CHARS] for name, value in items if isinstance(value, str)}


def _page(
    management: ManagementRequest, sent: Sent | None = None, status: int = 200, **told: object
) -> HTMLResponse:
    """The page: with what was sent, as far as that can be read, or with what was set."""
    kept, fault, error = grading.scheme_of(management.session, management.tournament), "", None
    scheme = kept
    if sent is not None:
        try:
            scheme = scheme_of(sent)
            grading.check(management.session, management.tournament, scheme)
        except UnreadableError as unreadable:
            scheme, fault = None, str(unreadable)
        except ArenaError as refused:
            error = refused
    entries = lifecycle.entries(management.session, management.tournament)
    reference = grading.reference_bots(management.session, management.tournament)
    fields = dict(sent) if sent is not None else _fields(kept or SchemeIn(), reference)
    context: dict[str, Any] = {
        "tournament": _cup(management),
        "fields": fields,
        "lines": {name: _lines(fields, cells) for name, cells in CELLS.items()},
        "bots": sorted(each.version.bot.name for each in entries),
        "fault": fault,
        "error": error,
        "kept": kept,
        "same": scheme == kept and kept is not None,
        "grading": grading_of(management.session, management.tournament, scheme),
        "example": EXAMPLE,
        "may_tell": management.tournament.state is TournamentState.FINISHED
        and management.tournament.frozen_at is None,
        **NOTHING_REFUSED,
    }
    return render(management.request, "grading.html", status, **context | told)


def _fields(scheme: SchemeIn, reference: list[str]) -> dict[str, str]:
    """The form's fields of a scheme; a line for every reference bot that it does not name."""
    told = {"base": f"{scheme.base.normalize():f}", "most": "" if scheme.most is None else f"{scheme.most:f}"}
    for at, threshold in enumerate(scheme.thresholds):
        told |= {
            f"bot_{at}": threshold.bot,
            f"share_{at}": f"{(threshold.share * 100).normalize():f}",
            f"points_{at}": f"{threshold.points.normalize():f}",
        }
    named = {each.bot for each in scheme.thresholds}
    free = [bot for bot in reference if bot not in named][: MAX_LINES - len(scheme.thresholds)]
    told |= {f"bot_{at}": bot for at, bot in enumerate(free, start=len(scheme.thresholds))}
    for at, band in enumerate(scheme.bands):
        told |= {
            f"up_to_{at}": str(band.up_to),
            f"unit_{at}": band.unit,
            f"band_{at}": f"{band.points.normalize():f}",
        }
    return told


def _lines(fields: Mapping[str, str], cells: tuple[str, ...]) -> int:
    """How many lines of a kind the form has."""
    filled = [at for at in range(MAX_LINES) if any(fields.get(f"{cell}_{at}") for cell in cells)]
    return min(max(filled, default=-1) + 1 + EMPTY_LINES, MAX_LINES)


def _cup(management: ManagementRequest) -> Any:
    return shown(management.session, Viewer(management.visitor), [management.tournament])[0]
