"""Putting blocks together again, in whatever order they arrive."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from workers.simulation.contract import CHECK_EVERY, Block, Tally

Stop = Callable[[Tally], bool]
"""Whether so many games are enough. It is only asked about the first games, at multiples of some number."""


class Prefix:
    """The games from index 0 on that are there without a gap, and the blocks that wait for those before.

    `tally` counts the former; `stopped` says that `stop`, asked after every `every` games, found them enough,
    and then they stay as they are.
    `waiting` has the latter by their first index; who hands out the chunks bounds how many there are.
    """

    def __init__(
        self,
        tally: Tally | None = None,
        waiting: Iterable[Block] = (),
        stop: Stop | None = None,
        every: int = CHECK_EVERY,
    ) -> None:
        self.tally = tally or Tally()
        self.waiting = {block.start: block for block in waiting}
        self._stop = stop
        self._every = every
        self.stopped = self._is_enough()

    @property
    def games(self) -> int:
        """How many games there are without a gap."""
        return self.tally.games

    def add(self, block: Block) -> list[Block]:
        """Take in a block that was not there; returns the blocks that now have none missing before them.

        With a stopping rule, blocks must not reach over a multiple of `every`. Once it has stopped,
        nothing more is taken.

        Raises:
            ValueError: its first game is there already.
        """
        if self.stopped:
            return []
        if block.start < self.games or block.start in self.waiting:
            raise ValueError(f"the games from {block.start} on are there already")
        self.waiting[block.start] = block
        joined = []
        while not self.stopped and (following := self.waiting.pop(self.games, None)) is not None:
            self.tally += following.tally
            joined.append(following)
            self.stopped = self._is_enough()
        return joined

    def _is_enough(self) -> bool:
        if self._stop is None or self.games == 0 or self.games % self._every:
            return False
        return self._stop(self.tally)
