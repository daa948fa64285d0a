"""Text made safe to print: control characters are shown, never obeyed, and passwords are left out."""

from __future__ import annotations

import re
import unicodedata

MAX_SHOWN = 2000
PASSWORD = re.compile(r"(:/*).*(?=@)|(password\s*=)[^&]*", re.DOTALL | re.IGNORECASE)
"""Where an address may have one: its own signs may be in it, so it ends at the last `@`."""


def escape_text(text: str) -> str:
    """`text` with every unprintable character but newlines and spaces of any width written as an escape."""
    if text.isprintable():
        return text
    return "".join(char if _is_safe(char) else char.encode("unicode_escape").decode() for char in text)


def escape_bytes(data: bytes, limit: int = MAX_SHOWN) -> str:
    """The first `limit` bytes as printable text; bytes that are not UTF-8 are written as escapes."""
    shown = escape_text(data[:limit].decode("utf-8", "backslashreplace"))
    return f"{shown}… ({len(data)} bytes in all)" if len(data) > limit else shown


def _is_safe(char: str) -> bool:
    return char.isprintable() or char == "\n" or unicodedata.category(char) == "Zs"


def without_password(address: str) -> str:
    """An address for people."""
    return PASSWORD.sub(r"\1\2***", address)
