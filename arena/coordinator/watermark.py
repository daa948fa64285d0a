"""The watermark of what was reported: before which moment the recorder has taken all of it in."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from arena.coordinator.broker import Broker


class _Mark(NamedTuple):
    """All that was reported before `until` is taken in; at `seen` that report was the newest that waited."""

    until: float
    seen: float
    newest: str | None


class Watermark:
    """Finds out before which moment all that was reported is taken in, each time that it is asked."""

    def __init__(self, broker: Broker, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._broker = broker
        self._monotonic = monotonic
        self._marks: dict[str, _Mark] = {}

    def taken_in_until(self, kind: str) -> float:
        """A moment before which all that was reported is taken in: what waits may be a missed sign of life.

        With many workers a report waits nearly always. So the newest is remembered, and when it is gone all
        that was sent before it was seen is taken in.

        Raises:
            UnavailableError: the broker is away.
        """
        mark = self._marks.get(kind, _Mark(-math.inf, -math.inf, None))
        if mark.newest is None or not self._broker.report_waits(mark.newest, kind):
            now = self._monotonic()
            newest = self._broker.newest_report(kind)
            mark = self._marks[kind] = _Mark(now if newest is None else mark.seen, now, newest)
        return mark.until
