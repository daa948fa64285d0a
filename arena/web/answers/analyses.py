"""Analyses of games, in the words of the API and the pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.schemas import analyses as schemas
from arena.store.models import Analysis, Match, Move
from arena.web.answers.positions import game_of as find_rules
from arena.web.answers.team import game_of
from engines.game import Game
from engines.games import find_presentation
from engines.solvers.judging import Judgement, states_of
from workers.play import analysis
from workers.play.analysis import Told

WORTHS: dict[int, schemas.Worth] = {1: "won", 0: "drawn", -1: "lost"}


def analysis_of(row: Analysis, match: Match, moves: Sequence[Move]) -> schemas.AnalysisOut | None:
    """What was found out of a match; None where this installation has not these rules."""
    game = find_rules(game_of(match.tournament))
    if game is None or row.answer is None:
        return None
    found = analysis.Analysis.model_validate(row.answer)
    played = tuple(move.move for move in moves)
    reading = analysis.read(game, played, len(match.opening), found)
    states = states_of(game, played)
    return schemas.AnalysisOut(
        number=match.number,
        plies=len(played),
        unsolved=found.unsolved,
        positions=[
            _valued(game, states[ply], ply, told) for ply, told in enumerate(reading.positions) if told.value
        ],
        lost=None if reading.lost is None else schemas.LostOut(seat=reading.lost[0], ply=reading.lost[1]),
    )


def _valued(game: Game[Any], state: Any, ply: int, told: Told) -> schemas.ValuedOut:
    value = told.value
    assert value is not None  # noqa: S101  (only what is known is told)
    presentation = find_presentation(game.name)
    best = [
        schemas.BestMoveOut(
            move=text, places=list(presentation.path(game, state, game.move_from_text(text)).places)
        )
        for text in value.best
    ]
    return schemas.ValuedOut(
        ply=ply,
        seat=told.seat,
        value=WORTHS[value.result],
        distance=value.distance,
        margin=value.margin,
        best=best,
        more=value.more,
        judgement=_judged(told.judgement),
    )


def _judged(judgement: Judgement | None) -> schemas.JudgementOut | None:
    if judgement is None:
        return None
    return schemas.JudgementOut(
        before=WORTHS[judgement.before], after=WORTHS[judgement.after], points=judgement.points
    )
