"""A game analysed by exact solvers: what is told of each of its positions, as far back as they are known.

What comes before may be estimated, and is told apart. Whatever has the moves can have them analysed: a worker
does it for the arena, and the command line at home.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from engines.game import Game, Seat
from engines.solvers import Progress, SolverError, no_progress
from engines.solvers.endgame_limits import ESTIMATE_DEPTH
from engines.solvers.judging import (
    Judgement,
    Known,
    Stoppable,
    Worth,
    find_judge,
    judge_game,
    judgements,
    losing_move,
    states_of,
)
from workers.core.contract import Frozen, MatchSpec
from workers.core.halt import Halt, stopping
from workers.play.estimating import Estimates, estimates_of, sight_of
from workers.play.referee import game_of

MAX_BEST = 12
"""So many of the best moves of a position are told."""


class Valued(Frozen):
    """What a position is worth to the side to move: 1 won, 0 drawn, -1 lost; and its best moves.

    `distance` are the plies to the end with perfect play and `margin` the score less the other side's then,
    each where it is known; `more` is how many best moves there are besides. `stake` says whether some move
    has a worse result, and is None where that is not known, or where nobody has moved.
    """

    result: Literal[-1, 0, 1]
    distance: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    margin: Annotated[int, Field(gt=-(2**31), lt=2**31)] | None = None
    best: Annotated[tuple[str, ...], Field(max_length=MAX_BEST)] = ()
    more: Annotated[int, Field(ge=0, lt=2**31)] = 0
    stake: bool | None = None


class Analysis(Frozen):
    """What is known of a game: of the position after `first` plies, and of every one that follows.

    `values` is empty where nothing is, and `unsolved` says why where the game has no solver for it.
    `estimates` are of the positions before, where something estimates them.
    """

    first: Annotated[int, Field(ge=0, lt=2**31)]
    values: Annotated[tuple[Valued, ...], Field(max_length=100_000)]
    unsolved: Annotated[str, Field(max_length=500, pattern=r"^[^\x00]*$")] | None = None
    estimates: Estimates | None = None


class AnalysedPosition(NamedTuple):
    """A position of a game that was analysed: what it is worth, and what the move that led to it has done.

    `value` is None where that is not known, `judgement` also where nobody has chosen the move. Of the choice
    that this was, `choice` says whether some move gave a result away, None where that is not known, and
    `worse` whether there was another move besides the best ones.
    """

    seat: Seat
    value: Valued | None
    judgement: Judgement | None
    choice: bool | None
    worse: bool


class Reading(NamedTuple):
    """An analysis read beside its game, from the first position on.

    `turning` is the ply of the last move that gave a result away, None where none did. `lost` is who stood
    lost at the end, and after which ply that was so for good; 0 for from the beginning, and None for as far
    back as is known.
    """

    positions: tuple[AnalysedPosition, ...]
    turning: int | None
    lost: tuple[Seat, int | None] | None


def analyse(spec: MatchSpec, halt: Halt, progress: Progress = no_progress) -> Analysis:
    """Analyse the game that is the opening of `spec`; `halt` breaks it off.

    What cannot be solved is estimated, where what is compiled for it was built.

    Raises:
        SpecError: the game is none that is here.
        GameError: a move cannot be played.
        HaltError: it was broken off.
    """

    def told(ply: int) -> None:
        del ply
        halt.check()

    game, moves = game_of(spec), spec.opening
    with stopping(halt) as stop:
        found = analysis_of(game, moves, progress, told, stop)
    halt.check()
    sight = sight_of(game, ESTIMATE_DEPTH)
    if sight and found.unsolved is None and found.first:
        with suppress(SolverError):
            seen = estimates_of(game, moves, found.first, sight, told)
            found = found.model_copy(update={"estimates": seen})
    return found


def analysis_of(
    game: Game[Any],
    moves: Sequence[str],
    progress: Progress = no_progress,
    told: Callable[[int], object] = lambda _: None,
    stop: bytearray | None = None,
) -> Analysis:
    """Analyse a game by its moves; `told` is called with each ply before it is judged, and may raise.

    A search ends soon after the byte `stop` is set; what is returned then says nothing.

    What was at stake is found out when all values are, from the last position on, as a judge wants it.

    Raises:
        GameError: a move cannot be played.
    """
    states = states_of(game, moves)
    try:
        judge = find_judge(game, progress)
        if stop is not None and isinstance(judge, Stoppable):
            judge.stop_by(stop)
        worths = judge_game(game, moves, judge, told)
        stakes: list[bool | None] = [None] * len(states)
        for ply in reversed(range(len(moves))):
            worth = worths[ply]
            if worth is None:
                break
            if game.forced_pass(states[ply]) is None:
                told(ply)
                stakes[ply] = judge.at_stake(states[ply], worth)
    except SolverError as error:
        return Analysis(first=len(states), values=(), unsolved=str(error)[:500])
    values = tuple(
        _valued(game, worth, stake) for worth, stake in zip(worths, stakes, strict=True) if worth is not None
    )
    return Analysis(first=len(states) - len(values), values=values)


def _valued(game: Game[Any], worth: Worth, stake: bool | None) -> Valued:
    (result, distance), best = worth.value, worth.best
    return Valued(
        result=result,
        distance=distance,
        margin=worth.margin,
        best=tuple(game.move_to_text(move) for move in best[:MAX_BEST]),
        more=max(0, len(best) - MAX_BEST),
        stake=stake,
    )


def read(game: Game[Any], moves: tuple[str, ...], opening: int, analysis: Analysis) -> Reading:
    """What an analysis says of a game whose first plies, so many as the `opening` has, nobody has chosen.

    Raises:
        GameError: a move cannot be played, or a best move is none of its position.
    """
    states = states_of(game, moves)
    known: list[Known | None] = [None] * len(states)
    values: list[Valued | None] = [None] * len(states)
    for ply, value in enumerate(analysis.values, start=analysis.first):
        for text in value.best:
            game.play(states[ply], game.move_from_text(text))
        values[ply] = value
        known[ply] = Known(game.to_move(states[ply]), value.result, value.margin)
    judged: list[Judgement | None] = [None, *judgements(known)]
    for ply in range(1, len(states)):
        if ply <= opening or game.forced_pass(states[ply - 1]) is not None:
            judged[ply] = None
    told = tuple(
        AnalysedPosition(
            game.to_move(state), values[ply], judgement, *_others(game, states, values, ply, judgement)
        )
        for ply, (state, judgement) in enumerate(zip(states, judged, strict=True))
    )
    turns = [ply for ply, judgement in enumerate(judged) if judgement is not None and judgement.gave_away]
    return Reading(told, turns[-1] if turns else None, _lost(known, judged))


def _others(
    game: Game[Any],
    states: Sequence[Any],
    values: Sequence[Valued | None],
    ply: int,
    judgement: Judgement | None,
) -> tuple[bool | None, bool]:
    """`AnalysedPosition.choice` and `AnalysedPosition.worse` of the move that led to a position."""
    before = values[ply - 1] if judgement is not None else None
    if before is None:
        return None, False
    return before.stake, len(before.best) + before.more < len(game.legal_moves(states[ply - 1]))


def _lost(known: list[Known | None], judged: list[Judgement | None]) -> tuple[Seat, int | None] | None:
    """Who stood lost at the end, and since which ply; a move of the opening is nobody's mistake."""
    found = losing_move(known)
    if found is None:
        return None
    loser, move = found
    if move is not None and judged[move + 1] is not None:
        return loser, move + 1
    unknown = move is None and known[0] is None
    return loser, None if unknown else 0
