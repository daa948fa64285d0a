"""Templates into pages, in the reader's language."""

from __future__ import annotations

import datetime as dt
from functools import cache, partial
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from babel import Locale
from babel.dates import LOCALTZ, format_date, format_time
from babel.numbers import format_decimal
from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from arena.coordinator.watch import Trouble
from arena.web.http.dependencies import get_services
from arena.web.http.problems import RETRY_SECONDS, Problem
from arena.web.pages import wording
from arena.web.pages.i18n import COOKIE, LANGUAGES, Language, wanted
from engines.games import find_presentation
from engines.presentation import Words
from workers.core.contract import GameSpec

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
            troubles=services.watch.troubles,
            **context,
        ),
        status_code=status,
        headers={"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"},
    )
    if request.query_params.get("lang") == language.tag:
        response.set_cookie(COOKIE, language.tag, max_age=YEAR_SECONDS, httponly=True, samesite="lax")
    return response


def show_problem(request: Request, problem: Problem) -> HTMLResponse:
    """The page for an error; where the fault is ours it asks for the same page again by itself."""
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        services = get_services(request)
        return HTMLResponse(_busy(wanted(request), services.watch.troubles), problem.status)
    refresh = RETRY_SECONDS if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR else None
    return render(request, "problem.html", problem.status, problem=problem, refresh=refresh)


@cache
def _busy(language: Language, troubles: tuple[Trouble, ...]) -> str:
    """The page for whoever has to come again, which hundreds may get at once: it costs nothing."""
    page = _environment(language, dt.UTC).get_template("problem.html")
    return page.render(
        language=language,
        other_languages={},
        path="",
        troubles=troubles,
        problem={"status": HTTPStatus.SERVICE_UNAVAILABLE.value},
        refresh=RETRY_SECONDS,
    )


def board_of(game: str) -> str:
    """The template that draws the boards of the game of that name."""
    return find_presentation(game).board or "boards/text.html"


def _source(template: str) -> str | None:
    """The template of a game, named as ``package:path``."""
    package, _, path = template.partition(":")
    return files(package).joinpath(path).read_text(encoding="utf-8") if path else None


def duration(seconds: float, locale: Locale) -> str:
    """A time in the unit that shows it best: µs, ms or s."""
    if seconds >= 0.1:
        return str(format_decimal(seconds, "#,##0.000 s", locale=locale))
    if seconds >= 1e-4:
        return str(format_decimal(seconds * 1e3, "0.0 ms", locale=locale))
    return str(format_decimal(seconds * 1e6, "0 µs", locale=locale))


@cache
def _environment(language: Language, zone: dt.tzinfo) -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("arena.web.pages"), FunctionLoader(_source)]),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["ext.i18n.trimmed"] = True
    translations = language.translations()
    environment.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]  # the i18n extension adds it
    locale = language.locale

    def number(value: float, form: str = "#,##0.###") -> str:
        return str(format_decimal(value, form, locale=locale))

    def moment(value: dt.datetime) -> str:
        there = value.astimezone(zone)
        day = format_date(there, locale=locale)
        hour = format_time(there, "HH:mm '(UTC'xxx')'", tzinfo=zone, locale=locale)
        return f"{day} {hour}"

    def said(words: Words) -> str:
        return words.said(language.tag)

    def say(english: str, chinese: str, **values: object) -> str:
        return Words(english, chinese).said(language.tag, **values)

    def ended(game: GameSpec, reason: str) -> str:
        words = find_presentation(game.name).reasons.get(reason)
        return said(words) if words else translations.gettext(wording.reason(reason))

    environment.globals |= {"wording": wording, "say": say, "ended": ended}
    environment.filters |= {
        "number": number,
        "duration": partial(duration, locale=locale),
        "moment": moment,
        "said": said,
    }
    return environment
