"""What a worker host must be told. It needs no database, and gets none."""

from __future__ import annotations

import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


def _clean_interpreter() -> str:
    """The interpreter below any virtual environment, started without its site-packages."""
    return f"{getattr(sys, '_base_executable', sys.executable)} -S -s"


class WorkerSettings(BaseSettings):
    """Settings of a worker host, from the environment (prefix `ARENA_`).

    `bot_python` is the command line that starts a Python bot, split as a shell would. Matches have at most
    `match_cores` of the cores (None: all but one), locked by the files in `cores_dir`, and are refused on a
    host whose speed is below `least_speed`.
    """

    model_config = SettingsConfigDict(env_prefix="ARENA_")

    broker_url: str = "redis://localhost:6379/0"
    archive_url: str = "file:///var/lib/arena/archives"
    cache_dir: Path = Path("/var/cache/arena")
    bot_python: str = Field(default_factory=_clean_interpreter)
    match_cores: Annotated[int, Field(ge=1)] | None = None
    cores_dir: Path = Path(tempfile.gettempdir()) / "arena-cores"
    least_speed: Annotated[float, Field(ge=0)] = 0.1
    heartbeat_seconds: Annotated[float, Field(gt=0)] = 10.0
    register_seconds: Annotated[float, Field(gt=0)] = 20.0


@cache
def get_settings() -> WorkerSettings:
    """The settings of this process, read once."""
    return WorkerSettings()
