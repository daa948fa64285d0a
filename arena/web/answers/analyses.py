"""Analyses of games, in the words of the API and the pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import Response
from sqlalchemy.orm import Session

from arena.core.errors import ConflictError
from arena.core.terms import MatchState
from arena.schemas import analyses as schemas
from arena.store.models import Analysis, Match, Move
from arena.tournaments import analyses
from arena.tournaments.analyses import Played
from arena.web.answers.positions import game_of as find_rules
from arena.web.answers.team import game_of
from engines.game import Game, Seat
from engines.games import find_presentation
from engines.solvers.judging import states_of
from workers.play import analysis
from workers.play.analysis import AnalysedPosition
from workers.play.estimating import Estimates, ahead, is_fewest, read_estimates

WORTHS: dict[int, schemas.Worth] = {1: "won", 0: "drawn", -1: "lost"}


def played_of(match: Match, moves: Sequence[Move]) -> Played:
    """The game of a match as it is analysed."""
    winner = match.result.winner if match.result else None
    return Played(game_of(match.tournament), [move.move for move in moves], len(match.opening), winner)


def analysis_of(row: Analysis, played: Played, number: int | None = None) -> schemas.AnalysisOut | None:
    """What was found out of a game, of that number; None where this installation has not these rules."""
    game = find_rules(played.game)
    if game is None or row.answer is None:
        return None
    found = analysis.Analysis.model_validate(row.answer)
    moves = tuple(played.moves)
    reading = analysis.read(game, moves, played.opening, found)
    states, turn = states_of(game, moves), reading.turning
    return schemas.AnalysisOut(
        number=number,
        plies=len(moves),
        unsolved=found.unsolved,
        positions=[
            _valued(game, states[ply], ply, told) for ply, told in enumerate(reading.positions) if told.value
        ],
        turning=None if turn is None else schemas.TurnOut(seat=reading.positions[turn - 1].seat, ply=turn),
        lost=None if reading.lost is None else schemas.LostOut(seat=reading.lost[0], ply=reading.lost[1]),
        estimated=_estimated(game, states, played, found.estimates, reading.lost),
    )


def done_analysis(session: Session, played: Played, number: int | None = None) -> schemas.AnalysisOut:
    """What was found out of a game that is no match's.

    Raises:
        NotFoundError, PendingError, ConflictError: it is not there, not yet, or cannot be told.
    """
    told = analysis_of(analyses.done_played(session, played), played, number)
    if told is None:
        raise ConflictError("this installation has other rules than those that this game was played by")
    return told


def asked_analysis(response: Response, row: Analysis, number: int | None = None) -> schemas.AnalysisAsked:
    """What somebody is told who has asked for one, with when to look."""
    if row.state != MatchState.FINISHED:
        response.headers["Retry-After"] = str(analyses.RETRY_SECONDS)
    return schemas.AnalysisAsked(number=number, state=row.state)


def _estimated(
    game: Game[Any],
    states: Sequence[Any],
    played: Played,
    found: Estimates | None,
    lost: tuple[Seat, int | None] | None,
) -> schemas.EstimatesOut | None:
    if found is None:
        return None
    told = read_estimates(game, played.moves, played.opening, found, lost)
    costliest, behind, fewest = told.costliest, told.behind, is_fewest(game)
    return schemas.EstimatesOut(
        depth=told.depth,
        by=told.by,
        positions=[
            schemas.EstimatedPositionOut(
                ply=each.ply,
                seat=each.seat,
                margin=each.margin,
                ahead=ahead(each, 0, fewest=fewest),
                best=_best(game, states[each.ply], each.best),
                points=each.points,
            )
            for each in told.positions
        ],
        costliest=None if costliest is None else schemas.CostliestOut(seat=costliest.seat, ply=costliest.ply),
        behind=None if behind is None else schemas.BehindOut(seat=behind.seat, ply=behind.ply),
    )


def _best(game: Game[Any], state: Any, text: str) -> schemas.BestMoveOut:
    """A best move with the places of the board that it is pointed at by."""
    path = find_presentation(game.name).path(game, state, game.move_from_text(text))
    return schemas.BestMoveOut(move=text, places=list(path.places))


def _valued(game: Game[Any], state: Any, ply: int, told: AnalysedPosition) -> schemas.ValuedOut:
    value = told.value
    assert value is not None  # noqa: S101  (only what is known is told)
    return schemas.ValuedOut(
        ply=ply,
        seat=told.seat,
        value=WORTHS[value.result],
        distance=value.distance,
        margin=value.margin,
        best=[_best(game, state, text) for text in value.best],
        more=value.more,
        judgement=_judged(told),
    )


def _judged(told: AnalysedPosition) -> schemas.JudgementOut | None:
    judgement = told.judgement
    if judgement is None:
        return None
    return schemas.JudgementOut(
        before=WORTHS[judgement.before],
        after=WORTHS[judgement.after],
        points=judgement.points,
        loss=judgement.loss,
        choice=told.choice,
    )
