"""Who made what in which round: the meetings of a tournament from each entrant's side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Self

from arena.theory.pairing.contract import Entrant, Kind, Meeting

Sum = int | Fraction
"""Half points of games, quarter points of products; fractions of them where means are compared."""


class Round(NamedTuple):
    """One round of one entrant, in half points; `opponent` is None where it had none.

    `voluntary` says that it was not played by the entrant's own doing (FIDE C.07, 16.1.2): it was away, or
    forfeited without a game. Of one that was played `unplayed` games were decided without being played.
    """

    number: int
    opponent: int | None
    half_points: int
    games: int
    played: bool
    voluntary: bool
    unplayed: int = 0


@dataclass(frozen=True)
class Field:
    """All entrants' rounds, in order.

    `games` is how many a pairing has at most, `rounds` how many rounds there were so far. Without `swiss` all
    pairings were fixed beforehand: then what was decided without a game counts as if it had been played, and
    a bye for nothing but its points. With `means` entrants have different numbers of games, and so all sums
    are means of a game, also those of the opponents' points.
    """

    swiss: bool
    rounds: int
    games: int
    records: Mapping[int, tuple[Round, ...]]
    half_points: Mapping[int, int]
    means: bool = False

    @cached_property
    def met_games(self) -> dict[int, int]:
        """How many games everybody had with opponents, played or not."""
        return {
            number: sum(row.games for row in rows if row.opponent is not None)
            for number, rows in self.records.items()
        }

    @property
    def by_means(self) -> Self:
        """The same, with means if entrants have different numbers of games."""
        return replace(self, means=len(set(self.met_games.values())) > 1)

    def mean(self, number: int) -> Fraction:
        """What an entrant made by the mean of a game, in half points."""
        made = sum(row.half_points for row in self.records[number] if row.opponent is not None)
        return Fraction(made, self.met_games[number]) if self.met_games[number] else Fraction(0)

    def per_game(self, sums: Mapping[int, Sum]) -> dict[int, Sum | None]:
        """The sums, or with `means` their means of a game; None for who had none."""
        if not self.means:
            return dict(sums)
        games = self.met_games
        return {
            number: Fraction(value, games[number]) if games[number] else None
            for number, value in sums.items()
        }

    def counts(self, row: Round) -> bool:
        """Whether a round counts as played against its opponent."""
        return row.opponent is not None and (row.played or not self.swiss)

    def met(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The half points and games of every ordered pair, of the rounds that count as played."""
        met: dict[tuple[int, int], tuple[int, int]] = {}
        for number, rows in self.records.items():
            for row in rows:
                if row.opponent is not None and self.counts(row):
                    half_points, games = met.get((number, row.opponent), (0, 0))
                    met[number, row.opponent] = half_points + row.half_points, games + row.games
        return met

    @classmethod
    def of(
        cls, entrants: Iterable[Entrant], meetings: Iterable[Meeting], *, swiss: bool, games: int = 1
    ) -> Field:
        """The field of `entrants` after `meetings`, whose order does not matter.

        An entrant without a meeting in a round that it could have been paired in has not finished it yet;
        one that came later or had left was away. A pairing has `games`; some of these may be still to come.
        """
        known = sorted(entrants)
        ordered = sorted(meetings, key=lambda meeting: (meeting.round, meeting.first, meeting.phase))
        rounds = max((meeting.round for meeting in ordered), default=0)
        games = max([games, *(meeting.games for meeting in ordered if meeting.second is not None)])
        records: dict[int, list[Round]] = {entrant.number: [] for entrant in known}
        for meeting in ordered:
            for number, row in _sides(meeting, games):
                records[number].append(row)
        if swiss:
            for entrant in known:
                records[entrant.number] = _with_absences(entrant, records[entrant.number], rounds, games)
        return cls(
            swiss=swiss,
            rounds=rounds,
            games=games,
            records={number: tuple(rows) for number, rows in records.items()},
            half_points={number: sum(row.half_points for row in rows) for number, rows in records.items()},
        )


def _sides(meeting: Meeting, usual: int) -> Iterator[tuple[int, Round]]:
    """Both entrants' rounds; a round without an opponent stands for as many games as usual."""
    number, first, second, (own, other), games, kind, _, _, unplayed = meeting
    played = kind == Kind.PLAYED
    if second is None:
        away = kind in {Kind.HALF_BYE, Kind.ZERO_BYE}
        yield first, Round(number, None, own, usual, played, away)
        return
    forfeited = kind == Kind.FORFEIT
    yield first, Round(number, second, own, games, played, forfeited and own == 0, unplayed)
    yield second, Round(number, first, other, games, played, forfeited and other == 0, unplayed)


def _with_absences(entrant: Entrant, rows: list[Round], rounds: int, games: int) -> list[Round]:
    there = {row.number for row in rows}
    absences = [
        Round(number, None, 0, games, played=False, voluntary=True)
        for number in range(1, rounds + 1)
        if number not in there and not entrant.plays_in(number)
    ]
    return sorted([*rows, *absences], key=lambda row: row.number)
