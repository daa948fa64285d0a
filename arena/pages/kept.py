"""Answers that take long to work out, told again for a while: a whole class looks at one page."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Kept(Generic[Answer]):
    """The last answer to every question, for so many `seconds`; `clock` tells seconds too.

    Whoever asks while an answer is being worked out waits for it.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._answers: dict[Hashable, tuple[float, Answer]] = {}

    def answer(self, question: Hashable, work_out: Callable[[], Answer]) -> Answer:
        """The answer that is kept, else what `work_out` finds; the errors that it raises are not kept."""
        with self._lock:
            now = self._clock()
            fresh = {asked: kept for asked, kept in self._answers.items() if now - kept[0] < self._seconds}
            if question not in fresh:
                found = work_out()
                fresh[question] = (self._clock(), found)
            self._answers = fresh
            return fresh[question][1]
