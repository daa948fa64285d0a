"""The data folder: one supervisor at a time, a state file that can be trusted, and safe cleaning up."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.errors import AlreadyRunningError, PortInUseError, SupervisorError
from arena.core.folder import DataFolder, FolderLock, is_held
from arena.core.processes import MODULE, start_time
from arena.core.running import ArenaPhase, ArenaState, ChildPhase, ChildState, read_state, write_state
from arena.supervisor.arena import clean_up
from arena.supervisor.launch import check_port, check_startable, free_port
from arena.supervisor.plans import WORKER_PREFIXES, WORKER_VARIABLES, plan_setup, plans
from workers.core.errors import SettingsError
from workers.core.settings import WorkerSettings

PATIENCE_SECONDS = 300
TRACES = "OTEL_EXPORTER_OTLP_HEADERS"
"""Half of what the processes sleep."""


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A fresh data folder."""
    made = DataFolder(tmp_path / "data")
    made.make()
    return made


def recorded(pid: int, created: float) -> ArenaState:
    """The state that a supervisor with one child of that pid left behind."""
    child = ChildState("api", ChildPhase.RUNNING, time.time(), pid, created)
    return ArenaState(ArenaPhase.RUNNING, 1, 0.0, "http://127.0.0.1:1", "", "", 0.0, None, (child,))


def test_a_second_supervisor_is_refused(folder: DataFolder) -> None:
    """The lock is held once, and can be seen to be."""
    with FolderLock(folder):
        assert is_held(folder)
        with pytest.raises(AlreadyRunningError, match="arena down"), FolderLock(folder):
            pass
    assert not is_held(folder)


def test_a_file_in_the_place_of_the_folder_is_a_clear_error(tmp_path: Path) -> None:
    """A data folder that cannot be made says so."""
    (tmp_path / "data").write_text("")
    with pytest.raises(SupervisorError, match="--data"):
        DataFolder(tmp_path / "data").make()


def test_the_state_survives_a_round_trip_and_rubbish_reads_as_none(folder: DataFolder) -> None:
    """What was written is read back, with its phases by name; anything else counts as no state."""
    state = recorded(os.getpid(), 1.5)
    write_state(folder, state)
    read = read_state(folder)
    assert read is not None
    assert read == state
    assert (type(read.phase), type(read.children[0].state)) == (ArenaPhase, ChildPhase)
    for rubbish in ("", "[]", "{}", '{"children": [{"x": 1}]}'):
        folder.state_file.write_text(rubbish)
        assert read_state(folder) is None


def test_leftovers_of_a_killed_supervisor_are_ended(folder: DataFolder) -> None:
    """A child that is still the one written down is ended and the state removed."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    write_state(folder, recorded(child.pid, start_time(child.pid) or 0.0))
    clean_up(folder)
    assert read_state(folder) is None
    child.wait(PATIENCE_SECONDS)


def test_an_innocent_process_with_a_recycled_pid_is_left_alone(folder: DataFolder) -> None:
    """A pid that now belongs to a process started at another time is not touched."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    write_state(folder, recorded(child.pid, (start_time(child.pid) or 0.0) - 60))
    clean_up(folder)
    assert child.poll() is None
    child.kill()
    child.wait()


def test_of_a_folder_that_is_written_down_the_socket_alone_is_removed(
    folder: DataFolder, tmp_path: Path
) -> None:
    """A state that came with a folder from elsewhere has nothing of the user's removed."""
    sockets = tmp_path / "sockets"
    for name in ("valkey.sock", "kept"):
        sockets.mkdir(exist_ok=True)
        (sockets / name).touch()
        write_state(folder, replace(recorded(os.getpid(), 1.5), socket_folder=str(sockets), children=()))
        clean_up(folder)
        assert sockets.exists() == (name == "kept")
    assert (sockets / "kept").exists()


def test_a_port_in_use_is_refused_before_anything_starts(folder: DataFolder) -> None:
    """Starting on somebody else's port is an error that names the port."""
    import socket  # noqa: PLC0415  (only this test listens)

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortInUseError, match=str(port)):
            check_startable(folder, "127.0.0.1", port)
    check_port("127.0.0.1", free_port("127.0.0.1"))


def test_traces_that_cannot_be_told_are_refused_before_anything_starts(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What names no collector is said by `arena up` itself, not by processes that keep ending."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318")
    before = {*folder.root.rglob("*")}
    with pytest.raises(SettingsError, match="it should be the address of a collector"):
        check_startable(folder, "127.0.0.1", free_port("127.0.0.1"))
    assert {*folder.root.rglob("*")} == before


def test_nothing_that_lies_in_the_working_folder_is_run(folder: DataFolder, tmp_path: Path) -> None:
    """What came with somebody's bot under the name of a module of ours is passed over by all processes."""
    setup = plan_setup(folder, "127.0.0.1", 1, 1, {})
    for plan in plans(setup):
        assert plan.name == "valkey" or plan.command[: len(MODULE)] == MODULE
    for name in ("arena", "workers", "celery", "uvicorn", "redis"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('this came with a bot')")
    worker = next(plan for plan in plans(setup) if plan.name == "worker-1")
    command = [*worker.command[: len(MODULE) + 1], "--version"]
    environment = {**os.environ, **worker.environment}
    told = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.startswith("5.")


def test_a_deep_data_folder_gets_a_socket_elsewhere(tmp_path: Path) -> None:
    """A socket's path stays within what the system allows."""
    near, deep = DataFolder(Path("/srv/arena")), DataFolder(tmp_path / ("d" * 100))
    assert plan_setup(near, "127.0.0.1", 1, 1, {}).socket == Path("/srv/arena/run/valkey.sock")
    setup = plan_setup(deep, "127.0.0.1", 1, 1, {})
    assert setup.socket
    assert len(os.fsencode(setup.socket)) <= 100
    assert setup.socket_folder == setup.socket.parent
    setup.socket.parent.rmdir()


def test_a_given_broker_is_used_and_workers_are_not_told_the_database(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ARENA_BROKER_URL no broker is started; ARENA_DATABASE_URL reaches the services only."""
    monkeypatch.setenv("ARENA_BROKER_URL", "redis://elsewhere/1")
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://elsewhere/arena")
    found = {plan.name: plan for plan in plans(plan_setup(folder, "127.0.0.1", 1, 2))}
    assert set(found) == {"api", "coordinator", "recorder", "courier", "worker-1", "worker-2", "checker"}
    assert found["worker-1"].environment["ARENA_BROKER_URL"] == "redis://elsewhere/1"
    assert "ARENA_DATABASE_URL" in found["api"].environment
    assert "ARENA_DATABASE_URL" not in found["worker-1"].environment
    taken = {
        name: plan.command[plan.command.index("-Q") + 1]
        for name, plan in found.items()
        if "-Q" in plan.command
    }
    assert (
        taken["worker-1"]
        == taken["worker-2"]
        == "matches,moves,repeats,reviews,scrimmages,simulations,solves,trainings"
    )
    assert taken["checker"] == "checks"
    without = {plan.name for plan in plans(plan_setup(folder, "127.0.0.1", 1, 0))}
    assert without == {"api", "coordinator", "recorder", "courier"}


def test_a_worker_is_told_only_what_it_can_use(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own settings and the archive store's keys reach it; nothing else that may be secret does."""
    for name in (
        "PGPASSWORD",
        "ARENA_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "ARENA_BOT_PYTHON",
        TRACES,
    ):
        monkeypatch.setenv(name, "x")
    monkeypatch.delenv("ARENA_ARCHIVE_URL", raising=False)
    setup = plan_setup(folder, "127.0.0.1", 1, 1, {"ARENA_BROKER_URL": "redis://elsewhere/1"})
    told = setup.worker_environment()
    assert {
        "PATH",
        "ARENA_BOT_PYTHON",
        TRACES,
        "ARENA_BROKER_URL",
        "ARENA_ARCHIVE_URL",
        "ARENA_CACHE_DIR",
    } <= set(told)
    assert not {"PGPASSWORD", "ARENA_TOKEN", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"} & set(told)
    monkeypatch.setenv("ARENA_ARCHIVE_URL", "s3://bucket")
    assert "AWS_SECRET_ACCESS_KEY" in setup.worker_environment()


def test_every_setting_of_a_worker_may_reach_it() -> None:
    """No setting that workers read is held back."""
    names = {f"ARENA_{name.upper()}" for name in WorkerSettings.model_fields}
    assert not {name for name in names - WORKER_VARIABLES if not name.startswith(WORKER_PREFIXES)}


def test_what_an_arena_writes_is_its_user_s_alone(tmp_path: Path) -> None:
    """Even in a folder that everybody may read, new files are private."""
    script = (
        "import os, sys\nfrom pathlib import Path\n"
        "from arena.core import folder\nfrom arena.supervisor import arena, plans\n"
        "os.umask(0o022)\n"
        "data = folder.DataFolder(Path(sys.argv[1]))\ndata.make()\n"
        "def start(setup, supervisor, record):\n"
        "    (data.root / 'made').write_text('')\n    supervisor.stopping = True\n"
        "arena._start = start\n"
        "setup = plans.plan_setup(data, '127.0.0.1', 1, 0, {'ARENA_BROKER_URL': 'redis://x'})\n"
        "arena.run(setup, print)\n"
    )
    tmp_path.chmod(0o755)
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, capture_output=True)
    assert (tmp_path / "made").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("host", "url"),
    [("0.0.0.0", "http://127.0.0.1:1"), ("::1", "http://[::1]:1"), ("arena.test", "http://arena.test:1")],  # noqa: S104  (only named)
)
def test_the_address_is_one_for_a_browser_here(folder: DataFolder, host: str, url: str) -> None:
    """Listening everywhere is shown as this machine, and IPv6 stands in brackets."""
    assert plan_setup(folder, host, 1, 1, {"ARENA_BROKER_URL": "redis://x"}).url == url
