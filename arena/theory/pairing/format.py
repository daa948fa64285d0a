"""What every format does: a pure function from entrants, meetings and a seed to the next round's pairings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from arena.core.errors import Worded
from arena.theory.pairing.bracket import Decided
from arena.theory.pairing.contract import Entrant, Extent, Meeting, Pairing
from engines.stream import derive
from workers.core.contract import Frozen

Seeding = Literal["number", "lot"]
"""The initial order: that of the entrants' numbers, or one drawn by lot from the seed."""

Round = tuple[int, tuple[Pairing, ...]]
"""A round's number, from 1, and its pairings."""


class FormatError(Worded, ValueError):
    """These options, or these entrants, are nothing that the format can pair."""


class Format(Frozen, ABC):
    """A format with its options. The same arguments, in whatever order, give the same pairings.

    With `openings` at 0 a pairing is one game from the initial position, unless the format says otherwise;
    else it plays so many openings from both seats.
    """

    openings: Annotated[int, Field(ge=0)] = 0

    @abstractmethod
    def next_round(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], number: int, seed: int
    ) -> tuple[Pairing, ...] | None:
        """The pairings of round `number`, from 1, when all rounds before it are over; None: so is all.

        Nobody may meet in a round: then the next one comes. A pairing without a meeting is as if it had
        never been.
        """

    @property
    @abstractmethod
    def drawn(self) -> int:
        """How many openings the tournament needs in all."""

    @abstractmethod
    def extent(self, entrants: int) -> Extent | None:
        """How long it is with so many entrants; None: without end.

        Raises:
            FormatError: as `check`.
        """

    def check(self, entrants: int) -> None:
        """See that so many entrants, numbered from 1, can begin.

        Raises:
            FormatError: they cannot.
        """
        if entrants < 2:
            raise FormatError("a tournament needs two entrants or more, not %(entrants)s", entrants=entrants)

    def in_advance(self, entrants: Sequence[Entrant], number: int, seed: int) -> bool:  # noqa: ARG002
        """Whether round `number` does not depend on any result."""
        return False

    def takes_late(self, entrants: Sequence[Entrant], number: int, seed: int) -> bool:  # noqa: ARG002
        """Whether somebody who joins in round `number`, which is not paired yet, would still play."""
        return True

    def length(self, entrants: Sequence[Entrant]) -> int | None:  # noqa: ARG002
        """The number of the last round, where it does not depend on results; None: nobody can say."""
        return None

    def is_slow(self, entrants: int) -> bool:  # noqa: ARG002 - most never are
        """Whether pairing a round of so many may take so long that nobody should wait for it."""
        return False

    def places(
        self,
        entrants: Sequence[Entrant],  # noqa: ARG002
        meetings: Iterable[Meeting],  # noqa: ARG002
        seed: int,  # noqa: ARG002
    ) -> tuple[tuple[int, ...], ...] | None:
        """The entrants by place, from the best; None: their points decide, not the format."""
        return None

    def tree(
        self,
        entrants: Sequence[Entrant],  # noqa: ARG002
        meetings: Iterable[Meeting],  # noqa: ARG002
        seed: int,  # noqa: ARG002
    ) -> list[list[Decided]] | None:
        """The ties of its bracket by stages, as far as it is known who is in them; None without one."""
        return None

    @property
    def _games(self) -> int:
        """Games of a pairing."""
        return max(1, 2 * self.openings)

    def _cycle(self, number: int) -> Sequence[int]:
        """The openings of a cycle, from 0."""
        return (
            () if not self.openings else range(number * self.openings + 1, (number + 1) * self.openings + 1)
        )


class Planned(Format):
    """A format that is known in advance."""

    @abstractmethod
    def rounds(self, entrants: Sequence[Entrant], after: int = 0) -> Iterator[Round]:
        """The rounds with numbers above `after`, one after the other, never held together.

        Who has left is still paired: that is a walkover. Extra rounds for those who join late follow the
        planned ones.
        """

    def next_round(
        self,
        entrants: Sequence[Entrant],
        meetings: Iterable[Meeting],  # noqa: ARG002 - what came of them changes nothing
        number: int,
        seed: int,  # noqa: ARG002
    ) -> tuple[Pairing, ...] | None:
        """See `Format`."""
        for at, pairings in self.rounds(entrants, number - 1):
            return pairings if at == number else ()
        return None

    def in_advance(self, entrants: Sequence[Entrant], number: int, seed: int) -> bool:  # noqa: ARG002
        """See `Format`."""
        return True


def ranked(numbers: Iterable[int], seeding: Seeding, seed: int) -> list[int]:
    """The numbers in their initial order, best first; who joins later does not change that of the others."""
    if seeding == "number":
        return sorted(numbers)
    return sorted(numbers, key=lambda number: (derive(seed, "lot", number), number))
