"""Positions of a game that are too far from its end to be solved, estimated by the champion's search.

A worker does it for the arena, and the command line at home; both read what was found out in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import Field, FiniteFloat

from bots.reference.estimates import estimated_by, find_estimator
from engines.game import Game, Seat
from engines.solvers.endgame_limits import DEEPEST_ESTIMATE
from engines.solvers.judging import states_of
from workers.core.contract import Frozen


class Sight(Frozen):
    """How positions are estimated: how many plies deep, and by which search with which weights."""

    depth: Annotated[int, Field(ge=1, le=DEEPEST_ESTIMATE)]
    by: Annotated[str, Field(max_length=64, pattern=r"^[0-9A-Za-z-]+$")]


class Guess(Frozen):
    """What a position is worth to the side to move, as it is estimated.

    `margin` is its score less the other's at the end, and `best` its best move. `points` is what the move
    that followed cost by the same search, None where none did, or where it was the only one.
    """

    margin: FiniteFloat
    best: Annotated[str, Field(max_length=100)]
    points: Annotated[FiniteFloat, Field(ge=0)] | None


class Estimates(Sight):
    """The positions of a game from the first on, as far as they are not solved."""

    values: Annotated[tuple[Guess, ...], Field(max_length=100_000)]


class Moment(Frozen):
    """A side and a ply that says something of it."""

    seat: Seat
    ply: int | None


class EstimatedPosition(Frozen):
    """A position after `ply` plies that is not solved, as it is estimated for `seat`, who is to move.

    `margin` is that side's score less the other's at the end, as of positions that are solved. `played` is
    the move that followed, if one did, and `points` what it cost in the score, by the same search; None where
    nobody has chosen it: a move of the opening, or the only one.
    """

    ply: int
    seat: Seat
    margin: float
    best: str
    played: str | None
    points: float | None


class Estimated(Sight):
    """All positions of a match before the first that is solved.

    `costliest` is the move that cost most, None where none cost anything. `behind` is who stood lost as far
    back as positions are solved, or was behind in the last one where none is; and the ply from which that
    side was behind by the estimates, 0 for before it had a choice. It is None where exact values tell who
    lost by which move, or that nobody did.
    """

    positions: tuple[EstimatedPosition, ...]
    costliest: Moment | None
    behind: Moment | None

    @property
    def sight(self) -> Sight:
        """How they were estimated, and nothing more."""
        return Sight(depth=self.depth, by=self.by)


def sight_of(game: Game[Any], depth: int) -> Sight | None:
    """How positions of that game are estimated; None where they are not, and where `depth` is 0."""
    by = estimated_by(game) if depth else None
    return None if by is None else Sight(depth=depth, by=by)


def estimates_of(
    game: Game[Any],
    moves: Sequence[str],
    count: int,
    sight: Sight,
    told: Callable[[int], object] = lambda _: None,
) -> Estimates:
    """Estimate the first `count` positions of a game, as `sight_of` says.

    `told` is called with each ply before it is estimated, and may raise.

    Raises:
        GameError: a move cannot be played.
        SolverError: what is compiled was not built.
    """
    estimator = find_estimator(game)
    values = []
    for ply, state in enumerate(states_of(game, moves)[:count]):
        told(ply)
        played = game.move_from_text(moves[ply]) if ply < len(moves) else None
        found = estimator.estimate(state, sight.depth, played)
        alternatives = played is not None and len(game.legal_moves(state)) > 1
        values.append(
            Guess(
                margin=-found.value if is_fewest(game) else found.value,
                best=game.move_to_text(found.best),
                points=found.value - found.played if alternatives else None,
            )
        )
    return Estimates(**sight.model_dump(), values=tuple(values))


def read_estimates(
    game: Game[Any],
    moves: Sequence[str],
    opening: int,
    found: Estimates,
    lost: tuple[Seat, int | None] | None,
) -> Estimated:
    """What estimates say of a game whose first plies, so many as the `opening` has, nobody has chosen.

    `lost` is what exact values say, as in `workers.play.analysis.Reading`.

    Raises:
        GameError: a move cannot be played, or a best move is none of its position.
    """
    states, positions = states_of(game, moves), []
    for ply, guess in enumerate(found.values):
        game.play(states[ply], game.move_from_text(guess.best))
        played = moves[ply] if ply < len(moves) else None
        chosen = ply >= opening and played is not None and len(game.legal_moves(states[ply])) > 1
        positions.append(
            EstimatedPosition(
                ply=ply,
                seat=game.to_move(states[ply]),
                margin=guess.margin,
                best=guess.best,
                played=played,
                points=guess.points if chosen else None,
            )
        )
    solved = len(positions) < len(states)
    return Estimated(
        depth=found.depth,
        by=found.by,
        positions=tuple(positions),
        costliest=_costliest(positions),
        behind=_behind(positions, opening, lost, solved=solved, fewest=is_fewest(game)),
    )


def ahead(position: EstimatedPosition, seat: Seat, *, fewest: bool) -> float:
    """By how many points that side is ahead; `fewest` says that the lower score wins."""
    return position.margin if (position.seat == seat) != fewest else -position.margin


def is_fewest(game: Game[Any]) -> bool:
    """Whether the lower score wins."""
    return game.score_sense == "fewest"


def _costliest(positions: Sequence[EstimatedPosition]) -> Moment | None:
    """The first of the moves that cost most."""
    most = max(positions, key=lambda each: each.points or 0, default=None)
    return Moment(seat=most.seat, ply=most.ply + 1) if most and most.points else None


def _behind(
    positions: Sequence[EstimatedPosition],
    opening: int,
    lost: tuple[Seat, int | None] | None,
    *,
    solved: bool,
    fewest: bool,
) -> Moment | None:
    """See `Estimated.behind`; `solved` says whether the game has exact values."""
    if not positions:
        return None
    if solved:
        if lost is None or lost[1] is not None:
            return None
        loser = lost[0]
    else:
        lead = ahead(positions[-1], 0, fewest=fewest)
        if lead == 0:
            return None
        loser = 1 if lead > 0 else 0
    level = [each.ply for each in positions if ahead(each, loser, fewest=fewest) >= 0]
    since = level[-1] + 1 if level else 0
    return Moment(seat=loser, ply=since if since > opening else 0)
