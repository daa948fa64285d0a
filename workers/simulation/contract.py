"""What a simulation is and what it comes to: `SimulationSpec` in, `Block`s of counted games out.

Everything that a game depends on is in the spec and the game's index. A block holds only integers (and the
games themselves when asked for), and checks on arrival that they fit together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, model_validator

from workers.core.contract import Count, Frozen, GameSpec, Limits, Many, Name, Policy, Seat, TimeControl

FORMAT: Final = 1

CHECK_EVERY: Final = 1000
"""Blocks may be cut at multiples of this index, and only there a stopping rule looks at the games before."""

MAX_GAMES: Final = 10**11
"""Games of one simulation: the sums of their plies still fit the integers that every JSON reader keeps."""

Two = tuple[Count, Count]
Three = tuple[Count, Count, Count]
Five = tuple[Count, Count, Count, Count, Count]
Index = Literal[0, 1]


class RowOf(StrEnum):
    """What a row of recorded games is."""

    GAME = "game"
    PLY = "ply"


class SimulatedPlayer(Frozen):
    """One player, of exactly one kind; `name` is how people call it, and no game depends on it.

    `strategy` plays in-process, by its canonical name as `engines.strategies` reads it; `archive` is a
    submitted bot, by the SHA-256 of its files; `command` starts a process on this machine.
    """

    name: Name
    strategy: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    archive: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None
    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> SimulatedPlayer:
        if sum(kind is not None for kind in (self.strategy, self.archive, self.command)) != 1:
            raise ValueError("a player has exactly one of strategy, archive and command")
        return self


class SimulationSpec(Frozen):
    """Games 0 to ``games - 1`` between two players.

    The games' streams are keyed by `seed` and `match`. With `swap` players[0] sits in seat 1 in games with an
    odd index, and two games in a row have the same opening. `policy` has every number filled in
    (`workers.play.policy.policy_of`). `time` and `limits` concern processes only.
    """

    format: Literal[1] = FORMAT
    game: GameSpec
    players: tuple[SimulatedPlayer, SimulatedPlayer]
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)]
    seed: Annotated[int, Field(ge=0, le=2**53 - 1)]
    match: Annotated[int, Field(ge=0, le=2**53 - 1)] = 0
    swap: bool = False
    openings: tuple[tuple[str, ...], ...] = ()
    policy: Policy = Policy()
    time: TimeControl = TimeControl()
    limits: Limits = Limits()
    record_games: bool = False

    @model_validator(mode="after")
    def _opens_alike(self) -> SimulationSpec:
        if len({len(opening) for opening in self.openings}) > 1:
            raise ValueError("the openings of a simulation have the same number of plies")
        return self

    @property
    def digest(self) -> str:
        """The SHA-256 of the spec, in hexadecimal: equal digests come to equal numbers."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def paired(self) -> bool:
        """Whether two games in a row have the same opening, and so are not independent."""
        return self.swap and bool(self.openings)

    def swapped(self, index: int) -> bool:
        """Whether players[0] sits in seat 1 in that game."""
        return self.swap and index % 2 == 1

    def opening_number(self, index: int) -> int:
        """Which of `openings` that game begins with, counted from 0; 0 too where there are none."""
        return (index // 2 if self.swap else index) % len(self.openings or ((),))


class GameLine(Frozen):
    """One game. `seats` are the indices of the players in seat 0 and seat 1; `score` is by seat.

    `moves` is the whole game in the field's notation, opening and passes included.
    """

    index: Count
    seats: tuple[Index, Index]
    moves: Many[str]
    winner: Seat | None
    reason: str
    score: tuple[int, int]
    plies: Count


class Tally(Frozen):
    """How a number of games ended.

    - `results[swapped]` counts the games that seat 0 won, that were drawn, and that seat 1 won; row 1 holds
      those in which players[0] sat in seat 1.
    - `double_forfeits`: games that both lost; they stand in no row of `results`.
    - `plies`, and `scores` by player, are sums; `forfeits` counts by player.
    - `ends` counts by the reason that the game, the match's policy or a forfeit gives.
    - `pairs`, with swapped seats only, counts the games 2k and 2k+1 taken together by the half points of
      players[0], 0 to 4.
    """

    games: Count = 0
    results: tuple[Three, Three] = ((0, 0, 0), (0, 0, 0))
    double_forfeits: Count = 0
    plies: Count = 0
    scores: tuple[int, int] = (0, 0)
    forfeits: Two = (0, 0)
    ends: dict[str, Count] = Field(default_factory=dict)
    pairs: Five = (0, 0, 0, 0, 0)

    @model_validator(mode="after")
    def _adds_up(self) -> Tally:
        if sum(map(sum, self.results)) + self.double_forfeits != self.games:
            raise ValueError("the results do not add up to the number of games")
        if sum(self.ends.values()) != self.games:
            raise ValueError("the ends do not add up to the number of games")
        if 2 * sum(self.pairs) > self.games or max(self.forfeits) > self.games:
            raise ValueError("there are more pairs or forfeits than games")
        return self

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        results = tuple(
            tuple(a + b for a, b in zip(*rows, strict=True))
            for rows in zip(self.results, other.results, strict=True)
        )
        return Tally(
            games=self.games + other.games,
            results=results,
            double_forfeits=self.double_forfeits + other.double_forfeits,
            plies=self.plies + other.plies,
            scores=(self.scores[0] + other.scores[0], self.scores[1] + other.scores[1]),
            forfeits=(self.forfeits[0] + other.forfeits[0], self.forfeits[1] + other.forfeits[1]),
            ends=_sum_by_key(self.ends, other.ends),
            pairs=tuple(a + b for a, b in zip(self.pairs, other.pairs, strict=True)),
        )

    @property
    def wins_draws_losses(self) -> Three:
        """The games that players[0] won, drew and lost; one that both lost counts as lost."""
        (won, drawn, lost), (swapped_lost, swapped_drawn, swapped_won) = self.results
        return won + swapped_won, drawn + swapped_drawn, lost + swapped_lost + self.double_forfeits


class GameRecord(GameLine):
    """A line of a file of games: a game, and what it takes to show it without the simulation that it is of.

    `players` are the names of the simulation's two players, `simulation` is the digest of its spec, or what
    an arena calls its experiment. The first `opening_plies` moves were asked of nobody.
    """

    game: GameSpec
    policy: Policy
    opening_plies: Count
    players: tuple[Name, Name]
    simulation: str


class Block(Frozen):
    """The games from index `start` on, `count` of them.

    When the spec asks for the games, `games` holds them; or `written` does, each as a `GameLine` in JSON on a
    line of its own, for whoever plays them in order to write them down. What is sent has no `written`.
    """

    start: Count
    count: Annotated[int, Field(ge=1)]
    tally: Tally
    games: Many[GameLine] = ()
    written: Annotated[bytes, Field(exclude=True)] = b""

    @model_validator(mode="after")
    def _fits_together(self) -> Block:
        if self.tally.games != self.count:
            raise ValueError(f"the tally of {self.count} games counts {self.tally.games}")
        if self.games and [line.index for line in self.games] != list(range(self.start, self.end)):
            raise ValueError("the games are not those of the block")
        return self

    @property
    def end(self) -> int:
        """The first index after the block."""
        return self.start + self.count


def record_tail(spec: SimulationSpec, name: str | None = None) -> bytes:
    """What makes the JSON of a `GameLine` of `spec`, its last brace taken away, that of a `GameRecord`.

    `name` is what the simulation is called, its digest unless given.
    """
    told = {
        "game": spec.game.model_dump(mode="json"),
        "policy": spec.policy.model_dump(mode="json"),
        "opening_plies": len(spec.openings[0]) if spec.openings else 0,
        "players": [player.name for player in spec.players],
        "simulation": name or spec.digest,
    }
    return f",{json.dumps(told, ensure_ascii=False, separators=(',', ':'))[1:]}".encode()


def _sum_by_key(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in sorted({*one, *other})}
