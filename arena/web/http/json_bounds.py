"""What a body may be like before anybody looks at what it says: not deep, of few parts, with short numbers.

Unknown keys cost the most: each becomes a fault of its own, in the answer too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from fastapi import HTTPException
from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.core.errors import InvalidError

MAX_PARTS = 10_000
MAX_DEEP = 20
MAX_DIGITS = 40
NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""What no database keeps as text: NUL, and half of a surrogate pair."""
ZERO = b"%00"
"""NUL, as forms and addresses write it; halves of pairs are replaced as these are read."""
FILES, FIELDS = "multipart/form-data", "application/x-www-form-urlencoded"


class JsonBounds:
    """Refuses with 422 what is JSON out of bounds or no text, or a form of too many fields or oddly encoded.

    What is no JSON at all is left to who reads it, and so are files, which are read piece by piece.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, whose body is looked at when it is read."""
        kind = Headers(scope=scope).get("content-type", "").lower() if scope["type"] == "http" else FILES
        if kind.startswith(FILES):
            await self.app(scope, receive if _is_in_utf8(kind) else _no_utf8, send)
            return
        looked_at = False

        async def looking() -> Message:
            nonlocal looked_at
            if looked_at:
                return await receive()
            message = await _whole(receive)
            looked_at = True
            try:
                (_check_fields if kind.startswith(FIELDS) else check)(message.get("body", b""))
            except InvalidError as error:
                raise HTTPException(InvalidError.status, str(error)) from None
            return message

        await self.app(scope, looking, send)


def _is_in_utf8(kind: str) -> bool:
    """Whether a form is in the encoding in which browsers send them, as it says itself or does not say."""
    return parse_options_header(kind)[1].get(b"charset", b"utf-8") == b"utf-8"


async def _no_utf8() -> NoReturn:
    """Refuse another: its fields would be read by whatever codec it names, and some take minutes."""
    raise HTTPException(InvalidError.status, "the form is not in UTF-8; leave its charset out")


async def _whole(receive: Receive) -> Message:
    """All of a body in one message; or that its sender has gone."""
    pieces = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return message
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return {"type": "http.request", "body": b"".join(pieces), "more_body": False}


def _check_fields(form: bytes) -> None:
    if form.count(b"&") >= MAX_PARTS:
        raise InvalidError(f"the form has more than {MAX_PARTS} fields, the most that are taken")
    if ZERO in form or b"\0" in form:
        raise _no_text()


def check(body: bytes) -> None:
    """Let go on what is JSON within bounds, or none.

    Raises:
        InvalidError: it is too deep, has too many parts, or a number that is too long or none, or no text.
    """
    if not body:
        return
    try:
        value = json.loads(body, parse_int=_short, parse_float=_short, parse_constant=_no_number)
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # no JSON, or not in UTF-8
        return
    _check_parts(value)


def _check_parts(value: Any) -> None:
    level, seen, depth = [value], 0, -1
    while level:
        seen, depth = seen + len(level), depth + 1
        if seen > MAX_PARTS:
            raise InvalidError(f"the JSON has more than {MAX_PARTS} parts, the most that are taken")
        if depth > MAX_DEEP:
            raise _too_deep()
        if any(NO_TEXT.search(text) for each in level for text in _texts(each)):
            raise _no_text()
        level = [part for each in level for part in _parts(each)]


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _texts(value: Any) -> Iterable[str]:
    return (value,) if isinstance(value, str) else value if isinstance(value, dict) else ()


def _no_text() -> InvalidError:
    return InvalidError("what was sent has a character that no text has: NUL, or half of a surrogate pair")


def _too_deep() -> InvalidError:
    return InvalidError(f"the JSON is nested deeper than {MAX_DEEP} levels, the most that are taken")


def _short(number: str) -> None:
    if len(number) > MAX_DIGITS:
        raise InvalidError(f"a number in the JSON has more than {MAX_DIGITS} digits, the most that are taken")


def _no_number(name: str) -> NoReturn:
    raise InvalidError(f"{name} is no number of JSON")
