"""What stands in a queue and is no message: anybody who reaches the broker can put anything there.

It is set aside with the reason, by whoever finds it, and never ends a process.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from enum import StrEnum
from typing import Any, Final, NamedTuple

from workers.core.signing import signer_of

MAX_BYTES: Final = 16 * 2**20
"""No message is as long: what a match, a check or a chunk comes to is bounded far below."""
SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
"""Half a character, where the other half is not beside it: nobody can send on or show what has it."""
MAX_DETAIL_CHARS: Final = 500
MAX_HEAD_CHARS: Final = 300
"""So much of what is set aside is kept, to be looked at."""


class Unfit(StrEnum):
    """Why something was set aside."""

    TOO_LARGE = "too_large"
    NO_JSON = "no_json"
    SHAPE = "shape"
    TASK = "task"
    FORM = "form"
    SIGNATURE = "signature"
    FAILED = "failed"


class PoisonError(Exception):
    """An element of a queue is no message; `why` in one word, and the text of it in some more."""

    def __init__(self, why: Unfit, detail: str) -> None:
        super().__init__(detail)
        self.why = why


class Order(NamedTuple):
    """A message: the task, its id, and what the task is told, still packed in `body`."""

    task: str
    id: str
    body: str
    signature: object

    def signer(self, queue: str) -> str | None:
        """The public key that signed it for that queue."""
        return signer_of(self.signature, queue, self.task, self.id, self.body)


def read(raw: bytes) -> Order:
    """The message that an element is.

    Raises:
        PoisonError: it is none.
    """
    if len(raw) > MAX_BYTES:
        raise PoisonError(Unfit.TOO_LARGE, f"{len(raw)} bytes")
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise PoisonError(Unfit.NO_JSON, type(error).__name__) from None
    return order_of(message)


def order_of(message: object) -> Order:
    """A message with all that Celery reads of it in its place, and nothing to be unpacked.

    Raises:
        PoisonError: it is none.
    """
    if not isinstance(message, dict):
        raise PoisonError(Unfit.SHAPE, f"a message is an object, not {type(message).__name__}")
    headers, properties = message.get("headers"), message.get("properties")
    if not (isinstance(headers, dict) and isinstance(properties, dict)):
        raise PoisonError(Unfit.SHAPE, "headers and properties are objects")
    task, name, tag = headers.get("task"), headers.get("id"), properties.get("delivery_tag")
    if not (isinstance(task, str) and isinstance(name, str) and isinstance(tag, str)):
        raise PoisonError(Unfit.SHAPE, "a message has a task, an id and a tag")
    if (message.get("content-type"), message.get("content-encoding")) != ("application/json", "utf-8"):
        raise PoisonError(Unfit.SHAPE, "the body is JSON in UTF-8")
    if not all(headers.get(name) is None for name in ("compression", "eta", "expires")):
        raise PoisonError(Unfit.SHAPE, "nothing is compressed, put off or expires")
    body = message.get("body")
    if not isinstance(body, str):
        raise PoisonError(Unfit.SHAPE, "the body is text in base64")
    if len(body) > MAX_BYTES:
        raise PoisonError(Unfit.TOO_LARGE, f"{len(body)} characters")
    return Order(task, name, body, properties.get("signature"))


def told_in(body: str) -> dict[str, Any]:
    """The arguments by name in a body; there are no others, and nothing is to be done afterwards.

    To be asked once it is known who signed it: this is what can take much more memory than its text.

    Raises:
        PoisonError: it says something else.
    """
    try:
        text = b64decode(body, validate=True).decode()
        listed, told, after = json.loads(text)
        if SURROGATE.search(text):
            json.dumps(told, ensure_ascii=False).encode()  # or half a character is in it
        if listed == [] and isinstance(told, dict) and not any(after.values()):
            return told
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    raise PoisonError(Unfit.SHAPE, "the body holds arguments by name, and nothing else")


def head_of(raw: bytes) -> str:
    """The beginning of an element as text that can be kept anywhere."""
    return raw[:MAX_HEAD_CHARS].decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
