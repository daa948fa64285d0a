"""Templates in a language, with what pages and files both say by them."""

from __future__ import annotations

from functools import cache, lru_cache, partial

from babel import Locale
from babel.numbers import format_decimal, parse_pattern
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from arena.schemas.positions import WordsOut
from arena.web.answers.endings import FAULTS, reason
from arena.web.answers.languages import PAGES, Language
from engines.games import find_presentation
from engines.presentation import Words
from workers.core.contract import GameSpec

SHOWN = 16_384
"""Numbers and moments whose words are kept: writing one takes as long as the rest of its line."""


def environment_in(language: Language) -> Environment:
    """A new environment of all templates; who asks may add to it."""
    environment = Environment(
        loader=FileSystemLoader(PAGES / "templates"),
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

    @lru_cache(SHOWN)
    def written(value: float, form: str) -> str:
        return str(format_decimal(value, _pattern(form), locale=locale))

    def number(value: float, form: str = "#,##0.###") -> str:
        return written(value + 0, form)  # which makes a zero that is negative the same as the other

    def said(words: Words | WordsOut) -> str:
        return Words(words.english, words.chinese).said(language.tag)

    def ended(game: GameSpec, code: str) -> str:
        words = find_presentation(game.name).reasons.get(code)
        return said(words) if words else translations.gettext(reason(code))

    environment.globals |= {"ended": ended, "faults": FAULTS}
    environment.filters |= {
        "number": number,
        "duration": partial(duration, locale=locale),
        "brief": brief,
        "said": said,
    }
    return environment


def duration(seconds: float, locale: Locale) -> str:
    """A time in the unit that shows it best: µs, ms or s."""
    if seconds >= 0.1:
        return str(format_decimal(seconds, "#,##0.000 s", locale=locale))
    if seconds >= 1e-4:
        return str(format_decimal(seconds * 1e3, "0.0 ms", locale=locale))
    return str(format_decimal(seconds * 1e6, "0 µs", locale=locale))


def brief(value: float | str) -> str:
    """A coordinate without what it needs not; a text as it is."""
    return value if isinstance(value, str) else f"{value:g}"


_pattern = cache(parse_pattern)
