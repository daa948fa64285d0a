"""Whether an arena can run on this machine, and what to do where it cannot."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable

from arena.core.errors import PortInUseError, UnusableError
from arena.core.folder import DataFolder, is_held
from arena.core.running import read_state
from arena.core.settings import Settings
from arena.supervisor import sandboxing, surroundings
from arena.supervisor.defaults import DEFAULT_HOST
from arena.supervisor.finding import Finding
from arena.supervisor.launch import check_port
from arena.supervisor.plans import valkey_binary
from workers.core.config_file import for_all
from workers.core.errors import SettingsError
from workers.core.setting_types import check_folder, to_write

FAIL_BYTES, WARN_BYTES = 200 * 1024 * 1024, 2 * 1024 * 1024 * 1024
PATIENCE = 20
OLDEST_PYTHON = (3, 11, 0)


def examine(folder: DataFolder, port: int) -> list[Finding]:
    """Every check, in the order in which they matter."""
    try:
        settings = surroundings.check_settings(folder)
    except SettingsError as error:  # nothing else can be judged by settings that cannot be used
        return [_python(), *(Finding("settings", "fail", line) for line in str(error).split("\n"))]
    checks: list[Callable[[], Finding]] = [
        _python,
        lambda: _folder(folder),
        lambda: _disk(folder),
        lambda: _broker(settings),
        lambda: _database(settings),
        lambda: _port(folder, port),
        _bot_interpreter,
        sandboxing.environments,
        _speed,
        _games,
        sandboxing.confinement,
        sandboxing.control_groups,
    ]
    with for_all(folder.named):
        return [check() for check in checks]


def _python() -> Finding:
    version = tuple(sys.version_info[:3])
    shown = ".".join(map(str, version))
    if version >= OLDEST_PYTHON:
        return Finding("python", "ok", shown)
    return Finding("python", "fail", shown, "install Python 3.11 or newer")


def _folder(folder: DataFolder) -> Finding:
    try:
        check_folder(folder.root, to_write)
    except ValueError as error:
        return Finding("data folder", "fail", f"{folder.root}: {error}", "choose another with --data")
    state = "writable" if folder.root.exists() else "can be made"
    return Finding("data folder", "ok", f"{folder.root} {state}")


def _disk(folder: DataFolder) -> Finding:
    nearest = folder.root
    while not nearest.exists():
        nearest = nearest.parent
    free = shutil.disk_usage(nearest).free
    verdict = "fail" if free < FAIL_BYTES else "warn" if free < WARN_BYTES else "ok"
    remedy = "" if verdict == "ok" else "make room, or choose another disk with --data"
    return Finding("free disk", verdict, f"{free / 1024**3:.1f} GiB", remedy)


def _broker(settings: Settings) -> Finding:
    if "broker_url" in settings.model_fields_set:
        try:
            surroundings.check_broker(settings)
        except UnusableError as error:
            return Finding("broker", "fail", str(error))
        return Finding("broker", "ok", "the one that the settings name answers")
    binary = valkey_binary()
    remedy = "install valkey or redis, or set ARENA_BROKER_URL"
    if binary is None:
        return Finding("broker", "fail", "no Valkey server for this platform", remedy)
    version = _output_of([str(binary), "--version"])
    if version is None:
        return Finding("broker", "fail", f"{binary} does not run", remedy)
    return Finding("broker", "ok", version.split(" sha=")[0])


def _database(settings: Settings) -> Finding:
    which = (
        "the one that the settings name answers"
        if "database_url" in settings.model_fields_set
        else "SQLite, in the data folder"
    )
    try:
        surroundings.check_database(settings)
    except UnusableError as error:
        return Finding("database", "fail", str(error))
    return Finding("database", "ok", which)


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
    from workers.core.settings import get_settings  # noqa: PLC0415  (pydantic, for this check only)

    command = shlex.split(get_settings().bot_python)
    version = _output_of([*command, "-c", "import sys, json; print(sys.version.split()[0])"])
    if version is None:
        remedy = "set ARENA_BOT_PYTHON to a Python that everybody may run"
        return Finding("bot interpreter", "fail", f"{shlex.join(command)} does not run", remedy)
    return Finding("bot interpreter", "ok", f"{version} ({shlex.join(command)})")


def _speed() -> Finding:
    from workers.core.errors import TooSlowError  # noqa: PLC0415  (pydantic, for this check only)
    from workers.core.settings import get_settings  # noqa: PLC0415  (likewise)
    from workers.host.calibration import check_speed  # noqa: PLC0415  (likewise)

    least = get_settings().least_speed
    try:
        return Finding("speed", "ok", f"{check_speed(least):g} (matches need {least:g})")
    except TooSlowError as error:
        return Finding("speed", "fail", str(error))


def _games() -> Finding:
    from engines.games import GAMES, all_games, faults  # noqa: PLC0415  (every game's rules, for this check only)

    if unusable := faults():
        return Finding("games", "warn", "; ".join(unusable), "mend what cannot be used, or uninstall it")
    installed = sorted(set(all_games()) - set(GAMES))
    return Finding(
        "games", "ok", f"{len(GAMES)} of the arena's own; installed: {', '.join(installed) or 'none'}"
    )


def _output_of(command: list[str]) -> str | None:
    """What a program prints, if it ends well; started where nobody has put what Python would import."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=os.sep
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return None if done.returncode else done.stdout.strip()
