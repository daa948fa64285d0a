"""Which of the languages a reader wants."""

from __future__ import annotations

from starlette.requests import Request

from arena.web.answers.languages import CHINESE, ENGLISH, LANGUAGES, Language
from arena.web.http.costly_routes import LANGUAGE_COOKIE

__all__ = ["CHINESE", "ENGLISH", "LANGUAGES", "Language", "accepted", "wanted"]


def wanted(request: Request) -> Language:
    """The language asked for by `?lang=`, else by the cookie, else by the browser; English if none fits."""
    for tag in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if tag in LANGUAGES:
            return LANGUAGES[tag]
    return accepted(request.headers.get("accept-language", ""))


def accepted(header: str) -> Language:
    """The best language for an Accept-Language header."""
    offers = sorted(map(_offer, header.split(",")), key=lambda offer: -offer[0])
    for weight, tag in offers:
        primary = tag.partition("-")[0]
        for language in LANGUAGES.values():
            if weight > 0 and primary == language.tag.partition("-")[0]:
                return language
    return ENGLISH


def _offer(text: str) -> tuple[float, str]:
    tag, _, weight = text.partition(";q=")
    try:
        return (float(weight or 1), tag.strip().lower())
    except ValueError:
        return (0, "")
