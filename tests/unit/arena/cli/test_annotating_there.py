"""`arena match annotate --on workers`: who is asked for what, how long is waited, and what is told."""

from __future__ import annotations

import pytest

from arena.schemas.accuracy import (
    AccuracyOut,
    BotAccuracy,
    BotEstimates,
    LeftOut,
    StageEstimates,
    StageLosses,
)
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, problem, sample

__all__ = ["api"]

ALL = "/tournaments/spring/analyses"
LOSSES = {"choices": 10, "accuracy": 0.9, "blunders": 1, "loss": 0.05, "scored": 12, "points": 0.25}


def left(number: int, given_up: int = 0, without_stakes: int = 0) -> dict[str, object]:
    """How many games are still to be analysed."""
    return sample(LeftOut, ordered=True, left=number, given_up=given_up, without_stakes=without_stakes)


@pytest.fixture
def spring(api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> FakeApi:
    """A tournament of which one game is analysed after the other, and one is given up."""
    monkeypatch.setattr("arena.client.watching.time.sleep", lambda _: None)
    stages = [sample(StageLosses, stage=stage, **LOSSES) for stage in ("begin", "middle", "end")]
    guesses = [
        sample(StageEstimates, stage=stage, moves=5, points=points)
        for stage, points in (("begin", 1.5), ("middle", 2.5), ("end", 3.5))
    ]
    seen = sample(BotEstimates, games=2, moves=15, points=2.25, stages=guesses)
    bot = sample(BotAccuracy, bot="ann", games=3, moves=20, stages=stages, estimated=seen, **LOSSES)
    known = {"games": 4, "analysed": 2, "unsolved": 1, "broken_off": 1, "depth": 10}
    api.answers["POST", ALL] = left(2)
    api.answers["GET", ALL] = [left(1), left(0, given_up=1, without_stakes=2)]
    api.answers["GET", "/tournaments/spring/accuracy"] = sample(
        AccuracyOut, tournament="spring", bots=[bot], **known
    )
    return api


def test_the_table_is_told_when_all_is_analysed(run: Run, spring: FakeApi) -> None:
    """It asks for all games once, waits until none is left, and tells figures, and what has none."""
    done = run("match", "annotate", "spring", "--on", "workers")
    assert done.code == 0
    asked = [(each.method, each.url.path.removeprefix("/api/v1")) for each in spring.asked]
    assert asked == [("POST", ALL), ("GET", ALL), ("GET", ALL), ("GET", "/tournaments/spring/accuracy")]
    (line,) = [each.split() for each in done.out.splitlines() if "90.0%" in each]
    assert line == ["ann", "3", "20", "10", "90.0%", "1", "0.050", "0.250"]
    (line,) = [each.split() for each in done.out.splitlines() if "2.250" in each]
    assert line == ["ann", "2", "15", "2.250", "1.500", "2.500", "3.500"]
    assert "estimated, depth 10: points lost on average" in done.out
    assert "analysed by older workers, and in no figure: 2 games" in done.err
    for told in ("given up by the workers: 1 game", "no solver knows 1 game", "spring: 4 games, analysed: 2"):
        assert told in done.err


def test_json_is_what_the_api_tells(run: Run, spring: FakeApi) -> None:
    """Every figure stands there under its name, and how many were given up."""
    told = run("match", "annotate", "spring", "--on", "workers", "--json").json()
    assert told == {
        **spring.answers["GET", "/tournaments/spring/accuracy"],
        "given_up": 1,
        "without_stakes": 2,
    }


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("spring", "--jobs", "2"), "on this machine"),
        (("spring", "--depth", "0"), "on this machine"),
        (("games.jsonl",), "no tournament's name"),
    ],
)
def test_what_makes_no_sense_there_is_refused(
    run: Run, api: FakeApi, words: tuple[str, ...], why: str
) -> None:
    """Options of this machine, and names that no tournament has, are refused before anything is asked."""
    done = run("match", "annotate", *words, "--on", "workers")
    assert done.code == 2
    assert why in done.err
    assert api.asked == []


def test_who_does_not_run_it_is_told_so(run: Run, api: FakeApi) -> None:
    """The arena's refusal is the command's, in its words."""
    api.answers["POST", ALL] = problem(403, "only who runs it may do that")
    done = run("match", "annotate", "spring", "--on", "workers")
    assert done.code == 4
    assert "only who runs it" in done.err
