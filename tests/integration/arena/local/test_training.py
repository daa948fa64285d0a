"""Learning by processes of which some die, by whole runs that are killed, and from files that were harmed."""

from __future__ import annotations

import multiprocessing
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.local.errors import InputError, LocalError
from arena.local.trained import CHECKPOINT, CURVE, RECIPE, WEIGHTS, require_folder, write_result
from arena.local.training import Trainer, Watch
from arena.local.training_file import training_file
from arena.local.training_trial import BATCHES, Forecast
from engines.games.reversed_reversi import ReversedReversi
from engines.strategies.reversi_training import Round, Training
from tests.waiting import PATIENCE_SECONDS, eventually
from workers.training.plan import Chunk, Learned, Plan, Progress

ROUNDS = (Round(300, 1, 2, 4), Round(500, 2, 4, 4))
PLAN = Plan(Training(ReversedReversi(4)), 3, ROUNDS)
Show = Callable[[str, int, int], None]


def watching(show: Show = lambda *_: None) -> Watch:
    """Tells `show` of each job that was done, with the name of the work and how much of it is."""

    @contextmanager
    def showing(name: str) -> Iterator[Callable[[int, int], None]]:
        yield lambda done, total: show(name, done, total)

    def begun(progress: Progress, cost: Forecast) -> None:
        assert not progress.done
        assert cost.seconds > 0

    def learned(each: Learned, number: int, rounds: int) -> None:
        assert each.weights
        assert 1 <= number <= rounds

    return Watch(showing, begun, learned)


def train(path: Path, *, jobs: int = 1, plan: Plan = PLAN, show: Show = lambda *_: None) -> list[Learned]:
    """What a run comes to that nobody stops."""
    return Trainer(plan, jobs=jobs, watch=watching(show)).run(path, threading.Event()).learned()


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a run by one process to which nothing happened."""
    path = tmp_path_factory.mktemp("calm") / CHECKPOINT
    assert len(train(path)) == 2
    return path


@pytest.fixture(scope="module")
def expected(calm: Path) -> list[Learned]:
    """What every run has to come to."""
    return train(calm)


@pytest.mark.long
def test_many_processes_learn_the_same(tmp_path: Path, expected: list[Learned]) -> None:
    """Weights, errors and points are those of one process; another seed has others."""
    assert train(tmp_path / "three", jobs=3) == expected
    other = train(tmp_path / "seed", plan=PLAN._replace(seed=4))
    assert [each.weights for each in other] != [each.weights for each in expected]


def test_processes_that_are_killed_are_replaced(tmp_path: Path, expected: list[Learned]) -> None:
    """In each kind of work what they were at is done again; nobody is left."""
    killed: set[str] = set()

    def kill(name: str, done: int, total: int) -> None:
        if name not in killed and done < total:
            killed.add(name)
            for child in multiprocessing.active_children():
                child.kill()

    assert train(tmp_path / "file", jobs=2, show=kill) == expected
    assert {name.rpartition(" ")[2] for name in killed} == {"games", "fit", "match"}
    assert multiprocessing.active_children() == []


class Dying(Training):
    """Every process of a pool that plays a chunk with weights dies."""

    def __reduce__(self) -> tuple[object, ...]:
        return Dying, (self.game,)

    def play(self, weights: bytes | None, *, games: int, **how: Any) -> bytes:
        if weights is not None and games > sum(BATCHES) and multiprocessing.parent_process():
            psutil.Process().kill()
        return super().play(weights, games=games, **how)


def test_processes_that_always_die_end_it_in_words(tmp_path: Path, expected: list[Learned]) -> None:
    """After the third time it is given up; the round before is kept."""
    plan = PLAN._replace(training=Dying(ReversedReversi(4)))
    with pytest.raises(LocalError, match="die again and again"):
        train(tmp_path / "file", plan=plan)
    assert multiprocessing.active_children() == []
    with training_file(tmp_path / "file", PLAN) as file:
        assert file.progress.learned() == expected[:1]


def test_a_run_that_is_stopped_goes_on(tmp_path: Path, expected: list[Learned]) -> None:
    """Stopped in every kind of work of every round, what it had is not done again."""
    stopped, path = threading.Event(), tmp_path / "file"
    done: list[tuple[str, int]] = []
    names: set[str] = set()

    def stop(name: str, number: int, total: int) -> None:
        assert number <= total
        done.append((name, number))
        if name not in names:
            names.add(name)
            stopped.set()

    progress = Progress(PLAN)
    while not progress.done:
        stopped.clear()
        progress = Trainer(PLAN, jobs=1, watch=watching(stop)).run(path, stopped)
    assert progress.learned() == expected
    assert len(names) == 6
    assert len(done) == len(set(done))


@pytest.mark.long
def test_a_file_that_is_cut_anywhere_is_gone_on_from(
    tmp_path: Path, calm: Path, expected: list[Learned]
) -> None:
    """What a crash left of a part is written over, in the first line too."""
    whole = calm.read_bytes()
    path = tmp_path / "file"
    for share in (0, 0.0005, 0.3, 0.9):
        path.write_bytes(whole[: int(share * len(whole))])
        assert train(path) == expected
    path.write_bytes(whole[:-1])
    assert train(path) == expected


def test_zeros_at_the_end_are_as_if_it_were_cut_there(
    tmp_path: Path, calm: Path, expected: list[Learned]
) -> None:
    """Where a machine failed, the file can be longer than what was written of it: all else is kept."""
    whole = calm.read_bytes()
    path = tmp_path / "file"
    line = whole.index(b"\n", len(whole) // 2) + 1
    for size in (0, 100, line, line + 5, int(0.3 * len(whole)), len(whole) - 1, len(whole)):
        path.write_bytes(whole[:size])
        with training_file(path, PLAN) as file:
            kept = file.progress
        for zeros in (1, len(whole) - size, 200_000):
            path.write_bytes(whole[:size] + bytes(zeros))
            with training_file(path, PLAN) as file:
                assert file.progress == kept
    path.write_bytes(whole[:line] + bytes(200_000))
    assert train(path) == expected


def test_each_part_is_on_disk_before_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is the first line, and the file's name in its folder: a machine that fails takes back none of it."""
    path, synced = tmp_path / "file", list[tuple[int, int, int]]()
    games = PLAN.training.play(None, seed=3, first=0, games=128, by=ROUNDS[0])
    fit = PLAN.training.fit(games, 0, ROUNDS[0])

    def fsync(descriptor: int) -> None:
        told = os.fstat(descriptor)
        synced.append((told.st_ino, told.st_size, len(progress.games) if progress else 0))

    progress: Progress | None = None
    monkeypatch.setattr("arena.local.training_file.os.fsync", fsync)
    with training_file(path, PLAN) as file:
        progress = file.progress
        assert synced[0][:2] == (path.stat().st_ino, path.stat().st_size)
        assert tmp_path.stat().st_ino in {inode for inode, *_ in synced}
        file.add_games(Chunk(0, 0, 128), games)
        assert synced[-1] == (path.stat().st_ino, path.stat().st_size, 0)
        file.add_stage(Chunk(0, 0, 1), fit)
        assert synced[-1] == (path.stat().st_ino, path.stat().st_size, 1)
        file.add_points(Chunk(0, 0, 128), 9)
        assert synced[-1] == (path.stat().st_ino, path.stat().st_size, 1)


def test_a_disk_without_room_ends_it_in_the_first_line_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: list[Learned]
) -> None:
    """What was written of it is written over once there is room."""
    path, write = tmp_path / "file", os.write
    with monkeypatch.context() as full:
        full.setattr("arena.local.held_file.os.write", lambda descriptor, text: write(descriptor, text[:9]))
        with pytest.raises(LocalError, match=r"file cannot be written: No space left .* goes on from there"):
            train(path)
    assert path.stat().st_size == 9
    assert train(path) == expected


def test_a_file_that_was_harmed_is_refused_and_left_alone(tmp_path: Path, calm: Path) -> None:
    """It says what is intact; so is one of something else."""
    whole = calm.read_bytes()
    path = tmp_path / "file"
    second = whole.index(b"\n") + 1
    size = whole.index(b'"bytes": ', second) + 9
    for place in (second + 5, size, second + 400, len(whole) // 2):
        harmed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        path.write_bytes(harmed)
        with pytest.raises(
            InputError, match=r"is damaged after byte \d+ of \d+; to go on from what is intact"
        ):
            train(path)
        assert path.read_bytes() == harmed
    path.write_bytes(b"a letter to a friend\n")
    with pytest.raises(InputError, match="is no file of a training"):
        train(path)
    assert path.read_bytes() == b"a letter to a friend\n"


def test_what_is_intact_of_a_harmed_file_is_gone_on_from(
    tmp_path: Path, calm: Path, expected: list[Learned]
) -> None:
    """By the command that the refusal names, also where a path has spaces; all before the damage is kept."""
    whole = calm.read_bytes()
    place = whole.rindex(b'"part": "games"') - len("{")
    path = tmp_path / "of a run"
    path.write_bytes(whole[:place] + b"?" + whole[place + 1 :])
    with pytest.raises(InputError, match="is damaged") as refused:
        train(path)
    command = re.findall(r"\((truncate .*)\)", str(refused.value))[0]
    subprocess.run(shlex.split(command), check=True)
    assert path.read_bytes() == whole[:place]
    assert train(path) == expected


@pytest.mark.parametrize(
    ("plan", "differs"),
    [
        (PLAN._replace(seed=4), "seed"),
        (PLAN._replace(rounds=ROUNDS[:1]), "rounds"),
        (PLAN._replace(training=Training(ReversedReversi(4, reversed=False))), "params"),
        (PLAN._replace(training=Training(ReversedReversi(6)), seed=4), "params and seed"),
    ],
)
def test_another_plan_is_refused(calm: Path, plan: Plan, differs: str) -> None:
    """It says what is not the same, and the file stays as it is."""
    before = calm.read_bytes()
    with pytest.raises(InputError, match=rf"another training \({differs} not the same\)"):
        train(calm, plan=plan)
    assert calm.read_bytes() == before


def test_two_runs_are_not_at_one_file(tmp_path: Path) -> None:
    """The second is refused while the first has it."""
    with (
        training_file(tmp_path / "file", PLAN),
        pytest.raises(LocalError, match="another process"),
        training_file(tmp_path / "file", PLAN),
    ):
        pass


def test_games_that_cannot_be_played_are_refused_beforehand(tmp_path: Path) -> None:
    """What the trial finds is told as what was asked for wrongly."""
    with pytest.raises(InputError, match="depth is 1 to 20"):
        train(tmp_path / "file", plan=PLAN._replace(rounds=(Round(100, 0, 4, 8),)))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    """Weights without the checkpoint that they came of are not written over; nor is what is no folder."""
    folder = tmp_path / "champion"
    assert require_folder(folder) == folder / CHECKPOINT
    assert require_folder(folder) == folder / CHECKPOINT
    (folder / WEIGHTS).write_bytes(b"somebody's")
    with pytest.raises(InputError, match=rf"holds {WEIGHTS}, but no training"):
        require_folder(folder)
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "no" / "folder"):
        with pytest.raises(InputError, match="cannot be written"):
            require_folder(place)


WORDS = ["train", "reversed_reversi", "--size", "6", "--rounds", "3000:2:6:8,3000:3:8:8"]
WORDS += ["--seed", "2", "--jobs", "2", "--out"]


@contextmanager
def running(folder: Path, at_least: int) -> Iterator[subprocess.Popen[bytes]]:
    """A training in a process of its own, when its checkpoint has so many bytes, or it is over."""
    command = [sys.executable, "-c", "from arena.cli import main; main()", *WORDS, str(folder)]
    checkpoint = folder / CHECKPOINT
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as arena:
        try:
            eventually(
                lambda: (
                    arena.poll() is not None
                    or (checkpoint.exists() and checkpoint.stat().st_size >= at_least)
                )
            )
            yield arena
        finally:
            arena.kill()


@pytest.mark.long
def test_a_run_that_is_killed_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """Killed at any moments, the same command makes the same three files, and leaves nobody."""
    with running(tmp_path / "calm", 1 << 60) as arena:
        assert arena.wait(PATIENCE_SECONDS) == 0
    whole = (tmp_path / "calm" / CHECKPOINT).stat().st_size
    folder = tmp_path / "killed"
    for share in (0.0, 0.02, 0.2, 0.45, 0.55, 0.8, 0.99):
        with running(folder, int(share * whole)) as arena:
            pool = psutil.Process(arena.pid).children()
            arena.kill()
            arena.communicate(timeout=PATIENCE_SECONDS)
        for process in pool:
            eventually(partial(is_over, process))
    with running(folder, 1 << 60) as arena:
        _, told = arena.communicate(timeout=PATIENCE_SECONDS)
    assert arena.returncode == 0, told
    for name in (WEIGHTS, RECIPE, CURVE):
        assert (folder / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()


def test_a_run_that_is_interrupted_says_how_it_goes_on(tmp_path: Path) -> None:
    """Ctrl-C ends it with 1, in words, without its three files; the processes end, too."""
    with running(tmp_path, 100_000) as arena:
        pool = psutil.Process(arena.pid).children()
        arena.send_signal(signal.SIGINT)
        _, err = arena.communicate(timeout=PATIENCE_SECONDS)
    assert arena.returncode == 1
    assert b"interrupted; the same command goes on from there" in err
    assert b"Traceback" not in err
    for process in pool:
        eventually(partial(is_over, process))
    assert [path.name for path in tmp_path.iterdir()] == [CHECKPOINT]


@pytest.mark.parametrize(
    ("sign", "told"),
    [(signal.SIGINT, b""), (signal.SIGTERM, b""), (signal.SIGINT, b"what is left will take more than ")],
)
def test_games_that_take_minutes_are_broken_off(tmp_path: Path, sign: signal.Signals, told: bytes) -> None:
    """In the trial, or, once it told that no game of it was over, in those that count; in words, with 1."""
    words = ["train", "reversed_reversi", "--rounds", "64:12:20:1", "--jobs", "1", "--out", str(tmp_path)]
    command = [sys.executable, "-c", "from arena.cli import main; main()", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as arena:
        try:
            assert arena.stderr is not None
            if told:
                assert told in arena.stderr.readline()
            eventually(psutil.Process(arena.pid).children)
            pool = psutil.Process(arena.pid).children()
            arena.send_signal(sign)
            _, err = arena.communicate(timeout=PATIENCE_SECONDS)
        finally:
            arena.kill()
    assert arena.returncode == 1
    assert err.startswith(b"arena: interrupted; the same command goes on from there")
    for process in pool:
        eventually(partial(is_over, process))


def is_over(process: psutil.Process) -> bool:
    """Whether the process runs no more; a dead one that nobody has collected does not."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_results_are_written_again_the_same(tmp_path: Path, expected: list[Learned]) -> None:
    """The files stand for what was learned, and nothing of when or where."""
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        require_folder(folder)
        write_result(folder, PLAN, expected)
    assert (folders[0] / WEIGHTS).read_bytes() == expected[-1].weights
    for name in (RECIPE, CURVE):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
