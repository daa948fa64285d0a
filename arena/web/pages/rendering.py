"""Templates into pages, in the reader's language."""

from __future__ import annotations

import datetime as dt
from functools import cache, lru_cache
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

from babel.dates import LOCALTZ, format_date, format_time
from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.coordinator.watch import Trouble
from arena.core.errors import Worded
from arena.core.sayings import worded
from arena.store.sessions import Glimpse
from arena.web.answers.templates import SHOWN, environment_in
from arena.web.http.costly_routes import LANGUAGE_COOKIE
from arena.web.http.dependencies import get_services, troubles
from arena.web.http.problems import RETRY_SECONDS, Problem
from arena.web.http.responses import frozen_since
from arena.web.pages import own_words, refusals, wording
from arena.web.pages.i18n import LANGUAGES, Language, wanted
from engines.game import GameError

YEAR_SECONDS = 365 * 24 * 3600


def render(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """The page that `template` makes of `context`; a language chosen by `?lang=` is remembered."""
    language = wanted(request)
    services = get_services(request)
    zone = services.settings.timezone or LOCALTZ
    page = _environment(language, zone).get_template(template)
    others = {
        f"?{request.url.include_query_params(lang=other.tag).query}": other
        for other in LANGUAGES.values()
        if other != language
    }
    response = HTMLResponse(
        page.render(
            language=language,
            other_languages=others,
            path=request.url.path,
            who=header_of(request, None),
            troubles=troubles(request),
            frozen_since=frozen_since(request),
            **context,
        ),
        status_code=status,
        headers={"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"},
    )
    if request.query_params.get("lang") == language.tag:
        response.set_cookie(
            LANGUAGE_COOKIE, language.tag, max_age=YEAR_SECONDS, httponly=True, samesite="lax"
        )
    return response


def document(request: Request, template: str, **context: Any) -> str:
    """What `template` makes of `context` in the reader's language, where that is no page."""
    language = wanted(request)
    zone = get_services(request).settings.timezone or LOCALTZ
    return _environment(language, zone).get_template(template).render(language=language, **context)


def macros(request: Request, template: str) -> Any:
    """The macros of a template that need nothing of a page, in the reader's language; the same every time."""
    return _macros(wanted(request), get_services(request).settings.timezone or LOCALTZ, template)


@cache
def _macros(language: Language, zone: dt.tzinfo, template: str) -> Any:
    return _environment(language, zone).get_template(template).module


def header_of(request: Request, reader: Glimpse | None, unread: int = 0) -> str:
    """The part of the header for who is signed in, if anybody is: their name, and what is theirs to do.

    So much of a team's news is `unread`.
    """
    if reader is None:
        return _who(wanted(request))
    return _who(wanted(request), reader.name, reader.role, unread)


def following_of(request: Request, team: str, *, followed: bool) -> str:
    """The button of a bot's pages by which its team is followed, or is no more."""
    return _following(wanted(request), team, followed=followed)


@lru_cache(maxsize=1024)
def _following(language: Language, team: str, *, followed: bool) -> str:
    return _environment(language, dt.UTC).get_template("follow.html").render(team=team, followed=followed)


@lru_cache(maxsize=1024)
def _who(language: Language, name: str | None = None, role: str = "", unread: int = 0) -> str:
    template = _environment(language, dt.UTC).get_template("who.html")
    return template.render(name=name, role=role, unread=unread)


def show_problem(request: Request, problem: Problem) -> Response:
    """The page for an error; where it helps to wait it asks for the same page again by itself.

    Whoever has to sign in first is led there, and back: with a form to the page that it stands on.
    """
    if problem.status == HTTPStatus.UNAUTHORIZED:
        back = request.url.path if request.method == "GET" else _page_before(request)
        query = f"?next={quote(back)}" if back else ""
        return RedirectResponse(f"/sign-in{query}", HTTPStatus.SEE_OTHER)
    if problem.retry_seconds is not None:
        page = _later(wanted(request), troubles(request), problem.status, problem.retry_seconds)
        return HTMLResponse(page, problem.status)
    refresh = RETRY_SECONDS if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR else None
    return render(request, "problem.html", problem.status, problem=problem, refresh=refresh)


def _page_before(request: Request) -> str:
    """The path of ours from which a browser says that it comes; empty where it does not."""
    try:
        told = urlsplit(request.headers.get("referer", ""))
    except ValueError:  # no address at all
        return ""
    return told.path if told.netloc == request.url.netloc else ""


@lru_cache(maxsize=100)
def _later(language: Language, troubles: tuple[Trouble, ...], status: int, retry_seconds: int) -> str:
    """The page for whoever has to come again, which hundreds may get at once: it costs nothing."""
    page = _environment(language, dt.UTC).get_template("problem.html")
    return page.render(
        language=language,
        other_languages={},
        path="",
        who=_who(language),
        troubles=troubles,
        frozen_since=None,
        problem={"status": status},
        refresh=retry_seconds,
    )


@cache
def _environment(language: Language, zone: dt.tzinfo) -> Environment:
    environment = environment_in(language)
    translations = language.translations()
    locale = language.locale

    @lru_cache(SHOWN)
    def moment(value: dt.datetime) -> str:
        there = value.astimezone(zone)
        day = format_date(there, locale=locale)
        hour = format_time(there, "HH:mm '(UTC'xxx')'", tzinfo=zone, locale=locale)
        return f"{day} {hour}"

    def told(error: Worded | GameError) -> refusals.Refusal:
        return refusals.told(error, translations.gettext, english=language.catalogue is None)

    def spoken(text: str) -> refusals.Refusal:
        """What a worker said, in English."""
        return told(worded(text))

    environment.globals |= {"wording": wording, "own": own_words, "worded": told, "spoken": spoken}
    environment.filters["moment"] = moment
    return environment
