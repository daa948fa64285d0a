"""`arena status`, `down`, `logs`, `doctor`, `up` and `demo` where nothing runs yet."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from arena.store.database import Database
from arena.supervisor import doctor
from tests.unit.arena.cli.conftest import Run


@pytest.mark.parametrize("command", ["status", "down"])
def test_nothing_running_is_a_failure(run: Run, command: str) -> None:
    """Both say that no arena runs, with exit code 1."""
    ran = run(command)
    assert (ran.code, ran.out) == (1, "")
    assert "no arena runs" in ran.err


def test_up_refuses_a_port_in_use_and_starts_nothing(run: Run, tmp_path: Path) -> None:
    """The port is looked at first."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ran = run("up", "--port", str(other.getsockname()[1]))
    assert ran.code == 1
    assert "--port" in ran.err
    assert not list((tmp_path / "arena-data" / "logs").iterdir())


def test_logs_are_printed_by_name(run: Run, tmp_path: Path) -> None:
    """One log or all of them; an unknown name lists those that there are."""
    folder = tmp_path / "arena-data" / "logs"
    folder.mkdir(parents=True)
    (folder / "api.log").write_text("one\ntwo\n")
    assert run("logs", "api", "-n", "1").out == "two\n"
    assert run("logs", "--json").json() == {"logs": {"api": ["one", "two"]}}
    unknown = run("logs", "nobody")
    assert unknown.code == 2
    assert "api" in unknown.err


def test_where_no_arena_was_started_there_are_no_logs(run: Run) -> None:
    """A folder without logs is a failure that names it."""
    ran = run("logs", "--data", "/nope")
    assert (ran.code, ran.out) == (1, "")
    assert "no logs in /nope" in ran.err


def test_up_without_workers_says_that_nothing_will_be_played(run: Run) -> None:
    """The words come before anything is started, so that they are there whatever follows."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ran = run("up", "--workers", "0", "--port", str(other.getsockname()[1]))
    assert "nothing will be played until one comes" in ran.err


def test_doctor_finds_this_machine_fit(
    run: Run, tmp_path: Path, unused_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every check is ok or a warning here, and nothing is run that lies where it is asked for."""
    (tmp_path / "json.py").write_text("raise SystemExit(1)\n")
    monkeypatch.setattr(doctor, "PATIENCE", 600)
    told = run("doctor", "--port", str(unused_port), "--json").json()
    assert told["ok"]
    checks = [check["check"] for check in told["checks"]]
    expected = ["python", "data folder", "free disk", "broker", "database", "port", "bot interpreter"]
    assert checks == [*expected, "environments", "speed", "games", "confinement", "control groups"]


def test_doctor_names_what_is_in_the_way(
    run: Run, tmp_path: Path, unused_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file for a data folder, an interpreter that does not run, a slow machine: each with its remedy."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARENA_BOT_PYTHON", "false")
    monkeypatch.setenv("ARENA_LEAST_SPEED", "1000")
    ran = run("doctor", "--data", str(tmp_path / "file"), "--port", str(unused_port))
    assert ran.code == 1
    assert "fail  data folder" in ran.out
    assert "ARENA_BOT_PYTHON" in ran.out
    assert "fail  speed" in ran.out
    assert "ARENA_LEAST_SPEED" in ran.out


def test_doctor_asks_the_services_that_are_given(
    run: Run, tmp_path: Path, unused_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broker that nobody runs and a database that cannot be opened are failures, each in one line."""
    monkeypatch.setenv("ARENA_BROKER_URL", f"redis://127.0.0.1:{unused_port}/0")
    monkeypatch.setenv("ARENA_DATABASE_URL", f"sqlite:///{tmp_path}/nowhere/x.sqlite3")
    ran = run("doctor", "--port", str(unused_port), "--json")
    verdicts = {check["check"]: check["verdict"] for check in ran.json()["checks"]}
    assert (ran.code, verdicts["broker"], verdicts["database"]) == (1, "fail", "fail")
    monkeypatch.setenv("ARENA_DATABASE_URL", f"sqlite:///{tmp_path}/x.sqlite3")
    checks = run("doctor", "--port", str(unused_port), "--json").json()["checks"]
    assert {check["check"]: check["verdict"] for check in checks}["database"] == "ok"
    assert not (tmp_path / "x.sqlite3").exists()


def test_doctor_names_every_setting_that_cannot_be_used(
    run: Run, unused_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each, and nothing that was judged by them."""
    monkeypatch.setenv("ARENA_MATCH_CORES", "0")
    monkeypatch.setenv("ARENA_CONFINEMENT", "docker")
    ran = run("doctor", "--port", str(unused_port))
    failures = [line for line in ran.out.splitlines() if line.startswith("fail")]
    assert (ran.code, len(failures)) == (1, 2)
    assert "ARENA_MATCH_CORES=0 cannot be used" in failures[0]
    assert "ARENA_CONFINEMENT=docker cannot be used" in failures[1]


def test_a_fresh_process_names_a_worker_s_setting_too(tmp_path: Path) -> None:
    """As a failure of its own, and not by ending where a module is first read."""
    command = [
        sys.executable,
        "-c",
        "from arena.cli import main; main()",
        "doctor",
        "--data",
        str(tmp_path / "arena"),
    ]
    environment = os.environ | {"ARENA_CORES_DIR": ""}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "fail  settings: ARENA_CORES_DIR= cannot be used" in done.stdout


def test_a_lease_that_no_sign_of_life_can_keep_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal names both settings and the bound between them."""
    monkeypatch.setenv("ARENA_LEASE_SECONDS", "15")
    ran = run("up")
    assert ran.code == 2
    assert "ARENA_LEASE_SECONDS=15 must be more than twice ARENA_HEARTBEAT_SECONDS=10" in ran.err


def test_a_database_of_a_newer_version_is_refused(run: Run, tmp_path: Path, unused_port: int) -> None:
    """By `doctor` and by `up`, which starts nothing."""
    (tmp_path / "arena").mkdir()
    database = Database(f"sqlite:///{tmp_path}/arena/arena.sqlite3")
    database.migrate()
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    where = ("--data", str(tmp_path / "arena"), "--port", str(unused_port))
    assert "fail  database: " in run("doctor", *where).out
    ran = run("up", *where)
    assert ran.code == 2
    assert "newer version of the arena (its tables are of revision 9999" in ran.err
    assert not (tmp_path / "arena" / "run" / "state.json").exists()


@pytest.mark.parametrize("left", [b"", None], ids=["without a byte", "away"])
def test_an_emptied_database_is_refused_at_once(
    run: Run, tmp_path: Path, unused_port: int, left: bytes | None
) -> None:
    """By `doctor` and by `up`, in a folder that was in use; neither makes one or writes into it."""
    folder = tmp_path / "arena"
    folder.mkdir()
    (folder / "admin-token").write_text("before")
    if left is not None:
        (folder / "arena.sqlite3").write_bytes(left)
    where = ("--data", str(folder), "--port", str(unused_port))
    assert "fail  database: " in run("doctor", *where).out
    ran = run("up", *where)
    assert (ran.code, ran.out) == (2, "")
    assert "is empty" in ran.err
    assert [file.stat().st_size for file in folder.glob("arena.sqlite3*")] == ([] if left is None else [0])


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (("--data", "/etc/passwd"), {}),
        (("--data", "new\nline"), {}),
        (("--host", "nowhere.invalid"), {}),
        (("--host", "a..b"), {}),
        ((), {"ARENA_BROKER_URL": "amqp://x"}),
        ((), {"ARENA_BROKER_URL": "redis://localhost:port"}),
        ((), {"ARENA_BROKER_URL": "redis://127.0.0.1:1/0"}),
        ((), {"ARENA_DATABASE_URL": "mysql://u@h/x"}),
        ((), {"ARENA_DATABASE_URL": "sqlite:////nowhere/x.sqlite3"}),
        ((), {"ARENA_LEASE_SECOND": "5"}),
        ((), {"ARENA_DATABASE_URL": "sqlite://"}),
        ((), {"ARENA_BROKER_URL": "redis://127.0.0.1:1/0?foo=bar"}),
        ((), {"ARENA_CORES_DIR": "/proc/nowhere"}),
        ((), {"ARENA_CACHE_DIR": "/proc/nowhere"}),
        ((), {"ARENA_ARCHIVE_URL": "file:///etc/passwd"}),
    ],
)
def test_up_refuses_what_cannot_be_used(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    unused_port: int,
    words: tuple[str, ...],
    variables: dict[str, str],
) -> None:
    """A folder, an address or a broker that is none: exit code 2 and words, before anything starts."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ran = run("up", "--port", str(unused_port), *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arena: ")
    assert "Traceback" not in ran.err


def test_the_demonstration_refuses_a_used_folder(run: Run, tmp_path: Path) -> None:
    """Nothing is played over somebody's data."""
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").write_text("")
    ran = run("demo", "--data", str(tmp_path / "used"))
    assert ran.code == 2
    assert [path.name for path in (tmp_path / "used").iterdir()] == ["file"]
