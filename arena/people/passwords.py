"""Passwords that people choose, kept as Argon2id makes them.

The parameters are the least of OWASP's for Argon2id (19 MiB, 2 passes, 1 lane), which takes some 25 ms here:
a class that signs in at once must not wait for minutes.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from arena.core.errors import InvalidError

MIN_CHARS, MAX_CHARS = 10, 200
_WORDS = """
0123456789 1234567890 0987654321 9876543210 12345678910 123456789a 1q2w3e4r5t 1qaz2wsx3edc
q1w2e3r4t5 qwertyuiop qwerty12345 qwerty123456 asdfghjkl1 zxcvbnm123 abcdefghij abcd123456
abc1234567 a123456789 password12 password123 password1234 passwordpassword p@ssw0rd123 passw0rd123
iloveyou12 iloveyou123 iloveyou1314 letmein123 welcome123 welcome1234 changeme123 adminadmin
admin12345 administrator football123 baseball123 superman123 sunshine123 princess123 dragon12345
monkey12345 computer123 woaini1314 woaini5201314 5201314520 1314520520 ji32k7au4a83 su3cl3au4a83
taiwan12345
"""
COMMON = frozenset(_WORDS.split())
"""Those of the usual lists, and of Chinese keyboards, that are long enough; written small."""
DIGITS = "0123456789"
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class WeakPasswordError(InvalidError):
    """The password is too short, too long, or one that others would try."""


def check_password(password: str, name: str) -> None:
    """Let nobody choose what is easily guessed.

    Raises:
        WeakPasswordError: it is too short or too long, common, made of one or two characters, or the name.
    """
    composed = _composed(password)
    if not MIN_CHARS <= len(composed) <= MAX_CHARS:
        raise WeakPasswordError(f"a password has {MIN_CHARS} to {MAX_CHARS} characters; take a longer one")
    small = composed.casefold()
    if small in COMMON or len(set(small)) <= 2 or _is_name(small, _composed(name).casefold()):
        raise WeakPasswordError("this password is among the first that others would try; take another one")


def _is_name(password: str, name: str) -> bool:
    """Whether it is the name with other digits around it; a name of digits alone has to be within."""
    core = name.strip(DIGITS)
    return password.strip(DIGITS) == core and (core != "" or name in password)


def hashed(password: str) -> str:
    """What is kept of a password. It takes some 25 ms: hold no lock meanwhile."""
    return _HASHER.hash(_composed(password))


def matches(kept: str | None, password: str) -> bool:
    """Whether it is the password; without one that is kept, no, after the same time."""
    try:
        _HASHER.verify(kept or _nobodys(), _composed(password)[:MAX_CHARS])
    except VerifyMismatchError:
        return False
    return kept is not None


@cache
def _nobodys() -> str:
    return _HASHER.hash("nobody's")


def _composed(password: str) -> str:
    """The same on every keyboard (NFKC), and always something that can be encoded."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "replace").decode()
