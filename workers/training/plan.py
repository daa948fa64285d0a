"""What is to be learned and how, the work that it takes, and what came of it so far.

A plan's rounds are played, fitted and compared one after another. The games of each are cut into chunks,
always the same; who plays them and in which order changes nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from engines.strategies.reversi_training import Round, StageFit, Training

CHUNK: Final = 128
"""The games or openings of a chunk, which are lost with the process that plays them."""
OPENINGS: Final = 1024
"""By so many, each played from both seats, a round's player is compared with the one before."""


class Part(StrEnum):
    """The parts of a round, in their order: games of self-play, stages of the fit to them, a comparison."""

    GAMES = "games"
    STAGE = "stage"
    POINTS = "points"


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
    """Games of a round, stages of the fit, or openings of the comparison, by their numbers within the round.

    All of them are counted from 0, rounds too.
    """

    round: int
    first: int
    size: int


class Fitted(NamedTuple):
    """A file of weights, with mean squared errors in squared discs: see `StageFit`."""

    weights: bytes
    taught: float
    held_out: float


class Learned(NamedTuple):
    """What a round came to: `points` of all that the player before it left it in `games` games."""

    weights: bytes
    taught: float
    held_out: float
    points: float
    games: int


@dataclass
class Progress:
    """What is known of a plan; games and stages are kept until the fit of their round is whole."""

    plan: Plan
    games: dict[Chunk, bytes] = field(default_factory=dict)
    stages: dict[Chunk, StageFit] = field(default_factory=dict)
    fits: list[Fitted] = field(default_factory=list)
    points: dict[Chunk, int] = field(default_factory=dict)
    """Twice the points of a round's player against the one before."""

    @property
    def done(self) -> bool:
        """Whether nothing is to be done any more."""
        return len(self.learned()) == len(self.plan.rounds)

    def games_left(self, number: int) -> list[Chunk]:
        """The games of a round that nobody has played; none once it is fitted."""
        return self._left(number, games_of(self.plan, number), self.games)

    def stages_left(self, number: int) -> list[Chunk]:
        """The stages that nobody has fitted."""
        return self._left(number, stages_of(self.plan, number), self.stages)

    def openings_left(self, number: int) -> list[Chunk]:
        """The openings after a round that nobody has played."""
        return [chunk for chunk in openings_after(number) if chunk not in self.points]

    def _left(self, number: int, chunks: Iterable[Chunk], known: Container[Chunk]) -> list[Chunk]:
        return [] if number < len(self.fits) else [chunk for chunk in chunks if chunk not in known]

    def to_fit(self, number: int) -> bytes:
        """All games of a round, in the order of their numbers; empty once it is fitted."""
        return b"".join(self.games[chunk] for chunk in games_of(self.plan, number) if chunk in self.games)

    def weights(self, number: int) -> bytes | None:
        """What a round plays with: the weights of the one before, none in the first."""
        return self.fits[number - 1].weights if number else None

    def fitted(self, stage: Chunk, fit: StageFit) -> None:
        """Take in the fit of a stage; with the last one its round is fitted.

        Raises:
            ValueError: these are no weights.
        """
        self.stages[stage] = fit
        if self.stages_left(stage.round):
            return
        fits = [self.stages[each] for each in stages_of(self.plan, stage.round)]
        self.fits.append(fitted_by(self.plan, fits))
        self.games.clear()
        self.stages.clear()

    def learned(self) -> list[Learned]:
        """The rounds of which all is known, up to the first of which something is not."""
        found = []
        for number, fit in enumerate(self.fits):
            if self.openings_left(number):
                break
            found.append(learned_by(fit, sum(self.points[chunk] for chunk in openings_after(number))))
        return found


def fitted_by(plan: Plan, stages: Sequence[StageFit]) -> Fitted:
    """What the fits of all stages come to, in the order of their numbers.

    Raises:
        ValueError: these are no weights.
    """
    taught = sum(each.taught for each in stages) / max(sum(each.taught_count for each in stages), 1)
    held_out = sum(each.held_out for each in stages) / max(sum(each.held_out_count for each in stages), 1)
    return Fitted(plan.training.file([each.kept for each in stages]), taught, held_out)


def learned_by(fit: Fitted, twice: int) -> Learned:
    """What a round came to, of which that player won `twice` so many halves of a point."""
    return Learned(*fit, points=twice / 2, games=2 * OPENINGS)


def chunks_of(plan: Plan, number: int, part: Part) -> Iterator[Chunk]:
    """All chunks of that part of a round, in the order of their numbers."""
    if part is Part.GAMES:
        return games_of(plan, number)
    return stages_of(plan, number) if part is Part.STAGE else openings_after(number)


def is_chunk(plan: Plan, part: Part, chunk: Chunk) -> bool:
    """Whether it is one of `chunks_of` that part of its round."""
    number, first, size = chunk
    if not 0 <= number < len(plan.rounds):
        return False
    most, length = 1 if part is Part.STAGE else CHUNK, length_of(plan, number, part)
    return 0 <= first < length and first % most == 0 and size == min(most, length - first)


def first_of(plan: Plan, part: Part, chunk: Chunk) -> int:
    """The number of a chunk's first game or opening in all of the training, or of its stage."""
    if part is Part.GAMES:
        return first_game(plan, chunk)
    return chunk.first if part is Part.STAGE else first_opening(plan, chunk)


def length_of(plan: Plan, number: int, part: Part) -> int:
    """How many games, stages or openings there are of that part of a round."""
    if part is Part.GAMES:
        return plan.rounds[number].games
    return plan.training.stages if part is Part.STAGE else OPENINGS


def first_game(plan: Plan, chunk: Chunk) -> int:
    """The number of a chunk's first game among all of the training."""
    return sum(each.games for each in plan.rounds[: chunk.round]) + chunk.first


def first_opening(plan: Plan, chunk: Chunk) -> int:
    """The number of a chunk's first opening, which no game of self-play has."""
    return plan.games + chunk.round * OPENINGS + chunk.first


def games_of(plan: Plan, number: int) -> Iterator[Chunk]:
    """All games of a round."""
    return _chunks(number, plan.rounds[number].games)


def stages_of(plan: Plan, number: int) -> Iterator[Chunk]:
    """All stages that a round is fitted in, one by one."""
    return (Chunk(number, stage, 1) for stage in range(plan.training.stages))


def openings_after(number: int) -> Iterator[Chunk]:
    """All openings of the comparison after a round."""
    return _chunks(number, OPENINGS)


def _chunks(number: int, games: int) -> Iterator[Chunk]:
    for first in range(0, games, CHUNK):
        yield Chunk(number, first, min(CHUNK, games - first))


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """What two plans that were told do not have in common, by their keys."""
    return sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))
