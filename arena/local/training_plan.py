"""What is to be learned and how, the work that it takes, and what came of it so far.

A plan's rounds are played, fitted and compared one after another. The games of each are cut into chunks,
always the same; who plays them and in which order changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engines.strategies.reversi_training import Fitted, Round, Training

CHUNK: Final = 32
"""The games or openings of a chunk, which are lost with the process that plays them."""
OPENINGS: Final = 256
"""By so many, each played from both seats, a round's player is compared with the one before."""


class Plan(NamedTuple):
    """A training from its beginning: the same plan makes the same weights anywhere."""

    training: Training
    seed: int
    rounds: tuple[Round, ...]

    @property
    def games(self) -> int:
        """All games of self-play."""
        return sum(each.games for each in self.rounds)

    def told(self) -> dict[str, Any]:
        """All that the weights follow from, for JSON."""
        game = self.training.game
        return {
            "game": game.name,
            "rules": game.version,
            "params": game.params,
            "engine": self.training.version,
            "seed": self.seed,
            "rounds": [each._asdict() for each in self.rounds],
            "chunk": CHUNK,
            "openings": OPENINGS,
        }


class Chunk(NamedTuple):
    """Games of a round, or openings of the comparison after it, by their numbers within the round.

    Rounds are counted from 0.
    """

    round: int
    first: int
    size: int


class Learned(NamedTuple):
    """What a round came to: `points` of all that the player before it left it in `games` games."""

    weights: bytes
    taught: float
    held_out: float
    points: float
    games: int


@dataclass
class Progress:
    """What is known of a plan; games are kept until they are fitted."""

    plan: Plan
    games: dict[Chunk, bytes] = field(default_factory=dict)
    fits: list[Fitted] = field(default_factory=list)
    points: dict[Chunk, int] = field(default_factory=dict)
    """Twice the points of a round's player against the one before."""

    @property
    def done(self) -> bool:
        """Whether nothing is to be done any more."""
        return len(self.learned()) == len(self.plan.rounds)

    def games_left(self, number: int) -> list[Chunk]:
        """The games of a round that nobody has played; none once it is fitted."""
        if number < len(self.fits):
            return []
        return [chunk for chunk in games_of(self.plan, number) if chunk not in self.games]

    def openings_left(self, number: int) -> list[Chunk]:
        """The openings after a round that nobody has played."""
        return [chunk for chunk in openings_after(number) if chunk not in self.points]

    def to_fit(self, number: int) -> bytes:
        """All games of a round, in the order of their numbers."""
        return b"".join(self.games[chunk] for chunk in games_of(self.plan, number))

    def weights(self, number: int) -> bytes | None:
        """What a round plays with: the weights of the one before, none in the first."""
        return self.fits[number - 1].weights if number else None

    def fitted(self, fit: Fitted) -> None:
        """Take in the fit of the next round, whose games are of no use any more."""
        self.fits.append(fit)
        self.games.clear()

    def learned(self) -> list[Learned]:
        """The rounds of which all is known, up to the first of which something is not."""
        found = []
        for number, fit in enumerate(self.fits):
            if self.openings_left(number):
                break
            twice = sum(self.points[chunk] for chunk in openings_after(number))
            found.append(Learned(*fit, points=twice / 2, games=2 * OPENINGS))
        return found


def first_game(plan: Plan, chunk: Chunk) -> int:
    """The number of a chunk's first game among all of the training."""
    return sum(each.games for each in plan.rounds[: chunk.round]) + chunk.first


def first_opening(plan: Plan, chunk: Chunk) -> int:
    """The number of a chunk's first opening, which no game of self-play has."""
    return plan.games + chunk.round * OPENINGS + chunk.first


def games_of(plan: Plan, number: int) -> Iterator[Chunk]:
    """All games of a round."""
    return _chunks(number, plan.rounds[number].games)


def openings_after(number: int) -> Iterator[Chunk]:
    """All openings of the comparison after a round."""
    return _chunks(number, OPENINGS)


def _chunks(number: int, games: int) -> Iterator[Chunk]:
    for first in range(0, games, CHUNK):
        yield Chunk(number, first, min(CHUNK, games - first))


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """What two plans that were told do not have in common, by their keys."""
    return sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))
