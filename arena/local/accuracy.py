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
from arena.local.annotations import digest_of, read_annotations
from arena.local.estimating import Estimated, Sight, sight_of
from arena.local.records import moves_of, read_matches
from arena.theory.statistics.accuracy import STAGES, Accuracy, Losses, one_move, stage_of
from engines.game import Seat
from workers.core.contract import FaultCode

Both = tuple[Accuracy, Accuracy]
"""Of both seats of a game."""
NOTHING: Final[Both] = (Accuracy(), Accuracy())
"""Of a game that is not solved."""
BROKEN_OFF: Final = {*FaultCode, "resign"}
"""Why games end before their time, so that a third of what was played is none of a game."""


def report(path: Path, annotated: Path, unsolved: Mapping[str, str], depth: int) -> dict[str, Any]:
    """How well the bots of a record have played by the annotations of its games, in JSON's terms.

    Bots are told apart by name. Of games that are `unsolved`, by their digest, it is counted why; any
    other game without annotation counts nowhere. A game that was broken off has no stages. Of estimates those
    count that are as deep as is asked for.

    Raises:
        InputError: a file cannot be read.
        SpecError: the game of a record is none that is here.
    """
    games, estimates = dict[str, Both](), dict[tuple[str, Sight], Both]()
    for each in read_annotations(annotated):
        games[each.digest] = _accuracy(each.analysis, 0), _accuracy(each.analysis, 1)
        if told := each.estimated:
            plies = each.analysis.plies
            estimates[each.digest, told.sight] = _estimated(told, plies, 0), _estimated(told, plies, 1)
    exact: defaultdict[str, Accuracy] = defaultdict(Accuracy)
    guessed: defaultdict[str, Accuracy] = defaultdict(Accuracy)
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
        sight = sight_of(record.spec, depth)
        seen = estimates.get((digest, sight), NOTHING) if sight else NOTHING
        for seat, bot in enumerate(record.spec.bots):
            exact[bot.name] += _stages_kept(games.get(digest, NOTHING)[seat], short=short)
            guessed[bot.name] += _stages_kept(seen[seat], short=short)
    return {
        "games": count,
        "depth": depth,
        "broken_off": broken_off,
        "unsolved": [{"why": why, "games": number} for why, number in reasons.most_common()],
        "bots": [
            {**_told(name, exact[name]), "estimated": _guesses(guessed[name])} for name in sorted(exact)
        ],
    }


def _stages_kept(accuracy: Accuracy, *, short: bool) -> Accuracy:
    return replace(accuracy, stages=Accuracy().stages) if short else accuracy


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


def _estimated(told: Estimated, plies: int, seat: Seat) -> Accuracy:
    """What that seat's moves have cost in one game by estimates."""
    stages, moves = [Losses() for _ in STAGES], 0
    for each in told.positions:
        if each.seat == seat and each.points is not None:
            moves += 1
            stages[stage_of(each.ply + 1, plies)] += one_move(choice=False, loss=0, points=each.points)
    return Accuracy(int(moves > 0), moves, reduce(add, stages), tuple(stages))


def _told(name: str, accuracy: Accuracy) -> dict[str, Any]:
    stages = [
        {"stage": stage, **_losses(losses)} for stage, losses in zip(STAGES, accuracy.stages, strict=True)
    ]
    whole = {"games": accuracy.games, "moves": accuracy.moves, **_losses(accuracy.whole)}
    return {"bot": name, **whole, "stages": stages}


def _guesses(accuracy: Accuracy) -> dict[str, Any]:
    stages = [
        {"stage": stage, "moves": losses.scored, "points": losses.mean_points}
        for stage, losses in zip(STAGES, accuracy.stages, strict=True)
    ]
    points = accuracy.whole.mean_points
    return {"games": accuracy.games, "moves": accuracy.moves, "points": points, "stages": stages}


def _losses(losses: Losses) -> dict[str, Any]:
    return {
        "choices": losses.choices,
        "accuracy": losses.accuracy,
        "blunders": losses.blunders,
        "loss": losses.mean_loss,
        "scored": losses.scored,
        "points": losses.mean_points,
    }
