"""A recorded match analysed here by exact solvers, in the words of a terminal."""

from __future__ import annotations

from typing import Final, Literal

from engines.game import Seat
from engines.solvers import Progress, no_progress
from engines.solvers.judging import Judgement
from workers.core.contract import Frozen, MatchSpec
from workers.play.analysis import AnalysedPosition, analysis_of, read
from workers.play.estimating import Moment
from workers.play.referee import game_of

Word = Literal["won", "drawn", "lost"]
WORDS: Final[dict[int, Word]] = {1: "won", 0: "drawn", -1: "lost"}


class Judged(Frozen):
    """What a move has done for the side that made it.

    `points` is what it cost in the score at the end, where the game is counted, and `loss` what it gave away
    of the game: half a point from a win to a draw, or from a draw to a loss. `choice` says whether
    some move there gave a result away, and is None where that is not known; `worse` whether there was
    another move besides the best ones.
    """

    before: Word
    after: Word
    points: int
    loss: float
    choice: bool | None
    worse: bool


class Position(Frozen):
    """A position that is solved, after `ply` plies of which `move` is the last; `seat` is to move.

    `value` and `margin` are that side's; `distance` and `margin` are None where they are not known, and
    `judgement`, which is of the move, also where nobody has chosen it. `more` best moves are not in `best`.
    """

    ply: int
    move: str | None
    seat: Seat
    value: Word
    distance: int | None
    margin: int | None
    best: tuple[str, ...]
    more: int
    judgement: Judged | None


class Analysed(Frozen):
    """What is known of a match, from the first position that is solved on; `unsolved` says why of none.

    `turning` is the last move that gave a result away, and whose it was. `lost` is who stood lost at the end,
    and the ply after which that was so for good: 0 for from the beginning, None for as far back as is known.
    """

    plies: int
    unsolved: str | None
    positions: tuple[Position, ...]
    turning: Moment | None
    lost: Moment | None


def analysed(spec: MatchSpec, moves: tuple[str, ...], progress: Progress = no_progress) -> Analysed:
    """What each position of a match was worth, as far back as that is known, and what its moves have done.

    Raises:
        GameError, SpecError: the game, or a move of it, is impossible here.
    """
    game = game_of(spec)
    found = analysis_of(game, moves, progress)
    if found.unsolved is not None:
        return Analysed(plies=len(moves), unsolved=found.unsolved, positions=(), turning=None, lost=None)
    reading = read(game, moves, len(spec.opening), found)
    turning, lost = reading.turning, reading.lost
    return Analysed(
        plies=len(moves),
        unsolved=None,
        positions=tuple(
            _position(ply, moves, each) for ply, each in enumerate(reading.positions) if each.value
        ),
        turning=None if turning is None else Moment(seat=reading.positions[turning - 1].seat, ply=turning),
        lost=None if lost is None else Moment(seat=lost[0], ply=lost[1]),
    )


def _position(ply: int, moves: tuple[str, ...], told: AnalysedPosition) -> Position:
    value = told.value
    assert value is not None  # noqa: S101  (only what is known is told)
    return Position(
        ply=ply,
        move=moves[ply - 1] if ply else None,
        seat=told.seat,
        value=WORDS[value.result],
        distance=value.distance,
        margin=value.margin,
        best=value.best,
        more=value.more,
        judgement=_judged(told, told.judgement) if told.judgement else None,
    )


def _judged(told: AnalysedPosition, judgement: Judgement) -> Judged:
    return Judged(
        before=WORDS[judgement.before],
        after=WORDS[judgement.after],
        points=judgement.points,
        loss=judgement.loss,
        choice=told.choice,
        worse=told.worse,
    )
