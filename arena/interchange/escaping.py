"""Texts of any characters within formats that reserve some."""

from __future__ import annotations

import re
import unicodedata

_ESCAPED = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))", re.DOTALL)


def is_control(char: str) -> bool:
    """Whether `char` is a control character or breaks a line."""
    return unicodedata.category(char) in {"Cc", "Zl", "Zp"}


def escape(text: str, reserved: str) -> str:
    r"""`text` with a backslash before backslashes and `reserved` ones, and ``\u{…}`` for controls."""
    return "".join(
        f"\\{char}"
        if char == "\\" or char in reserved
        else f"\\u{{{ord(char):x}}}"
        if is_control(char)
        else char
        for char in text
    )


def unescape(text: str, reserved: str) -> str:
    """What `escape` was given; a backslash before anything else stands for itself."""

    def original(matched: re.Match[str]) -> str:
        code, char = matched.groups()
        if code is not None:
            return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else matched.group()
        return char if char == "\\" or char in reserved else matched.group()

    return _ESCAPED.sub(original, text)
