"""Where the arena keeps its things and how patient it is: from the environment and `arena.toml`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import SettingsConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from arena.core.clock import MAX_DAYS
from arena.core.openid import OpenIdSettings, openid_setup
from arena.core.worker_environment import read_environment
from workers.core.configuration import PREFIX, read_settings
from workers.core.data_dir import USUAL_DATA_DIR
from workers.core.errors import SettingsError
from workers.core.setting_types import BrokerUrl, LogFormat, RecordsUrl, Seconds, WritableArchiveUrl
from workers.core.settings import SignsOfLife, check_names

MAX_UPLOAD_BYTES = 4 * 1024 * 1024
Days = Annotated[int, Field(ge=1, le=MAX_DAYS)]
RULE = re.compile(r"([A-Za-z]{3,}|<[A-Za-z0-9+-]+>)[+-]?[0-9]")
"""How a zone begins that TZ describes instead of naming it: what it is called, and how far it is from UTC."""
DRIVERS = {"sqlite": "pysqlite", "postgresql": "psycopg"}


def _in_data(name: str, value_of: Callable[[Path], object]) -> Any:
    def default(validated: dict[str, Any]) -> object:
        return value_of(validated["data_dir"] / name)

    return Field(default_factory=default)


def _or_usual(given: object) -> object:
    """An empty variable names no folder."""
    return given or USUAL_DATA_DIR


def _sqlite_url(path: Path) -> str:
    return URL.create("sqlite", database=str(path)).render_as_string()


def _socket_url(path: Path) -> str:
    return f"redis+socket://{quote(str(path))}"


def _database_address(url: str) -> str:
    if url.startswith("postgresql") and find_spec("psycopg") is None:
        raise ValueError("PostgreSQL needs more than is installed: pip install 'bot-arena[postgres]'")
    try:
        parts = make_url(url)
        known = DRIVERS.get(parts.get_backend_name()) == parts.get_driver_name()
        usable = known and (_is_file(parts) if parts.get_backend_name() == "sqlite" else _is_server(parts))
    except (ArgumentError, ValueError, ModuleNotFoundError):
        usable = False
    if not usable:
        raise ValueError("a database is sqlite:////FILE or postgresql://USER@HOST/NAME (read with psycopg)")
    return url


def _is_file(parts: URL) -> bool:
    """Whether that names a file by its whole path, and nothing else."""
    whole = URL.create(parts.drivername, database=parts.database) == parts
    return whole and Path(parts.database or "").is_absolute()


def _is_server(parts: URL) -> bool:
    """Whether psycopg knows all options."""
    from psycopg import ProgrammingError, conninfo  # noqa: PLC0415  (for who has such a database)

    try:
        conninfo.make_conninfo(**parts.get_dialect()().create_connect_args(parts)[1])
    except ProgrammingError:
        return False
    return True


class Settings(OpenIdSettings):
    """Everything that a process of the trusted side needs to know; the defaults need no service installed.

    A running match is given up `lease_seconds` after its last sign of life. A published one is issued anew
    when nobody has its message; after `pickup_seconds` also when the worker that took it has not begun. At
    most `window` published matches wait for a worker (None: one for each that plays, 16 to 1000); a match
    lost more than `max_lost` times is parked. The coordinator looks when something has happened, but not
    twice within `tick_seconds` unless it had something to do.
    The same holds for chunks of experiments: `chunk_window` of them wait, an experiment has at most
    `chunk_backlog` that are not part of its result yet, and fails with a chunk lost too often.
    A team may have `team_games` games between players by name simulated in a day, and `team_bot_games` in
    which bots play; with 0 only administrators may. Of scrimmages it may ask for `team_scrimmages` games.
    Bots answer a person who plays against them with up to `play_moves` moves in a day, none with 0; a game
    that nobody has touched for `play_days` is removed. Anybody with an account may have `analyses` games
    analysed in a day, none with 0; with `analyse` `idle` idle workers analyse all games of tournaments.
    A team may have `team_bots` bots, and `team_versions` versions of them all with `team_megabytes` MiB
    unpacked, of which `team_checks` are checked in an hour.
    Whoever shows a token or a session may read `rate_reads` times in a minute and write `rate_writes` times,
    and all of an address together `rate_address_reads` and `rate_address_writes` times, 0 as often as they
    like; what is kept for all who read is not counted.
    A worker host that was not heard of for `host_seconds` is gone, and what only it can play waits.
    What bots wrote, games in columns, logs that were turned over and tokens that are good no more go after
    `keep_…_days`; None keeps them.
    What is given out is signed with the key in `signing_key_file`, which all of an arena's processes share.
    A worker host that is enrolled is told the settings of `worker_settings_file`.
    The pages show times in `timezone`; None is the machine's own. Webhooks may lead to private addresses
    where `webhook_private` says so. What begins with `oidc_` sets up a school's OpenID provider.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", validate_default=False)

    data_dir: Annotated[Path, BeforeValidator(_or_usual), AfterValidator(Path.absolute)] = Field(
        default=Path(USUAL_DATA_DIR), validate_default=True
    )
    database_url: Annotated[str, AfterValidator(_database_address)] = _in_data("arena.sqlite3", _sqlite_url)
    broker_url: BrokerUrl = _in_data("run/valkey.sock", _socket_url)
    archive_url: WritableArchiveUrl = _in_data("archives", Path.as_uri)
    records_url: RecordsUrl = _in_data("records", Path.as_uri)
    signing_key_file: Annotated[Path, AfterValidator(Path.absolute)] = _in_data("signing-key", Path)
    worker_settings_file: Annotated[Path, AfterValidator(Path.absolute)] | None = None
    lease_seconds: Seconds = 30
    pickup_seconds: Seconds = 60
    window: Annotated[int, Field(ge=1, le=1000)] | None = None
    chunk_window: Annotated[int, Field(ge=1, le=1000)] = 16
    chunk_backlog: Annotated[int, Field(ge=1, le=100_000)] = 1000
    max_lost: Annotated[int, Field(ge=0)] = 4
    host_seconds: Seconds = 120
    tick_seconds: Annotated[Seconds, Field(le=60)] = 0.2
    timezone: ZoneInfo | None = None
    log_format: LogFormat = LogFormat.TEXT
    webhook_private: bool = False
    team_games: Annotated[int, Field(ge=0)] = 10_000_000
    team_bot_games: Annotated[int, Field(ge=0)] = 10_000
    team_scrimmages: Annotated[int, Field(ge=0, le=1000)] = 20
    play_moves: Annotated[int, Field(ge=0, le=1_000_000)] = 1000
    play_days: Annotated[int, Field(ge=1, le=1000)] = 7
    analyses: Annotated[int, Field(ge=0, le=1_000_000)] = 100
    analyse: Literal["asked", "idle"] = "asked"
    keep_evidence_days: Days | None = None
    keep_recordings_days: Days | None = None
    keep_logs_days: Days | None = None
    keep_tokens_days: Days | None = None
    team_bots: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    team_versions: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    team_megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 512
    team_checks: Annotated[int, Field(ge=1, le=10_000)] = 60
    rate_reads: Annotated[int, Field(ge=0, le=1_000_000)] = 3000
    rate_writes: Annotated[int, Field(ge=0, le=1_000_000)] = 600
    rate_address_reads: Annotated[int, Field(ge=0, le=1_000_000)] = 30_000
    rate_address_writes: Annotated[int, Field(ge=0, le=1_000_000)] = 6000
    max_upload_bytes: Annotated[int, Field(ge=1024, le=MAX_UPLOAD_BYTES)] = MAX_UPLOAD_BYTES

    @property
    def kept_days(self) -> dict[str, int]:
        """What is not kept for ever, and for how many days it is."""
        days = {
            "evidence": self.keep_evidence_days,
            "recordings": self.keep_recordings_days,
            "logs": self.keep_logs_days,
            "tokens": self.keep_tokens_days,
        }
        return {name: kept for name, kept in days.items() if kept is not None}


def read(named: Path | None = None, data_dir: Path | None = None) -> Settings:
    """The settings of the environment and the file, for the data folder that was named if one was.

    What is not set lies in `data_dir`, where that is another folder.

    Raises:
        SettingsError: a variable cannot be used, or is nobody's.
    """
    check_names(named)
    folder = data_dir or named
    settings = read_settings(Settings, named, **({"data_dir": folder} if folder else {}))
    _check_patience(settings, read_settings(SignsOfLife, named))
    _check_zone(settings)
    openid_setup(settings)
    if settings.worker_settings_file:
        read_environment(settings.worker_settings_file)
    return settings


def _check_zone(settings: Settings) -> None:
    """Make sure that the machine's own zone is one, where times are told in it: else they would be UTC's.

    Raises:
        SettingsError: the variable TZ names none.
    """
    name = os.environ.get("TZ", "").removeprefix(":")
    if settings.timezone is not None or not name or RULE.match(name) or Path(name).is_file():
        return
    try:
        ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise SettingsError(
            f"TZ={name} is no time zone; correct it, or say by ARENA_TIMEZONE in which one the arena tells"
            " times, such as Asia/Taipei"
        ) from None


def _check_patience(settings: Settings, signs: SignsOfLife) -> None:
    """Make sure that one sign of life may be late, or nothing would ever be played.

    Raises:
        SettingsError: it may not.
    """
    pairs = (
        ("LEASE", settings.lease_seconds, "HEARTBEAT", signs.heartbeat_seconds, "whatever is being played"),
        ("HOST", settings.host_seconds, "REGISTER", signs.register_seconds, "every worker host"),
    )
    wrong = [
        f"ARENA_{kept}_SECONDS={patience:g} must be more than twice ARENA_{told}_SECONDS={pause:g}, which is"
        f" the workers', or {what} counts as lost; give both to every process"
        for kept, patience, told, pause, what in pairs
        if patience <= 2 * pause
    ]
    if wrong:
        raise SettingsError("\n".join(wrong))


@cache
def get_settings() -> Settings:
    """The settings of this process, read once.

    Raises:
        SettingsError: as `read`.
    """
    return read()
