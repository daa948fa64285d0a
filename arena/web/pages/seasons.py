"""Seasons: the pages for everybody, and those on which organisers make and change them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ArenaError, ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.people import classes
from arena.results import seasons
from arena.schemas.seasons import MAX_TOURNAMENTS, USUAL, By, NewSeason, SeasonChange
from arena.store import seasons as store
from arena.store.models import Season, Tournament, User
from arena.tournaments import lists
from arena.web.answers.seasons import csv_lines, listed, table_of
from arena.web.http.dependencies import InSession
from arena.web.http.responses import MAX_LIMIT, Part, csv_file, page_of
from arena.web.http.web_sessions import StaffVisitor
from arena.web.pages.forms import see, words
from arena.web.pages.rendering import render
from arena.web.pages.wording import N_

MAX_CHOSEN_FROM = 100
"""So many of one's newest tournaments can be ticked."""
MAX_FIELD_CHARS = 1000
REFUSED = (ConflictError, ForbiddenError, NotFoundError)
UNREADABLE: dict[str, str] = {
    "name": N_(
        "A name for addresses has 1 to 60 small letters, digits and hyphens, and is not “new”: spring-2030."
    ),
    "title": N_("A title is one line of at most 100 characters that can be seen."),
    "points": N_(
        "Points are numbers from 0 to 1000, the first place first, and no place has more than the one before."
        " At most 100 places have points."
    ),
    "whole": N_(
        "By share the points for all points of one's games are a number above 0, up to 1000, with at most "
        "two decimals."
    ),
    "best": N_("How many of a team's best tournaments count is a whole number from 1 to 40; empty: all."),
    "tournaments": N_("A season has at most 40 tournaments, each once."),
}
NO_PLACE = N_("A tournament's number is a whole one from 1 on; an empty field leaves the tournament out.")
OTHERWISE = N_("Some field cannot be read.")

Sent = Mapping[str, str]
router = APIRouter(default_response_class=HTMLResponse)


class UnreadableError(InvalidError):
    """What was typed makes no season; the message is one of the pages'."""


@router.get("/seasons")
def list_seasons(request: Request, session: InSession, part: Part) -> HTMLResponse:
    """All seasons, newest first."""
    rows, total = seasons.list_seasons(session, part.offset, part.limit)
    return render(request, "seasons.html", page=page_of(listed(session, rows), total, part))


@router.get("/seasons/{season}")
def show_season(request: Request, session: InSession, season: str) -> HTMLResponse:
    """The table of a season, as everybody may see it."""
    return render(request, "season.html", table=table_of(session, seasons.get(session, season), None))


def get_visited_season(session: InSession, visitor: StaffVisitor, season: str) -> Season:
    """The season that the path names, for those who run it.

    Raises:
        ForbiddenError: somebody else is signed in.
    """
    found = seasons.get(session, season)
    permissions.require_runner(visitor, found)
    return found


VisitedSeason = Annotated[Season, Depends(get_visited_season)]


async def _sent(request: Request) -> Sent:
    return _cut((await request.form()).multi_items())


def _cut(items: list[tuple[str, Any]]) -> Sent:
    return {name: value[:MAX_FIELD_CHARS] for name, value in items if isinstance(value, str)}


SentForm = Annotated[Sent, Depends(_sent)]


@router.get("/manage/seasons")
def own_seasons(request: Request, session: InSession, visitor: StaffVisitor, part: Part) -> HTMLResponse:
    """The seasons that one runs, newest first."""
    rows, total = seasons.list_own(session, visitor, part.offset, part.limit)
    return render(request, "manage_seasons.html", page=page_of(listed(session, rows), total, part))


@router.get("/manage/seasons/new")
def new_season(request: Request, session: InSession, visitor: StaffVisitor) -> HTMLResponse:
    """The form that makes a season."""
    return _form(request, session, visitor, None)


@router.post("/manage/seasons/new")
def make_season(request: Request, session: InSession, visitor: StaffVisitor, sent: SentForm) -> Response:
    """Make a season, or say what is wrong with it."""
    try:
        told = _told(sent) | {"name": sent.get("name", ""), "class_name": sent.get("class_name") or None}
        season = seasons.create(session, visitor, NewSeason.model_validate(told))
    except (UnreadableError, ValidationError) as error:
        return _form(request, session, visitor, None, sent=sent, fault=_fault(error), status=422)
    except REFUSED as error:
        session.rollback()
        return _form(request, session, visitor, None, sent=sent, error=error, status=error.status)
    return see(f"/manage/seasons/{season.name}")


@router.get("/manage/seasons/{season}")
def manage_season(
    request: Request, session: InSession, visitor: StaffVisitor, season: VisitedSeason
) -> HTMLResponse:
    """A season that one runs: its table with what the public does not see yet, and what it is made of."""
    return _form(request, session, visitor, season)


@router.post("/manage/seasons/{season}")
def change_season(
    request: Request, session: InSession, visitor: StaffVisitor, season: VisitedSeason, sent: SentForm
) -> Response:
    """Change a season, or say what is wrong."""
    try:
        seasons.change(session, visitor, season, SeasonChange.model_validate(_told(sent)))
    except (UnreadableError, ValidationError) as error:
        return _form(request, session, visitor, season, sent=sent, fault=_fault(error), status=422)
    except REFUSED as error:
        session.rollback()
        return _form(request, session, visitor, season, sent=sent, error=error, status=error.status)
    return see(f"/manage/seasons/{season.name}")


@router.post("/manage/seasons/{season}/remove")
def remove_season(session: InSession, visitor: StaffVisitor, season: VisitedSeason) -> Response:
    """Remove a season; its tournaments stay."""
    seasons.remove(session, visitor, season)
    return see("/manage/seasons")


@router.get("/manage/seasons/{season}/table.csv")
def show_season_csv(session: InSession, visitor: StaffVisitor, season: VisitedSeason) -> Response:
    """The table as its staff sees it, for a spreadsheet."""
    return csv_file(csv_lines(table_of(session, season, visitor)), f"{season.name}-season")


def _told(sent: Sent) -> dict[str, Any]:
    """What a form says; the tournaments in the order of their numbers.

    Raises:
        UnreadableError: one of these is no number.
    """
    plain = {name: unicodedata.normalize("NFKC", text).strip() for name, text in sent.items()}
    ordered = sorted(
        (_place(text), name.removeprefix("at_"))
        for name, text in plain.items()
        if name.startswith("at_") and text
    )
    scoring: dict[str, Any] = {"by": plain.get("by", ""), "points": words(plain.get("points", ""))}
    scoring |= {name: plain[name] for name in ("whole", "best") if plain.get(name)}
    return {
        "title": sent.get("title") or None,
        "scoring": scoring,
        "tournaments": [name for _, name in ordered],
    }


def _place(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise UnreadableError(NO_PLACE)
    return int(text)


def _fault(error: UnreadableError | ValidationError) -> str:
    """The message for the first thing that is wrong."""
    if isinstance(error, UnreadableError):
        return str(error)
    first = error.errors()[0]["loc"] or ("tournaments",)
    where = first[1] if first[0] == "scoring" and len(first) > 1 else first[0]
    return UNREADABLE.get("points" if where == "scoring" else str(where), OTHERWISE)


def _form(
    request: Request,
    session: Session,
    visitor: User,
    season: Season | None,
    *,
    sent: Sent | None = None,
    fault: str = "",
    error: ArenaError | None = None,
    status: int = 200,
) -> HTMLResponse:
    there = store.tournaments(session, season) if season else []
    own, _ = lists.list_own(session, visitor, 0, MAX_CHOSEN_FROM)
    ids = {each.id for each in there}
    rows, _ = classes.list_classes(session, visitor, 0, MAX_LIMIT)
    return render(
        request,
        "manage_season.html",
        status,
        season=season,
        table=table_of(session, season, visitor) if season else None,
        fields=sent if sent is not None else _fields(season, there),
        choices=[*there, *(each for each in own if each.id not in ids)],
        classes=[row.name for row in rows],
        fault=fault,
        refused=error,
        most=MAX_TOURNAMENTS,
        act="",
    )


def _fields(season: Season | None, there: Sequence[Tournament]) -> dict[str, str]:
    if season is None:
        return {"by": By.PLACES, "points": ", ".join(map(str, USUAL)), "whole": "100"}
    scoring = seasons.scoring_of(season)
    return {
        "title": season.title or "",
        "by": scoring.by,
        "points": ", ".join(f"{each.normalize():f}" for each in scoring.points),
        "whole": f"{scoring.whole.normalize():f}",
        "best": "" if scoring.best is None else str(scoring.best),
        **{f"at_{each.name}": str(at) for at, each in enumerate(there, start=1)},
    }
