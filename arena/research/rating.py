"""How strong players are by games of any origin, on the Elo scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.local.columns import Table
from arena.local.errors import InputError
from arena.local.rating import Ended, games_of, rated
from arena.theory.rating.models import MODELS, ModelName
from arena.theory.rating.table import RatingOptions, Ratings

if TYPE_CHECKING:
    import pyarrow as pa

KINDS = {
    "rank": "int64",
    "bot": "string",
    "games": "int64",
    "elo": "double",
    "error": "double?",
    "stronger_than_next": "double?",
}
"""The columns of a table of ratings: Elo and its standard error, and a likelihood between 0 and 1."""

Game = tuple[str, str, float]
"""Who moved first, against whom, and the score of the first: 1, 0.5 or 0."""


@dataclass(frozen=True)
class Rating:
    """One player's: `elo` around a mean of 0 with its standard `error`, None where none is known."""

    rank: int
    bot: str
    games: int
    elo: float
    error: float | None
    stronger_than_next: float | None


@dataclass(frozen=True)
class Rated(Sequence[Rating]):
    """The ratings, the best first.

    `ratings` has all that is known, as docs/ratings.md tells it: what moving first is worth and what draws
    are, with their errors, and whether a prior was needed.
    """

    ratings: Ratings
    lines: tuple[Rating, ...]

    def __getitem__(self, place: Any) -> Any:
        """The rating of that place, from 0 on."""
        return self.lines[place]

    def __len__(self) -> int:
        """How many players there are."""
        return len(self.lines)

    def table(self) -> Table:
        """A row a player."""
        return Table(KINDS, lambda: (tuple(vars(line).values()) for line in self.lines))

    def to_arrow(self) -> pa.Table:
        """`table` as an Arrow table."""
        return self.table().to_arrow()

    def to_pandas(self) -> Any:
        """`table` as a data frame of pandas."""
        return self.table().to_pandas()


def ratings(
    games: str | Path | Iterable[str | Path | Game], *, model: ModelName = "davidson", pairwise: bool = False
) -> Rated:
    """The ratings by files of games, ``FILE.jsonl`` or PGN, or by games: (first, second, score of the first).

    `pairwise` also works out how likely each is stronger than each other (`Rated.ratings.lines[…].over`).

    Raises:
        InputError: there is no such model, a file cannot be read, a score is none, nobody has a game, or
            somebody plays itself.
        UnratableError: another program's model has no ratings for these games.
    """
    if model not in MODELS:
        raise InputError(f"there is no model {model!r}; there are {', '.join(MODELS)}")
    told = [games] if isinstance(games, str | Path) else games
    wish = RatingOptions(pairwise=pairwise, model=model)
    made = rated((game for each in told for game in _games(each)), wish)
    lines = tuple(
        Rating(line.rank, line.entrant.bot, line.games, line.rating, line.error, line.over_next)
        for line in made.lines
        if line.rank is not None and line.rating is not None
    )
    return Rated(made, lines)


def _games(told: str | Path | Game) -> Iterator[Ended]:
    if isinstance(told, str | Path):
        yield from games_of(Path(told))
        return
    first, second, score = told
    if score not in {0, 0.5, 1}:
        raise InputError(f"a score is 1, 0.5 or 0, not {score!r}")
    yield Ended(str(first), str(second), int(2 * score))
