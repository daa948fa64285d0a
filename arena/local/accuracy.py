"""How well the bots of a record file have played, by the annotations of its games."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from arena.local.analysis import Analysed
from arena.local.annotations import Annotation, digest_of, read_annotations
from arena.local.records import moves_of, read_matches
from arena.theory.statistics.accuracy import STAGES, Accuracy, Losses, one_move, stage_of
from engines.game import Seat


def report(path: Path, annotated: Path) -> dict[str, Any]:
    """How well the bots of a record have played by the annotations of its games, in JSON's terms.

    Bots are told apart by name. A game without annotation counts nowhere.

    Raises:
        InputError: a file cannot be read.
    """
    games = {each.digest: _judged(each) for each in read_annotations(annotated)}
    bots: defaultdict[str, Accuracy] = defaultdict(Accuracy)
    unsolved: Counter[str] = Counter()
    count = 0
    for _, record in read_matches(path):
        judged = games.get(digest_of(record.spec, moves_of(record)))
        if judged is None:
            continue
        count += 1
        unsolved.update([judged.unsolved] if judged.unsolved else [])
        for bot, accuracy in zip(record.spec.bots, judged.seats, strict=True):
            bots[bot.name] += accuracy
    return {
        "games": count,
        "unsolved": [{"why": why, "games": number} for why, number in unsolved.most_common()],
        "bots": [_told(name, bots[name]) for name in sorted(bots)],
    }


class _Judged(NamedTuple):
    """What is needed of an annotation."""

    unsolved: str | None
    seats: tuple[Accuracy, Accuracy]


def _judged(annotation: Annotation) -> _Judged:
    told = annotation.analysis
    return _Judged(told.unsolved, (_accuracy(told, 0), _accuracy(told, 1)))


def _accuracy(told: Analysed, seat: Seat) -> Accuracy:
    """How well that seat has played one game."""
    stages, moves = [Losses() for _ in STAGES], 0
    movers = {each.ply + 1: each.seat for each in told.positions}
    for each in told.positions:
        judged, mover = each.judgement, movers.get(each.ply)
        if judged is None or mover != seat:
            continue
        moves += 1
        if judged.choice:
            points = None if each.margin is None else judged.points
            cost = one_move(lost=judged.before == "lost", loss=judged.loss, points=points)
            stages[stage_of(each.ply, told.plies)] += cost
    return Accuracy(int(moves > 0), moves, tuple(stages))


def _told(name: str, accuracy: Accuracy) -> dict[str, Any]:
    stages = [
        {"stage": stage, **_losses(losses)} for stage, losses in zip(STAGES, accuracy.stages, strict=True)
    ]
    whole = {"games": accuracy.games, "moves": accuracy.moves, **_losses(accuracy.whole)}
    return {"bot": name, **whole, "stages": stages}


def _losses(losses: Losses) -> dict[str, Any]:
    return {
        "choices": losses.choices,
        "accuracy": losses.accuracy,
        "blunders": losses.blunders,
        "loss": losses.mean_loss,
        "scored": losses.scored,
        "points": losses.mean_points,
    }
