"""Where the arena keeps its things and how patient it is, read from the environment (`ARENA_...`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import URL

ENV_PREFIX = "ARENA_"
MAX_UPLOAD_BYTES = 4 * 1024 * 1024

Seconds = Annotated[float, Field(gt=0)]


def _in_data(name: str, url_of: Callable[[Path], str]) -> Any:
    def default(found: dict[str, Any]) -> str:
        return url_of(found["data_dir"] / name)

    return Field(default_factory=default)


def _sqlite_url(path: Path) -> str:
    return URL.create("sqlite", database=str(path)).render_as_string()


def _socket_url(path: Path) -> str:
    return f"redis+socket://{quote(str(path))}"


class Settings(BaseSettings):
    """Everything that a process of the trusted side needs to know; the defaults need no service installed.

    A running match is given up `lease_seconds` after its last sign of life, a published one is issued anew
    when `pickup_seconds` have passed and its message is gone. At most `window` published matches wait for
    a worker; a match lost more than `max_lost` times is parked. The coordinator looks every `tick_seconds`.
    The same holds for chunks of experiments: `chunk_window` of them wait, an experiment has at most
    `chunk_backlog` that are not part of its result yet, and fails with a chunk lost too often.
    A worker host that was not heard of for `host_seconds` is gone, and what only it can play waits.
    The pages show times in `timezone`; None is the machine's own.
    """

    model_config = SettingsConfigDict(env_prefix=ENV_PREFIX, frozen=True, extra="ignore")

    data_dir: Annotated[Path, AfterValidator(Path.absolute)] = Field(
        default=Path("arena-data"), validate_default=True
    )
    database_url: str = _in_data("arena.sqlite3", _sqlite_url)
    broker_url: str = _in_data("run/valkey.sock", _socket_url)
    archive_url: str = _in_data("archives", Path.as_uri)
    lease_seconds: Seconds = 30
    pickup_seconds: Seconds = 60
    window: Annotated[int, Field(ge=1, le=1000)] = 16
    chunk_window: Annotated[int, Field(ge=1, le=1000)] = 16
    chunk_backlog: Annotated[int, Field(ge=1, le=100_000)] = 1000
    max_lost: Annotated[int, Field(ge=0)] = 5
    host_seconds: Seconds = 120
    tick_seconds: Seconds = 0.2
    timezone: ZoneInfo | None = None
    max_upload_bytes: Annotated[int, Field(ge=1024, le=MAX_UPLOAD_BYTES)] = MAX_UPLOAD_BYTES


@cache
def get_settings() -> Settings:
    """The settings of this process, read once."""
    return Settings()
