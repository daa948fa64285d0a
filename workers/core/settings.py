"""What a worker host must be told. It needs no database, and gets none."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from engines.places import user_folder
from workers.core.config_file import check_file
from workers.core.configuration import PREFIX, SECRETS, ArenaSettings, check_variables, read_settings
from workers.core.setting_types import (
    DAY,
    ArchiveUrl,
    BrokerUrl,
    CommandLine,
    LogFormat,
    RecordsUrl,
    Seconds,
    SharedFolder,
    WritableFolder,
)

OLDEST_MINOR = 11
TRUSTED_SIDE = (
    *("data_dir", "database_url", "signing_key_file", "worker_settings_file"),
    *("lease_seconds", "pickup_seconds"),
    *("window", "chunk_window", "chunk_backlog"),
    *("max_lost", "host_seconds", "tick_seconds", "timezone", "max_upload_bytes"),
    *("webhook_private", "team_games", "team_bot_games", "team_scrimmages"),
    *("team_bots", "team_versions", "team_megabytes", "team_checks"),
    *("rate_reads", "rate_writes", "rate_address_reads", "rate_address_writes"),
    *("play_moves", "play_days", "analyses", "analyse"),
    *("keep_evidence_days", "keep_recordings_days", "keep_logs_days", "keep_tokens_days"),
    *("oidc_issuer", "oidc_client_id", "oidc_client_secret", "oidc_name"),
    *("oidc_scopes", "oidc_domains", "oidc_claim", "oidc_address", "oidc_prompt"),
)
"""What `arena.core.settings` reads and a worker has no use for; a host may be told it all the same."""

ELSEWHERE = ("tables_dir", "url", "token", "ca", "config")
"""What is read by those who need it: the solvers' tables, and the command line's way to a server,
and where the file with settings is."""


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


def _environments() -> Path:
    """Where the administrator keeps environments for all users, if there are any; else one's own."""
    shared = Path("/var/lib/arena/environments")
    if shared.is_dir() or (hasattr(os, "geteuid") and os.geteuid() == 0):
        return shared
    try:
        return user_folder("data", "bot-arena") / "environments"
    except RuntimeError:  # nobody's home
        return shared


class SignsOfLife(ArenaSettings):
    """How often a worker says that it goes on with what it has in hand, and what its host runs."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, validate_default=False)

    heartbeat_seconds: Seconds = 10.0
    register_seconds: Seconds = 20.0


class WorkerSettings(SignsOfLife):
    """Settings of a worker host, from the environment (prefix `ARENA_`).

    `bot_python` is the command line that starts a Python bot, split as a shell would. Matches have at most
    `match_cores` of the cores (None: all but one), shared with other arenas by the files in `cores_dir`, and
    are refused on a host whose speed is below `least_speed`. A worker that is told to stop may go on for
    `drain_seconds` with what it has in hand; then that is broken off and given back.

    Experiments that record their games in columns have them written to `records_url`; a host without one
    plays none of those.

    What the host was given when it was enrolled, its private key among it, is in `key_dir`. Packages for
    Python bots are in `environments_dir`.

    Bots are confined at the level `confinement` (None: the best that works), in control groups where
    `cgroups` allows them; as root, each runs under a user of its own, numbered from `slot_uid` on. The
    `most_…` are what this host gives a bot at most, whatever limits a match is to have.
    """

    broker_url: BrokerUrl = "redis://localhost:6379/0"
    archive_url: ArchiveUrl = "file:///var/lib/arena/archives"
    records_url: RecordsUrl | None = None
    cache_dir: WritableFolder = Path("/var/cache/arena")
    key_dir: Path = Path("/var/lib/arena/worker")
    environments_dir: Path = Field(default_factory=_environments)
    bot_python: CommandLine = Field(default_factory=_clean_interpreter)
    match_cores: Annotated[int, Field(ge=1)] | None = None
    cores_dir: SharedFolder = Path(tempfile.gettempdir()) / "arena-cores"
    drain_seconds: Annotated[float, Field(ge=0, le=DAY, allow_inf_nan=False)] = 60.0
    log_format: LogFormat = LogFormat.TEXT
    least_speed: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.1
    confinement: Literal["bubblewrap", "landlock", "none"] | None = None
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


def known_names() -> tuple[str, ...]:
    """Every setting that somebody reads."""
    files = (f"{name}_file" for name in SECRETS)
    return *WorkerSettings.model_fields, *TRUSTED_SIDE, *files, *ELSEWHERE


def check_names(named: Path | None = None) -> None:
    """Make sure that every variable and key of the file is one that somebody reads: no slip goes unseen.

    Raises:
        SettingsError: one is not; the message names the likeliest that was meant.
    """
    check_variables(known_names())
    check_file(known_names(), named)


@cache
def get_settings() -> WorkerSettings:
    """The settings of this process, read once.

    Raises:
        SettingsError: a variable of the environment cannot be used, or is nobody's.
    """
    check_names()
    return read_settings(WorkerSettings)
