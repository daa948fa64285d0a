"""Writes the moves of the match in hand to the broker, at most five times a second, beside the referee.

And the parts of a check in hand, each when it is done.

The referee only appends to its list, as it always does. A thread of the process looks at that list; a match
that is over before it does is not told at all.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import redis
import structlog

from workers.checks.contract import StepReport
from workers.core.contract import MoveRecord
from workers.core.live import MAX_BYTES, line_of, place, steps_place
from workers.core.redis_address import redis_url

PERIOD_SECONDS = 0.2
KEPT_SECONDS = 180
"""So long what was told stays after the last word."""
KEPT_STEPS_SECONDS = 1800
"""A part of a check may take so long."""
RENEWED_SECONDS = 60.0
TIMEOUT_SECONDS = 5
PAUSE_SECONDS = 10.0
"""So long nothing is told after the broker was away."""

log = structlog.get_logger()


class _InHand(NamedTuple):
    """A match in play: where its moves are told, and the list that its referee appends to."""

    place: str
    moves: list[MoveRecord]


class LiveMoves:
    """Tells of one match at a time."""

    def __init__(self, url: str) -> None:
        self._redis: Any = redis.Redis.from_url(
            redis_url(url), socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
        )
        self._in_hand: _InHand | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def of(self, token: str) -> Iterator[list[MoveRecord]]:
        """A list for the moves of an attempt, which are told until the block is left."""
        self._begin()
        moves: list[MoveRecord] = []
        self._in_hand = _InHand(place(token), moves)
        try:
            yield moves
        finally:
            self._in_hand = None

    def _begin(self) -> None:
        """See to it that somebody tells; a match is played although nobody can."""
        if self._thread is not None and self._thread.is_alive():
            return
        thread = threading.Thread(target=self._keep_telling, name="live moves", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            log.warning("moves are not told", error=str(error))
        else:
            self._thread = thread

    def _keep_telling(self) -> None:
        teller: _Teller | None = None
        pause = PERIOD_SECONDS
        while not self._stop.wait(pause):
            pause = PERIOD_SECONDS
            in_hand = self._in_hand
            if in_hand is None:
                teller = None
                continue
            if teller is None or teller.in_hand is not in_hand:
                teller = _Teller(self._redis, in_hand)
            try:
                teller.tell()
            except Exception as error:  # noqa: BLE001  (whatever it was, the next match may be told)
                log.warning("moves are not told", kind=type(error).__name__, error=str(error))
                pause = PAUSE_SECONDS

    def close(self) -> None:
        """Tell no more."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._redis.close()


class LiveSteps:
    """Tells of the parts of a check as they are done; nobody's clock runs meanwhile."""

    def __init__(self, url: str, token: str) -> None:
        self._redis: Any = redis.Redis.from_url(
            redis_url(url), socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
        )
        self._place = steps_place(token)

    def tell(self, step: StepReport) -> None:
        """Append a part, a line of JSON; without a broker it is told with the verdict only."""
        try:
            asking = self._redis.pipeline()
            asking.append(self._place, step.model_dump_json() + "\n").expire(self._place, KEPT_STEPS_SECONDS)
            asking.execute()
        except redis.RedisError as error:
            log.warning("a part of a check is not told", error=str(error))

    def close(self) -> None:
        """Close the connection."""
        self._redis.close()


class _Teller:
    """What was told of a match."""

    def __init__(self, broker: Any, in_hand: _InHand) -> None:
        self.in_hand = in_hand
        self._redis = broker
        self._plies = 0
        self._bytes = 0
        self._looks = 0

    def tell(self) -> None:
        """Append the moves that are new; where the broker has lost what was there, write it all again."""
        where, moves = self.in_hand
        self._looks += 1
        new = moves[self._plies :]
        if new and self._bytes <= MAX_BYTES:
            text = b"".join(map(line_of, new))
            asking = self._redis.pipeline()
            asking.append(where, text).expire(where, KEPT_SECONDS)
            length, _ = asking.execute()
            self._plies += len(new)
            self._bytes += len(text)
            if length != self._bytes:
                self._redis.set(where, b"".join(map(line_of, moves[: self._plies])), ex=KEPT_SECONDS)
        elif self._looks * PERIOD_SECONDS % RENEWED_SECONDS < PERIOD_SECONDS:
            self._redis.expire(where, KEPT_SECONDS)
