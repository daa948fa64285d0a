"""A parser for one line of JSON from an untrusted bot, stricter than `json.loads`.

Refused, each with its own words: bytes that are not UTF-8, a byte order mark, NUL, lone surrogates,
anything but an object, nesting deeper than 32, duplicate keys, numbers that are not finite or have more
than 18 digits.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

MAX_DEPTH = 32
MAX_DIGITS = 18

_SPACE = " \t\r\n"
_ESCAPED_TROUBLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
"""A string that is never closed reaches to the end, so that no character is looked at twice."""


class MalformedError(ValueError):
    """The line is not an acceptable JSON object; the message says why."""


def parse_object(line: bytes) -> dict[str, Any]:
    """The JSON object on `line` (without its newline).

    Raises:
        MalformedError: the line breaks one of the rules above.
    """
    if line.startswith(b"\xef\xbb\xbf"):
        raise MalformedError("starts with a byte order mark")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"not valid UTF-8 at byte {error.start}"
        raise MalformedError(message) from None
    if "\x00" in text:
        raise MalformedError("contains a NUL character")
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth(text)
    value = _decode(text)
    if not isinstance(value, dict):
        message = f"must be a JSON object, not {_KINDS.get(type(value), 'something else')}"
        raise MalformedError(message)
    if "\\u" in text and _ESCAPED_TROUBLE.search(text):
        _check_strings(value)
    return value


_KINDS = {list: "an array", str: "a string", int: "a number", float: "a number", bool: "true or false"}
_KINDS[type(None)] = "null"


def _decode(text: str) -> Any:
    stripped = text.strip(_SPACE)
    try:
        value, end = _DECODER.raw_decode(stripped)
    except json.JSONDecodeError as error:
        reason, at = error.msg, error.pos
    else:
        if end == len(stripped):
            return value
        reason, at = "Extra data", end
    lead = len(text) - len(text.lstrip(_SPACE))
    raise MalformedError(f"not JSON: {reason} at character {lead + at + 1}")


def _check_depth(text: str) -> None:
    depth = 0
    for matched in _STRING_OR_BRACKET.finditer(text):
        piece = matched.group()
        if piece in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                message = f"nested deeper than {MAX_DEPTH}"
                raise MalformedError(message)
        elif piece in "]}":
            depth -= 1


def _check_strings(value: Any) -> None:
    if isinstance(value, str):
        if "\x00" in value:
            raise MalformedError("contains an escaped NUL character")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise MalformedError("contains a lone surrogate")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_strings(key)
            _check_strings(item)
    elif isinstance(value, list):
        for item in value:
            _check_strings(item)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                message = f"has the key {key[:80]!r} twice"
                raise MalformedError(message)
            seen.add(key)
    return members


def _digits(literal: str) -> None:
    if sum(char.isdigit() for char in literal) > MAX_DIGITS:
        message = f"has a number of more than {MAX_DIGITS} digits"
        raise MalformedError(message)


def _integer(literal: str) -> int:
    if len(literal) > MAX_DIGITS:
        _digits(literal)
    return int(literal)


def _real(literal: str) -> float:
    _digits(literal)
    value = float(literal)
    if not math.isfinite(value):
        raise MalformedError("has a number that is not finite")
    return value


def _constant(literal: str) -> NoReturn:
    message = f"has {literal}, which is not JSON"
    raise MalformedError(message)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_integer, parse_float=_real, parse_constant=_constant
)
