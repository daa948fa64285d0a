"""Answers that take long to work out, told again for a while: a whole class looks at one page."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class _Place(Generic[Answer]):
    """Where the answer to one question is kept; it is told until `until`."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.until = float("-inf")
        self.answer: Answer | None = None


class TtlCache(Generic[Answer]):
    """The last answer to every question, for so many `seconds`; `clock` tells seconds too.

    Whoever asks what is being worked out waits for it; other questions do not.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._places: dict[Hashable, _Place[Answer]] = {}

    def answer(self, question: Hashable, work_out: Callable[[], Answer]) -> Answer:
        """The answer that is kept, else what `work_out` finds; the errors that it raises are not kept."""
        place = self._place(question)
        with place.lock:
            if place.answer is None or self._clock() >= place.until:
                place.answer = work_out()
                place.until = self._clock() + self._seconds
            return place.answer

    def _place(self, question: Hashable) -> _Place[Answer]:
        """Where the answer to a question is kept; what is told no more is forgotten."""
        with self._lock:
            now = self._clock()
            self._places = {
                asked: place
                for asked, place in self._places.items()
                if place.until > now or place.lock.locked() or asked == question
            }
            return self._places.setdefault(question, _Place())
