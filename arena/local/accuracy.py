"""How well the bots of a record file have played, by the annotations of its games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena.local.analysis import Analysed
from arena.local.annotations import digest_of, read_annotations
from arena.local.records import moves_of, read_matches
from arena.theory.statistics.accuracy import (
    BROKEN_OFF,
    Accuracy,
    Both,
    Chosen,
    by_estimates,
    of_game,
    told,
    told_estimates,
)
from workers.play.estimating import Sight, sight_of
from workers.play.referee import game_of

NOTHING: Final[Both] = (Accuracy(), Accuracy())
"""Of a game that is not solved."""


def report(path: Path, annotated: Path, unsolved: Mapping[str, str], depth: int) -> dict[str, Any]:
    """How well the bots of a record have played by the annotations of its games, in JSON's terms.

    Bots are told apart by name. Of games that are `unsolved`, by their digest, it is counted why; any
    other game without annotation counts nowhere, nor does one without a move. A game that was broken off has
    no stages. Of estimates those count that are as deep as is asked for.

    Raises:
        InputError: a file cannot be read.
        SpecError: the game of a record is none that is here.
    """
    games, estimates = dict[str, Both](), dict[tuple[str, Sight], Both]()
    for each in read_annotations(annotated):
        games[each.digest] = _accuracy(each.analysis)
        if seen := each.estimated:
            costs = ((at.seat, at.ply + 1, at.points) for at in seen.positions)
            estimates[each.digest, seen.sight] = by_estimates(costs, each.analysis.plies)
    exact: defaultdict[str, Accuracy] = defaultdict(Accuracy)
    guessed: defaultdict[str, Accuracy] = defaultdict(Accuracy)
    reasons: Counter[str] = Counter()
    count = broken_off = 0
    for _, record in read_matches(path):
        moves = moves_of(record)
        if not moves:
            continue
        digest = digest_of(record.spec, moves)
        if digest in unsolved:
            reasons.update([unsolved[digest]])
        elif digest not in games:
            continue
        count += 1
        short = record.result.reason in BROKEN_OFF
        broken_off += short and digest in games
        sight = sight_of(game_of(record.spec), depth)
        guesses = estimates.get((digest, sight), NOTHING) if sight else NOTHING
        for seat, bot in enumerate(record.spec.bots):
            solved, guess = games.get(digest, NOTHING)[seat], guesses[seat]
            exact[bot.name] += solved.without_stages if short else solved
            guessed[bot.name] += guess.without_stages if short else guess
    return {
        "games": count,
        "depth": depth,
        "broken_off": broken_off,
        "unsolved": [{"why": why, "games": number} for why, number in reasons.most_common()],
        "bots": [
            {"bot": name, **told(exact[name]), "estimated": told_estimates(guessed[name])}
            for name in sorted(exact)
        ],
    }


def _accuracy(known: Analysed) -> Both:
    """How well both seats have played one game."""
    movers = {each.ply + 1: each.seat for each in known.positions}
    chosen = [
        Chosen(
            seat=movers[each.ply],
            ply=each.ply,
            choice=judged.choice,
            loss=judged.loss,
            points=judged.points if judged.worse and each.margin is not None else None,
        )
        for each in known.positions
        if (judged := each.judgement) is not None
    ]
    return of_game(chosen, known.plies)
