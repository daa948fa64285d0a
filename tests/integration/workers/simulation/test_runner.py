"""Whole simulations on this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from engines.game import GameError
from tests.unit.workers.conftest import BotMaker
from tests.unit.workers.simulation.specs import spec_of, total
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import GameLine, SimulationSpec, Tally
from workers.simulation.journal import Journal
from workers.simulation.runner import BrokenOffError, simulate

GAMES = 4321
WAYS: list[dict[str, Any]] = [
    {"jobs": 1},
    {"jobs": 2, "chunk": 1000},
    {"jobs": 3, "chunk": 130},
    {"jobs": 1, "chunk": 600, "plain": True},
    {"jobs": 2, "chunk": 250, "plain": True},
]


def _whole(spec: SimulationSpec) -> Tally:
    return total(play_chunk(spec, 0, spec.games, plain=True))


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_outcome_does_not_depend_on_how_it_is_played(way: dict[str, Any]) -> None:
    """Any number of threads or processes, any chunk, kernel or not: the same tally, bit for bit."""
    spec = spec_of("circle_nim", games=GAMES, params={"rows": 4}, swap=True)
    assert simulate(spec, **way) == (_whole(spec), False)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_rule_stops_at_the_same_game(way: dict[str, Any]) -> None:
    """A rule that stops in the midst does so after the same thousand, however the games are played."""
    spec = spec_of(games=10**6, swap=True)
    first = total(play_chunk(spec, 0, 3000))
    found = simulate(spec, stop=lambda tally: tally.wins_draws_losses[0] >= first.wins_draws_losses[0], **way)
    assert found == (first, True)


def test_the_games_come_in_order() -> None:
    """Where they are asked for, all are handed on by index, whatever the order they were played in."""
    spec = spec_of(games=900, record_games=True)
    for plain in (True, False):
        lines: list[bytes] = []
        simulate(spec, jobs=2, chunk=50, on_lines=lines.append, plain=plain)
        games = [GameLine.model_validate_json(line) for line in b"".join(lines).splitlines()]
        assert games == list(play_chunk(spec, 0, 900, plain=True)[0].games)


def test_whoever_watches_is_told_the_numbers() -> None:
    """The games without a gap grow to all of them, and never exceed those that were played."""
    told: list[tuple[int, int]] = []
    spec = spec_of(games=2000)
    simulate(spec, jobs=2, chunk=200, watch=lambda tally, played: told.append((tally.games, played)))
    assert told[-1] == (2000, 2000)
    assert len(told) == 10
    assert all(counted <= played for counted, played in told)


class OnPurposeError(Exception):
    """The end of a run that a test breaks off."""


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("stop", [None, lambda tally: tally.games >= 4000])
def test_it_goes_on_where_it_was_broken_off(tmp_path: Path, plain: bool, stop: Any) -> None:
    """A run that ended in the midst plays only the rest, and comes to the same numbers."""
    spec = spec_of(games=6000, swap=True)

    def break_off(tally: Tally, _: int) -> None:
        if tally.games:
            raise OnPurposeError

    with Journal(tmp_path, spec) as journal, pytest.raises(OnPurposeError):
        simulate(spec, jobs=1, chunk=100, stop=stop, journal=journal, watch=break_off, plain=plain)
    with Journal(tmp_path, spec) as journal:
        assert 0 < journal.load().games < 4000
        found = simulate(spec, jobs=2, chunk=300, stop=stop, journal=journal, plain=plain)
    assert found == (total(play_chunk(spec, 0, 4000 if stop else 6000)), stop is not None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("plain", [False, True])
def test_an_interruption_leaves_a_journal_and_nobody_playing(
    tmp_path: Path, number: signal.Signals, plain: bool
) -> None:
    """Ctrl-C and SIGTERM end the run in good order; afterwards they mean again what they did."""
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    spec = spec_of(games=10**6)
    with Journal(tmp_path, spec) as journal:
        with pytest.raises(KeyboardInterrupt):
            simulate(
                spec,
                jobs=2,
                chunk=200,
                journal=journal,
                watch=lambda *_: os.kill(os.getpid(), number),
                plain=plain,
            )
        assert journal.load().games + len(journal.load().waiting) > 0
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == handlers
    ours = [each for each in psutil.process_iter(["ppid", "cmdline"]) if each.info["ppid"] == os.getpid()]
    assert not [each for each in ours if "spawn_main" in " ".join(each.info["cmdline"] or [])]


def test_another_thread_can_run_one() -> None:
    """Where no signals arrive, nothing is done about them."""
    found: list[Any] = []
    spec = spec_of(games=GAMES)
    thread = threading.Thread(target=lambda: found.append(simulate(spec, jobs=2)))
    thread.start()
    thread.join()
    assert found == [(_whole(spec), False)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_impossible_is_told_before_anything_plays(jobs: int) -> None:
    """An unknown player is an error of the game, in threads and processes alike."""
    with pytest.raises(GameError, match="nobody"):
        simulate(spec_of(first="nobody"), jobs=jobs)
    with pytest.raises(GameError, match="xor"):
        simulate(spec_of("l_game", first="xor"), jobs=jobs)


def test_a_bot_that_kills_its_player_is_told_of(bot: BotMaker, environment: Callable[..., None]) -> None:
    """A process that was killed, as a bot without a sandbox can, is an error of its own, not a result."""
    environment(confinement="none")
    killer = bot("get(); os.kill(os.getppid(), signal.SIGKILL)")
    with pytest.raises(BrokenOffError, match="killed"):
        simulate(spec_of(first=killer, games=4), jobs=1)
