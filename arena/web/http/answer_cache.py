"""A cache of answers as they were sent, told again while what they were made of is the same."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import Scope, Send

from arena.store.stamps import Stamp, Stamps
from arena.web.http import packing

MAX_BYTES = 64 * 2**20
"""What all cached answers may have together as they were made; the least recently used are forgotten first.

What they have by gzip as well, once somebody has taken it, is about an eighth of that.
"""
OF_BODY = frozenset({b"content-encoding", b"content-length", b"content-type"})
"""Headers that an answer without a body does not have."""
_VALIDITY = "arena.validity"


class Validity(NamedTuple):
    """An answer holds while its stamp does, and for so many seconds at most."""

    stamp: Stamp
    seconds: float


def cacheable(request: Request, stamp: Stamp, seconds: float = float("inf")) -> None:
    """Let the answer to a request be told to others who ask the same."""
    request.scope[_VALIDITY] = Validity(stamp, seconds)


def validity_of(scope: Scope) -> Validity | None:
    """What the answer to a request holds by."""
    validity: Validity | None = scope.get(_VALIDITY)
    return validity


@dataclass(frozen=True)
class Answer:
    """A whole response: its status, its headers as they go out, and its body."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def etag(self) -> str:
        """What names its content; empty where nothing does."""
        return next((value.decode("latin-1") for name, value in self.headers if name == b"etag"), "")

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.body) + sum(len(name) + len(value) for name, value in self.headers)

    @cached_property
    def packed(self) -> Answer:
        """The same by gzip, where that is worth it."""
        if not packing.is_worth_it(self.headers, self.body):
            return self
        body = packing.pack(self.body)
        return Answer(self.status, packing.headers(self.headers, len(body)), body)

    def without_body(self) -> Answer:
        """The answer to who has just this (RFC 9110, 15.4.5)."""
        return Answer(304, tuple(each for each in self.headers if each[0] not in OF_BODY), b"")

    async def send(self, send: Send) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": self.status, "headers": list(self.headers)})
        await send({"type": "http.response.body", "body": self.body})


class _Cached(NamedTuple):
    answer: Answer
    stamp: Stamp
    until: float


class AnswerCache:
    """Answers by their questions; `stamps` says which of them are still true.

    Without an answer from the database none is known to be, so that all are worked out anew.
    """

    def __init__(self, stamps: Stamps, clock: Callable[[], float] = time.monotonic) -> None:
        self._stamps = stamps
        self._clock = clock
        self._cached: OrderedDict[Hashable, _Cached] = OrderedDict()
        self._bytes = 0

    async def get(self, question: Hashable) -> Answer | None:
        """The answer, if it is there and true now."""
        cached = self._cached.get(question)
        if cached is None or self._clock() >= cached.until:
            return None
        if await self._stamps.now(cached.stamp.question) != cached.stamp.rows:
            return None
        if question in self._cached:
            self._cached.move_to_end(question)
        return cached.answer

    def put(self, question: Hashable, answer: Answer, validity: Validity) -> None:
        """Cache an answer instead of the one before; those least recently asked for make room for it."""
        self._forget(question)
        self._cached[question] = _Cached(answer, validity.stamp, self._clock() + validity.seconds)
        self._bytes += answer.size
        while self._bytes > MAX_BYTES:
            self._forget(next(iter(self._cached)))

    def _forget(self, question: Hashable) -> None:
        before = self._cached.pop(question, None)
        if before is not None:
            self._bytes -= before.answer.size
