"""The names that users and bots may have: they stand in addresses, tables and file names."""

from __future__ import annotations

import re
import unicodedata

from arena.core.errors import InvalidError, Term

MAX_CHARS = 60
MAX_DECOMPOSED = 4 * MAX_CHARS
"""So many characters may be composed to a name. Of a long text of marks each is put in order among all, which
takes a minute."""
SLUG = rf"^[a-z0-9][a-z0-9-]{{0,{MAX_CHARS - 1}}}$"
INVISIBLE = "\u115f\u1160\u3164\uffa0"
"""Letters to Unicode, and nothing to the eye: the fillers of Hangul."""
FORM = rf"^\w[\w.-]{{0,{MAX_CHARS - 1}}}$"
"""Letters and digits are those of any script."""
BOT_PREFIX = "bot:"
"""How a submitted bot is named as a player: `bot:NAME` or `bot:NAME@VERSION`."""
_FORM = re.compile(FORM.strip("^$"))


def check_name(kind: str, name: str) -> str:
    """`name`, in Unicode's composed form.

    Raises:
        InvalidError: it is empty, too long, or has characters besides letters, digits and ``_ - .``.
    """
    composed = unicodedata.normalize("NFC", name) if len(name) <= MAX_DECOMPOSED else name
    if any(char in INVISIBLE for char in composed):
        raise InvalidError(
            "%(name)a cannot name a %(kind)s: it has a character that nobody sees",
            name=name[:MAX_CHARS],
            kind=Term(kind),
        )
    if not _FORM.fullmatch(composed):
        raise InvalidError(
            "%(name)r cannot name a %(kind)s: use 1 to %(max_chars)s letters, digits, '_', '-' or "
            "'.', starting with a letter or digit",
            name=name[:MAX_CHARS],
            kind=Term(kind),
            max_chars=MAX_CHARS,
        )
    return composed


def check_slug(name: str, of: str = "tournament") -> str:
    """`name`, which is a tournament's, or of what else is said.

    Raises:
        ValueError: it is empty, too long, or has other characters than the message says.
    """
    if not re.fullmatch(SLUG, name):
        raise ValueError(
            f"a {of}'s name has lower-case letters (a-z), digits and hyphens, begins with a letter or "
            f"digit, and is at most {MAX_CHARS} long, not {name[:MAX_CHARS]!r}"
        )
    return name


def could_exist(name: str) -> bool:
    """Whether something may have that name: no database takes NUL or half a surrogate pair in a question."""
    return name.isprintable()


def could_count(number: int) -> bool:
    """Whether something may have that number: no database takes an integer of any size in a question."""
    return 0 < number < 2**31


def name_of_file(stem: str) -> str:
    """The name that a bot gets whose file is called so: `my-bot` from `My_Bot`."""
    return stem.lower().replace("_", "-")
