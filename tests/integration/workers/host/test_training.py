"""The worker's task that learns: what it tells the trusted side, and how it is broken off."""

from __future__ import annotations

import multiprocessing
import threading
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.strategies.reversi_training import Training
from tests.integration.workers.host.conftest import Sent, reports
from tests.waiting import eventually
from workers.core.contract import GameSpec
from workers.core.errors import SpecError, UnwantedError
from workers.core.halt import Halt
from workers.host import reporting, tasks
from workers.host.requeueing import _beyond
from workers.host.stopping import in_hand
from workers.programs.archive_store import ArchiveStore
from workers.training.contract import RoundSpec, TrainingAnswer, TrainingSpec
from workers.training.learner import IDLE_SECONDS, Learner, answer_to, plan_told
from workers.training.plan import Part

GAME = GameSpec(name="reversed_reversi", params={"size": 4, "reversed": True})
BY = RoundSpec(games=300, depth=2, solved=4, steps=5)


def spec(part: Part = Part.GAMES, *given: str, **changed: Any) -> TrainingSpec:
    """What is asked for."""
    told = {"game": GAME, "engine": Training.version, "seed": 3, "first": 0, "size": 64, "by": BY}
    return TrainingSpec(**told | {"part": part, "given": given} | changed)


def endless() -> TrainingSpec:
    """Games that take an hour."""
    game = GameSpec(name="reversed_reversi", params={"size": 8, "reversed": True})
    return spec(game=game, by=BY.model_copy(update={"depth": 14, "solved": 20}))


def arguments(asked: TrainingSpec) -> dict[str, Any]:
    """The arguments of the task."""
    about = {"training": 3, "chunk": 17, "attempt": 2, "token": "token"}
    return {"spec": asked.model_dump(mode="json"), **about}


@pytest.fixture
def archives(tmp_path: Path) -> ArchiveStore:
    """A store with nothing in it."""
    return ArchiveStore((tmp_path / "archives").as_uri())


@pytest.fixture
def learner(archives: ArchiveStore) -> Iterator[Learner]:
    """Whose process ends with the test."""
    made = Learner(lambda: archives)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    """The process of the task ends with the test."""
    yield
    tasks._learner().close()
    tasks._learner.cache_clear()


@pytest.mark.usefixtures("store")
def test_games_are_reported_once_with_their_token(sent: Sent) -> None:
    """A sign of life at the start, then the games that the same numbers have anywhere."""
    tasks.train(**arguments(spec()))
    assert sent[0][0] == "arena.training_heartbeat"
    ((name, told),) = reports(sent)
    assert name == "arena.trained"
    for _, kwargs in sent:
        about = kwargs["training"], kwargs["chunk"], kwargs["attempt"], kwargs["token"]
        assert about == (3, 17, 2, "token")
    assert TrainingAnswer.model_validate(told["answer"]).payload == answer_to(spec(), []).payload


class Refusing:
    """Refusals of a broker that refuses everybody."""

    def refused(self, token: str) -> bool:
        """Whoever asks is refused."""
        return bool(token)


@pytest.mark.usefixtures("store")
def test_what_nobody_wants_is_broken_off(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that would take an hour end with their process, and nothing is reported."""
    monkeypatch.setattr(reporting, "_refusals", Refusing)
    tasks.train(**arguments(endless()))
    assert reports(sent) == []
    assert tasks._learner()._process is None


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"game": {"name": "heap_nim"}}, "nothing is learned about heap_nim"),
        ({"game": {"name": "reversed_reversi", "params": {"size": 10}}}, "sizes 4, 6, 8"),
        ({"given": ["0" * 64]}, "no archive 000000000000 in the store any more); it is put there anew"),
        ({"part": "?"}, ""),
    ],
)
def test_what_cannot_be_done_is_lost(sent: Sent, changed: dict[str, Any], why: str) -> None:
    """Another game, what is not in the store, or no such part: the trusted side is told why."""
    told = arguments(spec())
    tasks.train(**told | {"spec": told["spec"] | changed})
    ((name, lost),) = reports(sent)
    assert name == "arena.training_lost"
    assert lost["trouble"]
    assert why in lost["trouble"]


def test_a_process_is_kept_with_what_it_was_given(learner: Learner, archives: ArchiveStore) -> None:
    """What it has is not fetched again; weights that are none are its error, and it goes on with the next."""
    games = archives.put(b"".join([_games(64, first=0), _games(64, first=64)]))
    with in_hand() as halt:
        first = learner.learn(spec(Part.STAGE, games, size=1), halt)
        archives.remove(games)
        process = learner._process
        again = learner.learn(spec(Part.STAGE, games, size=1), halt)
        assert again.model_copy(update={"elapsed_ns": 0}) == first.model_copy(update={"elapsed_ns": 0})
        assert learner._process is process
        bad = archives.put(b"no weights")
        with pytest.raises(SpecError, match="no weights"):
            learner.learn(spec(Part.GAMES, bad), halt)
        assert learner.learn(spec(), halt).payload == answer_to(spec(), []).payload


def _games(count: int, first: int) -> bytes:
    return b64decode(answer_to(spec(size=count, first=first), []).payload)


def test_a_process_that_dies_is_told_of(learner: Learner) -> None:
    """As one that the kernel kills for its memory; the next work has another."""

    def kill() -> None:
        eventually(lambda: learner._process is not None)
        assert learner._process is not None
        learner._process._process.kill()

    thread = threading.Thread(target=kill)
    thread.start()
    with in_hand() as halt:
        with pytest.raises(SpecError, match="has died"):
            learner.learn(endless(), halt)
        thread.join()
        assert learner.learn(spec(), halt).payload


def test_a_halt_ends_it_in_the_midst(learner: Learner) -> None:
    """Compiled code looks at nothing: the process is killed, and none is left."""
    halt = Halt()
    threading.Timer(0.5, halt.call, [UnwantedError("it was given out anew")]).start()
    with pytest.raises(UnwantedError):
        learner.learn(endless(), halt)
    halt.close()
    assert multiprocessing.active_children() == []


def test_an_idle_process_ends(archives: ArchiveStore) -> None:
    """After a minute nothing is held for a training that goes on elsewhere, or is over."""
    now = [0.0]
    learner = Learner(lambda: archives, lambda: now[0])
    with in_hand() as halt:
        learner.learn(spec(), halt)
    learner.tidy()
    assert learner._process is not None
    now[0] = IDLE_SECONDS + 1
    learner.tidy()
    assert learner._process is None


def test_another_version_is_given_back() -> None:
    """A host that learns otherwise says so, and the work goes to another one."""
    reason = _beyond(spec(engine=Training.version + 1), "trainings", columns=False)
    assert reason is not None
    assert f"version {Training.version + 1} of what learns" in reason
    assert _beyond(spec(), "trainings", columns=False) is None
    with pytest.raises(SpecError, match="no plan"):
        plan_told({"game": "reversed_reversi"})
