"""Positions of a match that are too far from its end to be solved, estimated by the champion's search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from arena.local.analysis import Analysed, Moment
from bots.reference.estimates import estimated_by, find_estimator
from engines.game import Game, Seat
from engines.solvers.endgame_limits import DEEPEST_ESTIMATE
from engines.solvers.judging import states_of
from engines.solvers.reversi_estimate import Estimate
from workers.core.contract import Frozen, MatchSpec
from workers.play.referee import game_of


class Sight(Frozen):
    """How positions are estimated: how many plies deep, and by which search with which weights."""

    depth: Annotated[int, Field(ge=1, le=DEEPEST_ESTIMATE)]
    by: str


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


def sight_of(spec: MatchSpec, depth: int) -> Sight | None:
    """How positions of that match are estimated; None where they are not, and where `depth` is 0.

    Raises:
        SpecError: the game is none that is here.
    """
    by = estimated_by(game_of(spec)) if depth else None
    return None if by is None else Sight(depth=depth, by=by)


def estimated(spec: MatchSpec, moves: tuple[str, ...], known: Analysed, sight: Sight) -> Estimated:
    """The positions of a match that come before those of which everything is known.

    Raises:
        GameError, SpecError: the game, or a move of it, is impossible here.
        SolverError: what is compiled was not built.
    """
    game, opening = game_of(spec), len(spec.opening)
    states, estimator = states_of(game, moves), find_estimator(game)
    before = states[: known.positions[0].ply] if known.positions else states
    positions = []
    for ply, state in enumerate(before):
        text = moves[ply] if ply < len(moves) else None
        played = None if text is None else game.move_from_text(text)
        found = estimator.estimate(state, sight.depth, played)
        chosen = text is not None and ply >= opening and len(game.legal_moves(state)) > 1
        positions.append(_position(game, state, ply, text, found, chosen=chosen))
    return Estimated(
        depth=sight.depth,
        by=sight.by,
        positions=tuple(positions),
        costliest=_costliest(positions),
        behind=_behind(positions, known, opening, fewest=_fewest(game)),
    )


def ahead(position: EstimatedPosition, seat: Seat, *, fewest: bool) -> float:
    """By how many points that side is ahead; `fewest` says that the lower score wins."""
    return position.margin if (position.seat == seat) != fewest else -position.margin


def _fewest(game: Game[Any]) -> bool:
    return game.score_sense == "fewest"


def _position(
    game: Game[Any], state: Any, ply: int, played: str | None, found: Estimate, *, chosen: bool
) -> EstimatedPosition:
    return EstimatedPosition(
        ply=ply,
        seat=game.to_move(state),
        margin=-found.value if _fewest(game) else found.value,
        best=game.move_to_text(found.best),
        played=played,
        points=found.value - found.played if chosen else None,
    )


def _costliest(positions: Sequence[EstimatedPosition]) -> Moment | None:
    """The first of the moves that cost most."""
    most = max(positions, key=lambda each: each.points or 0, default=None)
    return Moment(seat=most.seat, ply=most.ply + 1) if most and most.points else None


def _behind(
    positions: Sequence[EstimatedPosition], known: Analysed, opening: int, *, fewest: bool
) -> Moment | None:
    """See `Estimated.behind`."""
    if not positions:
        return None
    if known.positions:
        if known.lost is None or known.lost.ply is not None:
            return None
        loser = known.lost.seat
    else:
        lead = ahead(positions[-1], 0, fewest=fewest)
        if lead == 0:
            return None
        loser = 1 if lead > 0 else 0
    level = [each.ply for each in positions if ahead(each, loser, fewest=fewest) >= 0]
    since = level[-1] + 1 if level else 0
    return Moment(seat=loser, ply=since if since > opening else 0)
