"""The languages of pages and files, each with its catalogue, read from the `.po` file."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from babel import Locale
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

PAGES = Path(__file__).parents[1] / "pages"
LOCALES = PAGES / "locale"
STATIC = PAGES / "static"
KEYWORDS = {"_": None, "ngettext": (1, 2)}
"""The functions of scripts that take words, as `static/i18n.js` has them."""


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


def script_words(language: Language, scripts: Iterable[Path]) -> dict[str, str]:
    """The words of scripts in a language, by what stands for them there."""
    translations = language.translations()
    words = {}
    for path in scripts:
        for _, message, _, _ in extract_from_file("javascript", path, keywords=KEYWORDS):
            if isinstance(message, str):
                words[message] = translations.gettext(message)
            else:
                one, many, *_ = message
                words[one] = translations.ngettext(one, many, 2)
    return words
