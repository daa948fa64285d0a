"""Swiss systems: so many rounds, in each of which those with about the same points meet."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Annotated, Literal

from pydantic import Field

from arena.theory.pairing import matching
from arena.theory.pairing.contract import Entrant, Extent, Kind, Meeting, Pairing, in_order
from arena.theory.pairing.format import Format, FormatError, Seeding, ranked
from arena.theory.pairing.record import Record, records
from engines.stream import derive

Rounds = Annotated[
    int | None,
    Field(ge=1, le=100, description="How many; enough to find a single winner among all unless given."),
]


MAX_DUTCH = 200
"""A round of so many is paired in a few seconds."""

SLOW_DUTCH, SLOW = 100, 250
"""A round of more by the Dutch rules, or of the class Swiss, may take longer to pair than half a second."""


class _Rounds(Format):
    """What the Swiss systems share; who has nobody to play against in a round has a bye."""

    rounds: Rounds = None
    seeding: Seeding = "number"

    @abstractmethod
    def _pair(
        self, playing: list[Record], number: int, length: int, seed: int
    ) -> list[tuple[int, int | None]]:
        """The pairs of a round, the one with the first move first."""

    @property
    def drawn(self) -> int:
        """See `Format`."""
        return self.openings

    def next_round(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], number: int, seed: int
    ) -> tuple[Pairing, ...] | None:
        """See `Format`."""
        known = [each for each in in_order(entrants) if each.joined <= number]
        active = [each.number for each in known if not each.has_left(number)]
        length = self.length(entrants)
        if number > length or len(active) < 2:
            return None
        meetings = tuple(meetings)
        here = {each.number for each in known if each.plays_in(number)}
        order = ranked((each.number for each in known), self.seeding, seed)
        counted = here | _paired(meetings)
        by_number = records([each for each in order if each in counted], meetings, number)
        playing = [by_number[each] for each in here]
        playing.sort(key=lambda each: (-each.half_points, each.rank))
        pairs = self._pair(playing, number, length, seed) if playing else []
        openings = self._cycle(0)
        return tuple(Pairing(first, second, "", self._games, openings) for first, second in pairs)

    def extent(self, entrants: int) -> Extent:
        """See `Format`."""
        self.check(entrants)
        length = self.rounds or _enough(entrants)
        games = length * (entrants // 2) * self._games
        return Extent(length, length, games, games)

    def takes_late(self, entrants: Sequence[Entrant], number: int, seed: int) -> bool:  # noqa: ARG002
        """See `Format`."""
        return number <= self.length(entrants)

    def length(self, entrants: Sequence[Entrant]) -> int:
        """See `Format`; who joins late makes it no longer."""
        return self.rounds or _enough(sum(each.joined <= 1 for each in entrants))


class Swiss(_Rounds):
    """The class Swiss: the best of all ways to pair everybody, as `matching` weighs them."""

    def check(self, entrants: int) -> None:
        """See `Format`."""
        super().check(entrants)
        if entrants > matching.MAX_ENTRANTS:
            raise FormatError(
                "a Swiss has %(max_entrants)s entrants at most, not %(entrants)s; take groups",
                max_entrants=matching.MAX_ENTRANTS,
                entrants=entrants,
            )

    def _pair(
        self,
        playing: list[Record],
        number: int,
        length: int,  # noqa: ARG002 - the last round is like any other
        seed: int,
    ) -> list[tuple[int, int | None]]:
        return matching.pair(playing, number, seed)

    def is_slow(self, entrants: int) -> bool:
        """See `Format`."""
        return entrants > SLOW


class SwissDutch(_Rounds):
    """The FIDE Dutch system; in round 1 those with odd ranks have the `first_colour`.

    Where its absolute rules leave no way to pair everybody, the round is paired like one of the class Swiss.
    """

    first_colour: Literal["lot", "first", "second"] = "lot"

    def check(self, entrants: int) -> None:
        """See `Format`."""
        super().check(entrants)
        if find_spec("py4swiss") is None:
            raise FormatError(
                "there is no py4swiss for this machine, which pairs the Dutch system; choose swiss"
            )
        if entrants > MAX_DUTCH:
            raise FormatError(
                "the FIDE Dutch system takes long to pair a round of %(entrants)s; have %(max_dutch)s "
                "entrants at most, or choose swiss, which pairs a thousand in seconds",
                entrants=entrants,
                max_dutch=MAX_DUTCH,
            )

    def _pair(
        self, playing: list[Record], number: int, length: int, seed: int
    ) -> list[tuple[int, int | None]]:
        from arena.theory.pairing import dutch  # noqa: PLC0415 - not on every machine

        lot = "first" if derive(seed, "initial colour") % 2 == 0 else "second"
        odd_first = (lot if self.first_colour == "lot" else self.first_colour) == "first"
        pairs = dutch.pair(playing, number, length, 2 * self._games, odd_first=odd_first)
        return matching.pair(playing, number, seed) if pairs is None else pairs

    def is_slow(self, entrants: int) -> bool:
        """See `Format`."""
        return entrants > SLOW_DUTCH


def _paired(meetings: Iterable[Meeting]) -> set[int]:
    """Who has been paired or given the bye of the odd one out in some round."""
    kinds = {Kind.PLAYED, Kind.FORFEIT, Kind.BYE}
    return {
        each for meeting in meetings if meeting.kind in kinds for each in meeting[1:3] if each is not None
    }


def _enough(entrants: int) -> int:
    return max(1, (entrants - 1).bit_length())
