"""What is told of the time that a training takes, from games of which nobody knows how long they are."""

from __future__ import annotations

import threading

import pytest

from arena.local.training_trial import Forecast, Trial, Tried, forecast, kinds_left, play_trial
from engines.games.reversed_reversi import ReversedReversi
from engines.strategies.reversi_training import Round, Training
from tests.waiting import Clock
from workers.training.plan import CHUNK, OPENINGS, Chunk, Plan, Progress

SETUP = 0.25
"""Seconds that every call takes."""
AGES = 1e9
KINDS = (Round(200, 2, 4, 4), Round(300, 3, 4, 4), Round(400, 2, 4, 9))


class Timed(Training):
    """Plays nothing, each game in a second; from the call for `stuck` games on, for ages."""

    def __init__(self, clock: Clock, stuck: int) -> None:
        super().__init__(ReversedReversi(4))
        self.clock, self.stuck, self.free = clock, stuck, threading.Event()

    def play(self, *_: object, games: int, **__: object) -> bytes:
        self.clock.now += SETUP + games
        if games == self.stuck:
            self.clock.now += AGES
            self.free.wait()
        return b""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The processor time of the trial."""
    clock = Clock()
    monkeypatch.setattr("arena.local.training_trial.time.process_time", clock)
    return clock


@pytest.mark.parametrize(
    ("stuck", "tried"),
    [
        (0, Tried(16, 16.0, SETUP)),
        (8, Tried(8, 8.0, SETUP)),
        (1, Tried(0, AGES + SETUP + SETUP + 1, SETUP)),
    ],
)
def test_a_trial_ends_when_its_time_is_over(clock: Clock, stuck: int, tried: Tried) -> None:
    """Also within a game; those before it count, without what each call takes besides."""
    training = Timed(clock, stuck or -1)
    try:
        assert play_trial(Plan(training, 1, KINDS), Trial(b"", 1000.0), Chunk(0, 0, 16)) == tried
    finally:
        training.free.set()


def test_each_kind_of_round_is_tried_once() -> None:
    """Rounds that are searched and solved alike are one; only games that are left count."""
    progress = Progress(Plan(Training(ReversedReversi(4)), 1, KINDS))
    assert kinds_left(progress) == {
        Chunk(0, 0, 16): 600 + 4 * OPENINGS,
        Chunk(1, 0, 16): 300 + 2 * OPENINGS,
    }
    progress.games[Chunk(1, 0, CHUNK)] = b""
    assert kinds_left(progress)[Chunk(1, 0, 16)] == 300 - CHUNK + 2 * OPENINGS


def test_the_forecast_says_whether_it_is_a_bound() -> None:
    """Where a game was not over, all of its kind take longer than it had taken."""
    one, other = Chunk(0, 0, 16), Chunk(1, 0, 16)
    left, whole = {one: 1280, other: 10}, Tried(4, 2.0, 0.5)
    assert forecast(left, {one: whole, other: Tried(5, 10.0, 0.0)}) == Forecast(640 + 5 + 20, more=False)
    assert forecast(left, {one: whole, other: Tried(0, 3.0, 0.0)}) == Forecast(640 + 5 + 30, more=True)
