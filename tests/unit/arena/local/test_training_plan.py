"""The work of a training: that all of it is there once, and in which order it comes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from arena.local.trained import command, recipe
from engines.games.reversed_reversi import ReversedReversi
from engines.strategies.reversi_training import Round, StageFit, Training
from workers.training.plan import (
    OPENINGS,
    Chunk,
    Plan,
    Progress,
    first_game,
    first_opening,
    games_of,
    openings_after,
    stages_of,
)


class Counting(Training):
    """Weights are what was learned of each stage, one after another."""

    def file(self, kept: Sequence[bytes]) -> bytes:
        return b"|".join(kept)


PLAN = Plan(Counting(ReversedReversi(4)), 5, (Round(100, 2, 4, 8), Round(300, 3, 4, 8)))


def numbers(first: int, chunk: Chunk) -> list[int]:
    """The numbers of a chunk whose first is that."""
    return list(range(first, first + chunk.size))


def test_every_game_has_a_number_of_its_own() -> None:
    """Games of both rounds come first, without a gap, then the openings of both comparisons."""
    games = [
        each
        for at in range(2)
        for chunk in games_of(PLAN, at)
        for each in numbers(first_game(PLAN, chunk), chunk)
    ]
    assert games == list(range(400))
    openings = [
        each
        for at in range(2)
        for chunk in openings_after(at)
        for each in numbers(first_opening(PLAN, chunk), chunk)
    ]
    assert openings == list(range(400, 400 + 2 * OPENINGS))


def test_a_round_is_whole_when_all_of_it_is_known() -> None:
    """Games in any order are fitted in theirs; weights come with the last stage."""
    progress = Progress(PLAN)
    for chunk in reversed(list(games_of(PLAN, 0))):
        progress.games[chunk] = b"%d," % chunk.first
    assert progress.games_left(0) == []
    assert progress.to_fit(0) == b"".join(b"%d," % chunk.first for chunk in games_of(PLAN, 0))
    stages = list(stages_of(PLAN, 0))
    for chunk in reversed(stages):
        assert progress.fits == []
        progress.fitted(chunk, StageFit(b"%d" % chunk.first, 8.0, 2, 9.0, 1))
    (fit,) = progress.fits
    assert fit == (b"|".join(b"%d" % chunk.first for chunk in stages), 4.0, 9.0)
    assert (progress.weights(0), progress.weights(1)) == (None, fit.weights)
    assert progress.games_left(0) == progress.stages_left(0) == []
    assert progress.games_left(1) == list(games_of(PLAN, 1))
    for chunk in openings_after(0):
        assert progress.learned() == []
        progress.points[chunk] = 3 * chunk.size
    (learned,) = progress.learned()
    assert (learned.points, learned.games) == (1.5 * OPENINGS, 2 * OPENINGS)
    assert not progress.done


def test_a_recipe_names_the_command_and_the_weights() -> None:
    """Rounds, rule, board and seed stand in the command; the digest is that of the last weights."""
    assert command(PLAN) == (
        "arena train reversed_reversi --param reversed=true --param size=4"
        " --rounds 100:2:4:8,300:3:4:8 --seed 5 --out FOLDER"
    )
    progress = Progress(PLAN)
    for number in range(2):
        assert recipe(PLAN, progress.learned())["weights"] is None
        for chunk in stages_of(PLAN, number):
            progress.fitted(chunk, StageFit(b"%d" % number, 8.0, 2, 9.0, 1))
        for chunk in openings_after(number):
            progress.points[chunk] = 2 * chunk.size
    told = recipe(PLAN, progress.learned())
    assert told["weights"]["sha256"] == hashlib.sha256(b"1|1|1").hexdigest()
    assert told["curve"][1]["sha256"] == told["weights"]["sha256"]
    assert [each["points"] / each["games"] for each in told["curve"]] == [0.5, 0.5]
    assert told["curve"][0]["points_low"] < OPENINGS < told["curve"][0]["points_high"]
