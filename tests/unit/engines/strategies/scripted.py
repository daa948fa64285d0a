"""A stream that draws what a test wants and notes what it was asked for."""

from __future__ import annotations

from collections.abc import Iterable

from engines.stream import Stream


class Scripted(Stream):
    """Draws the given numbers in turn; `bounds` are those that were asked for, in order."""

    def __init__(self, numbers: Iterable[int]) -> None:
        super().__init__()
        self._numbers = iter(numbers)
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        """The next of the given numbers."""
        self.bounds.append(bound)
        number = next(self._numbers)
        assert 0 <= number < bound
        return number
