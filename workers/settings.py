"""What a worker host must be told. It needs no database, and gets none."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

OLDEST_MINOR = 11


def _clean_interpreter() -> str:
    """A Python that every user may run, else the one below any virtual environment; no site-packages."""
    own = str(getattr(sys, "_base_executable", sys.executable))
    candidates = ("/usr/bin/python3", "/usr/local/bin/python3", own)
    return f"{next(filter(_is_for_everybody, candidates), own)} -S -s"


def _is_for_everybody(interpreter: str) -> bool:
    """Whether that is a Python of the right age that bots can run under whatever user they are."""
    path = Path(os.path.realpath(interpreter))
    minor = path.name.removeprefix("python3.")
    if not minor.isdecimal() or int(minor) < OLDEST_MINOR or not path.is_file():
        return False
    readable = stat.S_IROTH | stat.S_IXOTH
    reachable = all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
    return reachable and path.stat().st_mode & readable == readable


class WorkerSettings(BaseSettings):
    """Settings of a worker host, from the environment (prefix `ARENA_`).

    `bot_python` is the command line that starts a Python bot, split as a shell would. Matches have at most
    `match_cores` of the cores (None: all but one), locked by the files in `cores_dir`, and are refused on a
    host whose speed is below `least_speed`.

    Bots are confined at the level `confinement` (None: the best that works), in control groups where
    `cgroups` allows them; as root, each runs under a user of its own, numbered from `slot_uid` on. The
    `most_…` are what this host gives a bot at most, whatever limits a match is to have.
    """

    model_config = SettingsConfigDict(env_prefix="ARENA_")

    broker_url: str = "redis://localhost:6379/0"
    archive_url: str = "file:///var/lib/arena/archives"
    cache_dir: Path = Path("/var/cache/arena")
    bot_python: str = Field(default_factory=_clean_interpreter)
    match_cores: Annotated[int, Field(ge=1)] | None = None
    cores_dir: Path = Path(tempfile.gettempdir()) / "arena-cores"
    least_speed: Annotated[float, Field(ge=0)] = 0.1
    confinement: str | None = None
    cgroups: bool = True
    slot_uid: Annotated[int, Field(ge=1000, lt=2**31)] = 64_100
    most_memory_mb: Annotated[int, Field(ge=16)] = 4096
    most_processes: Annotated[int, Field(ge=1)] = 256
    most_disk_mb: Annotated[int, Field(ge=0)] = 1024
    most_file_mb: Annotated[int, Field(ge=0)] = 1024
    most_open_files: Annotated[int, Field(ge=8)] = 1024
    most_output_bytes: Annotated[int, Field(ge=1024)] = 2**26
    most_cpu_seconds: Annotated[int, Field(ge=1)] = 24 * 3600
    most_wall_seconds: Annotated[int, Field(ge=1)] = 24 * 3600
    heartbeat_seconds: Annotated[float, Field(gt=0)] = 10.0
    register_seconds: Annotated[float, Field(gt=0)] = 20.0


@cache
def get_settings() -> WorkerSettings:
    """The settings of this process, read once."""
    return WorkerSettings()
