"""A ladder that goes on for ever: who meets next is who tells most about the ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from arena.theory.pairing.contract import Entrant, Extent, Kind, Meeting, Pairing, in_order
from arena.theory.pairing.format import Format
from engines.stream import derive

SLOW = 100
"""A round of more may take longer to pair than half a second."""


class Ladder(Format):
    """In every round all are paired by `choose`; entrants' games count from the round that they joined in.

    With openings a pairing plays one of them, the next each time the same two meet, from both seats.
    """

    newcomer_games: Annotated[int, Field(ge=0, le=1000, description="Whoever has fewer is paired first.")] = (
        10
    )
    rounds: Annotated[int | None, Field(ge=1, description="Without end unless given.")] = None

    @property
    def drawn(self) -> int:
        """See `Format`."""
        return self.openings

    def next_round(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], number: int, seed: int
    ) -> tuple[Pairing, ...] | None:
        """See `Format`; it is over when fewer than two are left."""
        from arena.theory.pairing.information import choose, rated  # noqa: PLC0415 - SciPy takes long to read

        known = [each for each in in_order(entrants) if each.joined <= number]
        here = [each for each in known if not each.has_left(number)]
        if len(here) < 2 or (self.rounds is not None and number > self.rounds):
            return None
        since = {each.number: each.joined for each in known}
        played = _Played([each for each in meetings if _counts(each, since)])
        playing = [each.number for each in here if each.plays_in(number)]
        playing.sort(key=lambda each: (derive(seed, "lot", number, each), each))
        games = [played.games[each] for each in playing]
        chosen = choose(rated(list(since), played.meetings, playing), games, self.newcomer_games)
        return tuple(self._pairing(playing[one], playing[other], played, seed) for one, other in chosen)

    def takes_late(self, entrants: Sequence[Entrant], number: int, seed: int) -> bool:  # noqa: ARG002
        """See `Format`."""
        return self.rounds is None or number <= self.rounds

    def length(self, entrants: Sequence[Entrant]) -> int | None:  # noqa: ARG002
        """See `Format`."""
        return self.rounds

    def extent(self, entrants: int) -> Extent | None:
        """See `Format`."""
        self.check(entrants)
        if self.rounds is None:
            return None
        games = self.rounds * (entrants // 2) * self._games
        return Extent(self.rounds, self.rounds, games, games)

    def is_slow(self, entrants: int) -> bool:
        """See `Format`."""
        return entrants > SLOW

    @property
    def _games(self) -> int:
        return 2 if self.openings else 1

    def _pairing(self, one: int, other: int, played: _Played, seed: int) -> Pairing:
        """Who has begun less often has the first move; if that does not tell, the lot, and then in turns."""
        one, other = sorted((one, other))
        met = played.met[one, other]
        openings = (met % self.openings + 1,) if self.openings else ()
        lead = played.lead[one] - played.lead[other]
        swapped = lead > 0 or (lead == 0 and (derive(seed, "first move", one, other) + met) % 2 == 1)
        first, second = (other, one) if swapped else (one, other)
        return Pairing(first, second, "", self._games, openings)


class _Played:
    """Meetings, and what they come to: games played, meetings of each two, first moves less second ones."""

    def __init__(self, meetings: list[Meeting]) -> None:
        self.meetings = meetings
        self.games, self.lead = Counter[int](), Counter[int]()
        self.met = Counter[tuple[int, int]]()
        for each in meetings:
            one, other = each.first, each.second or 0
            self.met[min(one, other), max(one, other)] += 1
            played = each.games - each.unplayed
            self.games.update({one: played, other: played})
            self.lead.update({one: each.games % 2, other: -(each.games % 2)})


def _counts(meeting: Meeting, since: dict[int, int]) -> bool:
    """Whether they are known in the versions that met."""
    if meeting.second is None or meeting.kind is not Kind.PLAYED:
        return False
    return all(
        meeting.round >= since.get(each, meeting.round + 1) for each in (meeting.first, meeting.second)
    )
