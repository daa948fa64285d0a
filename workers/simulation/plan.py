"""Which chunk of a simulation is played next on this machine, and how long it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

from workers.simulation.chunks import RECORDED_CHUNK, suggested_chunk
from workers.simulation.contract import SimulationSpec
from workers.simulation.prefix import Prefix

FARTHEST: Final = 64
FARTHEST_RECORDED: Final = 8
"""How many chunks for each of the pool one may begin after the first missing game: this bounds the memory."""

CHUNK_SECONDS: Final = 0.5
LARGEST_CHUNK: Final = 2_000_000


class Plan:
    """The chunks that are missing from `prefix`, from the first on, for a pool with so many `members`.

    Without a `chunk` their length follows the time that they take, up to `most` games. What is played does
    not depend on it.
    """

    def __init__(
        self,
        spec: SimulationSpec,
        prefix: Prefix,
        members: int,
        chunk: int | None = None,
        most: int = LARGEST_CHUNK,
    ) -> None:
        self._fixed = chunk is not None
        self._size = even(chunk or min(suggested_chunk(spec), spec.games // (4 * members), most))
        self._largest = min(most, RECORDED_CHUNK if spec.record_games else LARGEST_CHUNK)
        self._longest = 0
        self._reach = members * (FARTHEST_RECORDED if spec.record_games else FARTHEST)
        self._prefix = prefix
        self._gaps = deque(_gaps(prefix, spec.games))

    def next(self) -> tuple[int, int] | None:
        """First index and number of games of the next chunk; None if there is none, or not yet."""
        if not self._gaps or self._prefix.stopped:
            return None
        start, end = self._gaps[0]
        self._longest = max(self._longest, self._size)
        if start - self._prefix.games > self._reach * self._longest:
            return None
        count = min(self._size, end - start)
        if start + count == end:
            self._gaps.popleft()
        else:
            self._gaps[0] = (start + count, end)
        return start, count

    def took(self, count: int, seconds: float) -> None:
        """So many games took so long: the next chunks shall take about `CHUNK_SECONDS`."""
        if not self._fixed and count >= self._size:
            wanted = int(count * CHUNK_SECONDS / max(seconds, 0.001))
            self._size = even(min(wanted, 4 * self._size, self._largest))


def even(count: int) -> int:
    """The even number from 2 on next below `count`: two games in a row stay together."""
    return max(2, count // 2 * 2)


def _gaps(prefix: Prefix, games: int) -> Iterator[tuple[int, int]]:
    """The ranges of indices that are not there."""
    start = prefix.games
    for block in sorted(prefix.waiting.values(), key=lambda block: block.start):
        if start < block.start:
            yield start, block.start
        start = block.end
    if start < games:
        yield start, games
