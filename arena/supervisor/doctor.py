"""Whether an arena can run on this machine, and what to do where it cannot."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable

from arena.supervisor import sandboxing
from arena.supervisor.defaults import DEFAULT_HOST
from arena.supervisor.errors import PortInUseError, UnusableError
from arena.supervisor.finding import Finding
from arena.supervisor.folder import DataFolder, is_held
from arena.supervisor.launch import check_port
from arena.supervisor.plans import BROKER_VARIABLE, DATABASE_VARIABLE, check_broker_url, valkey_binary
from arena.supervisor.state import read_state

FAIL_BYTES, WARN_BYTES = 200 * 1024 * 1024, 2 * 1024 * 1024 * 1024
PATIENCE = 20
OLDEST_PYTHON = (3, 11, 0)


def examine(folder: DataFolder, port: int) -> list[Finding]:
    """Every check, in the order in which they matter."""
    checks: list[Callable[[], Finding]] = [
        _python,
        lambda: _folder(folder),
        lambda: _disk(folder),
        _broker,
        _database,
        lambda: _port(folder, port),
        _bot_interpreter,
        _speed,
        sandboxing.confinement,
        sandboxing.control_groups,
    ]
    return [check() for check in checks]


def _python() -> Finding:
    version = tuple(sys.version_info[:3])
    shown = ".".join(map(str, version))
    if version >= OLDEST_PYTHON:
        return Finding("python", "ok", shown)
    return Finding("python", "fail", shown, "install Python 3.11 or newer")


def _folder(folder: DataFolder) -> Finding:
    nearest = folder.root
    while not nearest.exists():
        nearest = nearest.parent
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        state = "writable" if nearest == folder.root else "can be made"
        return Finding("data folder", "ok", f"{folder.root} {state}")
    return Finding("data folder", "fail", f"{folder.root} cannot be written", "choose another with --data")


def _disk(folder: DataFolder) -> Finding:
    nearest = folder.root
    while not nearest.exists():
        nearest = nearest.parent
    free = shutil.disk_usage(nearest).free
    verdict = "fail" if free < FAIL_BYTES else "warn" if free < WARN_BYTES else "ok"
    remedy = "" if verdict == "ok" else "make room, or choose another disk with --data"
    return Finding("free disk", verdict, f"{free / 1024**3:.1f} GiB", remedy)


def _broker() -> Finding:
    if url := os.environ.get(BROKER_VARIABLE):
        return _given_broker(url)
    binary = valkey_binary()
    remedy = "install valkey or redis, or set ARENA_BROKER_URL"
    if binary is None:
        return Finding("broker", "fail", "no Valkey server for this platform", remedy)
    version = _output_of([str(binary), "--version"])
    if version is None:
        return Finding("broker", "fail", f"{binary} does not run", remedy)
    return Finding("broker", "ok", version.split(" sha=")[0])


def _given_broker(url: str) -> Finding:
    from arena.coordinator.broker import CeleryBroker  # noqa: PLC0415  (Celery, for a given broker only)
    from arena.errors import UnavailableError  # noqa: PLC0415

    try:
        check_broker_url(url)
        with contextlib.closing(CeleryBroker(url)) as broker:
            broker.ping()
    except (UnusableError, UnavailableError) as error:
        return Finding("broker", "fail", str(error), f"start it, or correct {BROKER_VARIABLE}")
    return Finding("broker", "ok", f"the one that {BROKER_VARIABLE} names answers")


def _database() -> Finding:
    url = os.environ.get(DATABASE_VARIABLE)
    if not url:
        return Finding("database", "ok", "SQLite, in the data folder")
    from sqlalchemy import create_engine, make_url  # noqa: PLC0415  (for a given database only)

    remedy = f"start it, or correct {DATABASE_VARIABLE}"
    try:
        remote = make_url(url).get_backend_name() == "postgresql"
        engine = create_engine(url, connect_args={"connect_timeout": 5} if remote else {})
        engine.connect().close()
        engine.dispose()
    except Exception as error:  # noqa: BLE001  (a URL can be wrong in ways that only its driver knows)
        return Finding("database", "fail", str(error).strip().partition("\n")[0], remedy)
    return Finding("database", "ok", f"the one that {DATABASE_VARIABLE} names answers")


def _port(folder: DataFolder, port: int) -> Finding:
    state = read_state(folder)
    if state and is_held(folder) and state.url.endswith(f":{port}"):
        return Finding("port", "ok", f"{port}, this arena listens on it")
    try:
        check_port(DEFAULT_HOST, port)
    except (PortInUseError, UnusableError) as error:
        return Finding("port", "fail", str(error))
    return Finding("port", "ok", f"{port} is free")


def _bot_interpreter() -> Finding:
    from workers.settings import WorkerSettings  # noqa: PLC0415  (pydantic, for this check only)

    command = shlex.split(WorkerSettings().bot_python)
    version = _output_of([*command, "-c", "import sys, json; print(sys.version.split()[0])"])
    if version is None:
        remedy = "set ARENA_BOT_PYTHON to a Python that everybody may run"
        return Finding("bot interpreter", "fail", f"{shlex.join(command)} does not run", remedy)
    return Finding("bot interpreter", "ok", f"{version} ({shlex.join(command)})")


def _speed() -> Finding:
    from workers.calibration import check_speed  # noqa: PLC0415  (pydantic, for this check only)
    from workers.errors import TooSlowError  # noqa: PLC0415
    from workers.settings import WorkerSettings  # noqa: PLC0415

    least = WorkerSettings().least_speed
    try:
        return Finding("speed", "ok", f"{check_speed(least):g} (matches need {least:g})")
    except TooSlowError as error:
        return Finding("speed", "fail", str(error))


def _output_of(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return None if done.returncode else done.stdout.strip()
