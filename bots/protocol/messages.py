"""The messages of `arena/1`: what the referee sends as dictionaries, what a bot answers as checked values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic_core import to_json

from bots.protocol import PROTOCOL
from bots.protocol.strict_json import MalformedError, parse_object

MAX_DEBUG_BYTES = 4096
MAX_MOVE_CHARS = 64
MAX_NAME_CHARS = 200
MAX_MOVES_SHOWN = 64

READY_FORM = (
    '{"type":"ready","protocol":"'
    + PROTOCOL
    + '","name":"...","version":"...","reusable":false} and a newline'
)


_PLAIN_ANSWER = re.compile(
    rb'\{"type": ?"move", ?"id": ?(0|[1-9][0-9]{0,9}), ?"move": ?"([ !#-\[\]-~]{1,64})"\}'
)
"""An answer as nearly all are, of which nothing could be refused but its id."""


class UnexpectedError(ValueError):
    """The line is a good JSON object but not the message due now: wrong type, or wrong or missing id."""


class Ready(NamedTuple):
    """A bot's answer to `hello`."""

    name: str
    version: str
    reusable: bool


class Answer(NamedTuple):
    """A bot's answer to a request for a move; `move` is None when it resigns."""

    move: str | None
    debug: str | None


def encode(message: Mapping[str, Any]) -> bytes:
    """One line for a bot's stdin, newline included."""
    return to_json(message) + b"\n"


def answer_form(request_id: int, legal: Sequence[str]) -> str:
    """What an answer to request `request_id` must look like, for the evidence of a forfeit."""
    moves = " ".join(legal[:MAX_MOVES_SHOWN]) + (f" … ({len(legal)} in all)" * (len(legal) > MAX_MOVES_SHOWN))
    return f'{{"type":"move","id":{request_id},"move":"..."}} and a newline, the move one of {moves}'


def parse_ready(line: bytes) -> Ready:
    """A bot's `ready`.

    Raises:
        MalformedError: not an acceptable JSON object, or a field of the wrong kind.
        UnexpectedError: another message, or a protocol that was not offered.
    """
    message = parse_object(line)
    _expect_type(message, ("ready",))
    if message.get("protocol") != PROTOCOL:
        text = f'"protocol" must be "{PROTOCOL}", not {_short(message.get("protocol"))}'
        raise UnexpectedError(text)
    reusable = message.get("reusable", False)
    if not isinstance(reusable, bool):
        raise MalformedError('"reusable" must be true or false')
    return Ready(_text(message, "name", MAX_NAME_CHARS), _text(message, "version", MAX_NAME_CHARS), reusable)


def parse_answer(line: bytes, request_id: int) -> Answer:
    """A bot's answer to request `request_id`.

    Raises:
        MalformedError: not an acceptable JSON object, or a field of the wrong kind.
        UnexpectedError: another message, or an answer to another request.
    """
    plain = _PLAIN_ANSWER.fullmatch(line)
    if plain and int(plain[1]) == request_id:
        return Answer(plain[2].decode(), None)
    message = parse_object(line)
    kind = _expect_type(message, ("move", "resign"))
    answered = message.get("id")
    if answered != request_id or type(answered) is not int:
        text = f'"id" must be {request_id}, not {_short(answered)}'
        raise UnexpectedError(text)
    if kind == "resign":
        return Answer(None, _debug(message))
    move = message.get("move")
    if not isinstance(move, str) or not 0 < len(move) <= MAX_MOVE_CHARS:
        text = f'"move" must be a string of 1 to {MAX_MOVE_CHARS} characters, not {_short(move)}'
        raise MalformedError(text)
    return Answer(move, _debug(message))


def _expect_type(message: Mapping[str, Any], kinds: tuple[str, ...]) -> str:
    kind = message.get("type")
    if kind not in kinds:
        text = f'"type" must be {" or ".join(map(repr, kinds))}, not {_short(kind)}'
        raise UnexpectedError(text)
    return str(kind)


def _text(message: Mapping[str, Any], key: str, limit: int) -> str:
    value = message.get(key, "")
    if not isinstance(value, str) or len(value) > limit:
        text = f'"{key}" must be a string of at most {limit} characters'
        raise MalformedError(text)
    return value


def _debug(message: Mapping[str, Any]) -> str | None:
    debug = message.get("debug")
    if debug is None:
        return None
    if not isinstance(debug, str) or len(debug.encode()) > MAX_DEBUG_BYTES:
        text = f'"debug" must be a string of at most {MAX_DEBUG_BYTES} bytes'
        raise MalformedError(text)
    return debug


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=True)
    return shown if len(shown) <= 80 else shown[:77] + "..."
