"""What fails for a moment is asked again before it is believed for as long as a process runs."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.workers.workshops import python_words
from workers.core.attempts import PAUSES_SECONDS
from workers.core.contract import Limits
from workers.core.errors import LaunchError, LodgingError, NoConfinementError
from workers.programs import environments
from workers.programs.adapting import starts_processes
from workers.programs.environments import offered
from workers.programs.runtimes import toolchains
from workers.programs.runtimes.languages import LANGUAGES, PYTHON, Language
from workers.programs.runtimes.toolchains import find_toolchains, version_of
from workers.sandbox.confinement import Confined, Program, Startable
from workers.sandbox.process_group import ProcessGroup

SHELL = "/bin/sh"
KILLED, FAILED, NO_FORK, DONE = "kill -9 $$", "echo no room >&2; exit 1", "exit 2", "echo CPython 9.9"
NO_ROOM, NO_PLACE = LaunchError("no room"), LodgingError("no place")
Doing = str | LaunchError


class Host:
    """A host on which each launch does what stands next in a list, and those after it what stands last."""

    def __init__(self, *doings: Doing) -> None:
        self._doings = doings
        self.launched = 0

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Run a line of the shell, or fail."""
        del program
        doing = self._doings[min(self.launched, len(self._doings) - 1)]
        self.launched += 1
        if isinstance(doing, LaunchError):
            raise doing
        return ProcessGroup().launch(Program((SHELL, "-c", doing)), limits, writable=writable)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, none of which lasts."""
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    return pauses


def _shell(name: str = "python") -> Language:
    return PYTHON.__class__(**{**vars(PYTHON), "name": name, "probes": (("sh", "-c", "exit 3"),)})


@pytest.mark.parametrize("first", [KILLED, FAILED, NO_ROOM])
@pytest.mark.parametrize("fails", [1, 2, 3])
def test_a_tool_that_fails_is_asked_again(fails: int, first: Doing, slept: list[float]) -> None:
    """Twice at most, whatever became of it: a runtime that finds no memory fails by itself."""
    host = Host(*[first] * fails, DONE)
    version = version_of(_shell(), host, python_words())
    assert (version, host.launched) == (("CPython 9.9", fails + 1) if fails < 3 else (None, 3))
    assert slept == list(toolchains.PAUSES_SECONDS)[:fails]


def test_all_tools_that_fail_are_asked_again_after_one_pause(
    slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many that always fail make a worker start no later than one does."""
    for name in list(LANGUAGES):
        monkeypatch.setitem(LANGUAGES, name, _shell(name))
    host = Host(*[FAILED] * (len(LANGUAGES) - 1), DONE)
    assert set(find_toolchains(host, python_words())) == set(LANGUAGES)
    assert (host.launched, slept) == (2 * len(LANGUAGES) - 1, [toolchains.PAUSES_SECONDS[0]])


def test_no_tool_is_asked_again_where_nothing_confines_it(slept: list[float]) -> None:
    """Nor is any other asked: a process knows once and for all that there is no such level."""
    host = Host(NoConfinementError("this host cannot confine bots"))
    assert find_toolchains(host, python_words()) == {}
    assert (host.launched, slept) == (1, [])


@pytest.mark.parametrize(
    ("doings", "launched", "may"),
    [
        ([DONE], 1, True),
        ([KILLED, DONE], 2, True),
        ([NO_FORK, NO_FORK, DONE], 3, True),
        ([NO_FORK], 3, False),
        ([NO_FORK, KILLED], 3, None),
    ],
)
def test_whether_bots_may_start_processes_is_asked_again(
    doings: list[Doing], launched: int, may: bool | None, slept: list[float]
) -> None:
    """A shell that cannot start any says so each time; of one that is killed nothing is known."""
    host = Host(*doings)
    if may is None:
        with pytest.raises(LodgingError):
            starts_processes(host)
    else:
        assert starts_processes(host) is may
    assert (host.launched, slept) == (launched, list(PAUSES_SECONDS)[: launched - 1])


@pytest.fixture
def built(environment: Callable[..., None], tmp_path: Path) -> str:
    """An environment for a Python that `DONE` stands for; its word."""
    environment(environments_dir=str(tmp_path))
    folder = tmp_path / "small" / f"{1:016x}"
    (folder / "site").mkdir(parents=True)
    about = {"python": DONE.removeprefix("echo "), "packages": ["tiny==1.0"]}
    (folder / "environment.json").write_text(json.dumps(about))
    return environments.environments()[0].word


@pytest.mark.parametrize("first", [KILLED, FAILED, NO_ROOM])
@pytest.mark.parametrize("fails", [1, 2, 3])
@pytest.mark.usefixtures("slept")
def test_an_environment_that_bots_cannot_use_is_tried_again(fails: int, first: Doing, built: str) -> None:
    """It is offered as soon as they can, and not if they never can."""
    host = Host(*[first] * fails, DONE)
    assert set(offered(host, (sys.executable,))) == ({built} if fails < 3 else set())
    assert host.launched == min(fails + 1, 3)


@pytest.mark.usefixtures("built")
def test_an_environment_is_not_missing_where_no_bot_has_a_place() -> None:
    """That says nothing of it, and is not remembered."""
    with pytest.raises(LodgingError, match="no place"):
        offered(Host(NO_PLACE), (sys.executable,))
