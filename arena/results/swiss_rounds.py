"""The rounds of a Swiss system as they were paired: who met whom, what came of it, and who had the bye."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.schemas.plans import SWISS
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.models import Tournament
from arena.theory.pairing.contract import Kind


class Paired(NamedTuple):
    """A pairing by the numbers of its entries: the half points that both made, and of how many games.

    Of its `games` some are `left`; `unplayed` says that all that are decided were so without being played.
    """

    first: int
    second: int
    half_points: tuple[int, int]
    games: int
    left: int
    unplayed: bool


class GivenBye(NamedTuple):
    """An entry by its number that met nobody, and the half points that it got."""

    number: int
    half_points: int


class Round(NamedTuple):
    """A round by its number, with its pairings in the order in which they were made, and its byes."""

    number: int
    pairings: tuple[Paired, ...]
    byes: tuple[GivenBye, ...]

    @property
    def over(self) -> int:
        """How many pairings have no game left."""
        return sum(not each.left for each in self.pairings)


def rounds(session: Session, tournament: Tournament) -> list[Round]:
    """All rounds of a Swiss system that are paired, the newest first; nothing of other formats.

    Games that were called off do not count, and a pairing without any others is not there.
    """
    if tournament.format not in SWISS or tournament.started_at is None:
        return []
    numbers = {row.id: row.number for row in store.seats(session, tournament)}
    paired: dict[int, dict[tuple[int, int], Paired]] = defaultdict(dict)
    for number, _, first_id, second_id, state, own, other, kind in match_store.games(session, tournament):
        first, second = numbers[first_id], numbers[second_id]
        of_round = paired[number]
        pair = (second, first) if (second, first) in of_round else (first, second)
        before = of_round.get(pair, Paired(*pair, (0, 0), 0, 0, unplayed=True))
        made = (0, 0) if state != MatchState.FINISHED else (own, other)
        of_round[pair] = _with(before, made if pair[0] == first else made[::-1], state, kind)
    byes: dict[int, list[GivenBye]] = defaultdict(list)
    for bye in store.byes(session, tournament):
        byes[bye.round].append(GivenBye(numbers[bye.entry_id], bye.half_points))
    return [
        Round(number, tuple(paired[number].values()), tuple(byes[number]))
        for number in sorted(paired.keys() | byes.keys(), reverse=True)
    ]


def _with(pairing: Paired, made: tuple[int, int], state: str, kind: str | None) -> Paired:
    """The pairing with one game more."""
    return pairing._replace(
        half_points=(pairing.half_points[0] + made[0], pairing.half_points[1] + made[1]),
        games=pairing.games + 1,
        left=pairing.left + (state != MatchState.FINISHED),
        unplayed=pairing.unplayed and (state != MatchState.FINISHED or kind != Kind.PLAYED),
    )
