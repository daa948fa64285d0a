"""The languages of the pages: which one a reader wants, and its catalogue, read from the `.po` file."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from starlette.requests import Request

from arena.web.http.costly_routes import LANGUAGE_COOKIE

LOCALES = Path(__file__).parent / "locale"


@dataclass(frozen=True)
class Language:
    """A language by its tag (BCP 47), with its own name for itself."""

    tag: str
    name: str
    catalogue: str | None

    @property
    def locale(self) -> Locale:
        """How numbers and times are written."""
        return Locale.parse(self.tag, sep="-")

    def translations(self) -> NullTranslations:
        """The catalogue; English is written in the templates themselves."""
        return _read(self.catalogue) if self.catalogue else NullTranslations()


ENGLISH = Language("en", "English", None)
CHINESE = Language("zh-Hant-TW", "中文", "zh_Hant_TW")
LANGUAGES = {language.tag: language for language in (ENGLISH, CHINESE)}


@cache
def _read(catalogue: str) -> NullTranslations:
    with (LOCALES / catalogue / "LC_MESSAGES" / "messages.po").open("rb") as file:
        catalog = read_po(file, locale=catalogue)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Translations(compiled)


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
