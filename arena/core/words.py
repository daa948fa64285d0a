"""What is said to whoever sits at a terminal, in the language of the locale: the standard library's gettext.

The language is that of LANGUAGE, LC_ALL, LC_MESSAGES or LANG, the first that is set. The catalogues lie
beside this module, `locale/*/LC_MESSAGES/arena.po`, and are compiled when the package is built; English needs
none, and is what is spoken where the output's encoding lacks the letters. What other programs read, JSON and
logs, is said by nobody in here.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

DOMAIN = "arena"
LOCALE = Path(__file__).parent / "locale"
LETTERS = "競技場對局賽"
"""Some of the catalogues' that ASCII, Latin-1 and other languages' own encodings lack."""


def say(text: str, /, **values: Any) -> str:
    """That text in the reader's language, its braces filled as `str.format` does.

    What the checks find to be translated is a constant that stands in such a call, or in one of `N_`.
    """
    told = gettext.dgettext(DOMAIN, text) if text else ""
    return told.format(**_said(values)) if values else told


def say_many(one: str, many: str, number: float, /, **values: Any) -> str:
    """The text for so many of something; `{number}` is how many."""
    return gettext.dngettext(DOMAIN, one, many, round(number)).format(number=number, **_said(values))


def say_named(message: str, values: Mapping[str, object]) -> str:
    """The message of an error in the reader's language, its values filled in by their names."""
    told = gettext.dgettext(DOMAIN, message) if message else ""
    return told % values if values else told


def word(value: Any) -> Any:
    """A word of a closed list, such as a state, in the reader's language; anything else as it is."""
    return say(value.value) if isinstance(value, StrEnum) else value


def _said(values: dict[str, Any]) -> dict[str, Any]:
    return {name: word(value) for name, value in values.items()}


def N_(text: str) -> str:  # noqa: N802  (gettext's usual name for it)
    """A text that is translated where it is said."""
    return text


def language() -> str:
    """The tag of the language that is spoken, for texts that have their own words in several."""
    found = gettext.find(DOMAIN, gettext.bindtextdomain(DOMAIN))
    return Path(found).parts[-3].replace("_", "-") if found else "en"


def can_be_written(*streams: TextIO | None) -> bool:
    """Whether the encodings of all of these have the letters of the catalogues; no stream takes anything."""
    try:
        for encoding in {stream.encoding for stream in streams if stream}:
            LETTERS.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def speak(*, translated: bool) -> None:
    """Have `say`, and Typer, look into the catalogues; or say everything as it is written."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE if translated else LOCALE / "none"))
    gettext.textdomain(DOMAIN)
