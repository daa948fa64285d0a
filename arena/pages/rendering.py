"""Templates into pages, in the reader's language."""

from __future__ import annotations

import datetime as dt
from functools import cache, partial
from http import HTTPStatus
from typing import Any

from babel import Locale
from babel.dates import LOCALTZ, format_date, format_time
from babel.numbers import format_decimal
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from arena.api.dependencies import get_services
from arena.api.problems import Problem
from arena.pages import wording
from arena.pages.i18n import COOKIE, LANGUAGES, Language, wanted

YEAR_SECONDS = 365 * 24 * 3600


def render(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """The page that `template` makes of `context`; a language chosen by `?lang=` is remembered."""
    language = wanted(request)
    zone = get_services(request).settings.timezone or LOCALTZ
    page = _environment(language, zone).get_template(template)
    others = {
        f"?{request.url.include_query_params(lang=other.tag).query}": other
        for other in LANGUAGES.values()
        if other != language
    }
    response = HTMLResponse(
        page.render(language=language, other_languages=others, path=request.url.path, **context),
        status_code=status,
        headers={"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"},
    )
    if request.query_params.get("lang") == language.tag:
        response.set_cookie(COOKIE, language.tag, max_age=YEAR_SECONDS, httponly=True, samesite="lax")
    return response


def show_problem(request: Request, problem: Problem) -> HTMLResponse:
    """The page for an error."""
    phrase = HTTPStatus(problem.status).phrase
    return render(request, "problem.html", problem.status, problem=problem, phrase=phrase)


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
        loader=PackageLoader("arena.pages"),
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

    environment.globals["wording"] = wording
    environment.filters |= {"number": number, "duration": partial(duration, locale=locale), "moment": moment}
    return environment
