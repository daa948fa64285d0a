"""How well the bots of a record file have played, by the annotations of its games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, Final

from arena.local.analysis import Analysed
from arena.local.annotations import Annotation, digest_of, read_annotations
from arena.local.records import moves_of, read_matches
from arena.theory.statistics.accuracy import STAGES, Accuracy, Losses, one_move, stage_of
from engines.game import Seat
from workers.core.contract import FaultCode

NOTHING: Final = (Accuracy(), Accuracy())
"""Of both seats of a game that is not solved."""
BROKEN_OFF: Final = {*FaultCode, "resign"}
"""Why games end before their time, so that a third of what was played is none of a game."""


def report(path: Path, annotated: Path, unsolved: Mapping[str, str]) -> dict[str, Any]:
    """How well the bots of a record have played by the annotations of its games, in JSON's terms.

    Bots are told apart by name. Of games that are `unsolved`, by their digest, it is counted why; any
    other game without annotation counts nowhere. A game that was broken off has no stages.

    Raises:
        InputError: a file cannot be read.
    """
    games = {each.digest: _judged(each) for each in read_annotations(annotated)}
    bots: defaultdict[str, Accuracy] = defaultdict(Accuracy)
    reasons: Counter[str] = Counter()
    count = broken_off = 0
    for _, record in read_matches(path):
        digest = digest_of(record.spec, moves_of(record))
        if digest in unsolved:
            reasons.update([unsolved[digest]])
        elif digest not in games:
            continue
        count += 1
        short = record.result.reason in BROKEN_OFF
        broken_off += short and digest in games
        for bot, accuracy in zip(record.spec.bots, games.get(digest, NOTHING), strict=True):
            bots[bot.name] += replace(accuracy, stages=Accuracy().stages) if short else accuracy
    return {
        "games": count,
        "broken_off": broken_off,
        "unsolved": [{"why": why, "games": number} for why, number in reasons.most_common()],
        "bots": [_told(name, bots[name]) for name in sorted(bots)],
    }


def _judged(annotation: Annotation) -> tuple[Accuracy, Accuracy]:
    return _accuracy(annotation.analysis, 0), _accuracy(annotation.analysis, 1)


def _accuracy(told: Analysed, seat: Seat) -> Accuracy:
    """How well that seat has played one game."""
    stages, moves = [Losses() for _ in STAGES], 0
    movers = {each.ply + 1: each.seat for each in told.positions}
    for each in told.positions:
        judged, mover = each.judgement, movers.get(each.ply)
        if judged is None or mover != seat:
            continue
        moves += 1
        points = judged.points if judged.worse and each.margin is not None else None
        cost = one_move(choice=bool(judged.choice), loss=judged.loss, points=points)
        stages[stage_of(each.ply, told.plies)] += cost
    return Accuracy(int(moves > 0), moves, reduce(add, stages), tuple(stages))


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
