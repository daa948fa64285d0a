"""Streams of server-sent events as programs read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from arena.client.errors import ForeignError
from arena.core.words import say


class StreamEvent(NamedTuple):
    """Something that a stream tells. Its `number` is what to read on after; what is none of the log has none.

    Without a `kind` it only says that the stream is there, and with a `number` where it begins.
    """

    number: int | None
    kind: str
    data: dict[str, Any]


def events_in(lines: Iterable[str]) -> Iterator[StreamEvent]:
    """The events of a stream (HTML standard, 9.2.6), whose data are JSON objects.

    Raises:
        ForeignError: it is no arena's stream.
    """
    number, kind, data = "", "", list[str]()
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data or number:
                yield _event(number, kind, "\n".join(data))
            number, kind, data = "", "", []
        elif not name:
            if not number:  # it is told at the end of its event
                yield StreamEvent(None, "", {})
        elif name == "id":
            number = value
        elif name == "event":
            kind = value
        elif name == "data":
            data.append(value)


def _event(number: str, kind: str, text: str) -> StreamEvent:
    try:
        read_on = int(number) if number else None
        return StreamEvent(read_on, kind, dict(json.loads(text))) if text else StreamEvent(read_on, "", {})
    except (ValueError, TypeError, RecursionError):
        raise ForeignError(
            say("the stream of events has one that cannot be read: {what!r}", what=text[:100])
        ) from None
