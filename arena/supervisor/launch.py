"""What `arena up` and `arena down` do: start a detached supervisor and wait for health; stop one."""

from __future__ import annotations

import errno
import http.client
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable

import psutil

from arena.core.errors import (
    AlreadyRunningError,
    NotRunningError,
    PortInUseError,
    StartError,
    UnusableError,
)
from arena.core.folder import DataFolder, FolderLock, is_held
from arena.core.processes import MODULE, end_trees, same_process
from arena.core.running import ArenaPhase, ArenaState, ChildPhase, read_state
from arena.supervisor.arena import clean_up, failure
from arena.supervisor.loop import GRACE_SECONDS
from workers.core.config_file import CONFIG_VARIABLE, config_file

HEALTHY_SECONDS = 180.0
SETTLED_SECONDS = 3.0
"""A child that ends at once has ended by then."""
DOWN_SECONDS = 4 * GRACE_SECONDS
_PAUSE = 0.2


def check_startable(folder: DataFolder, host: str, port: int, https_port: int | None = None) -> None:
    """Make sure that an arena can start, before anything does; with https there is a certificate then.

    Raises:
        AlreadyRunningError, PortInUseError, UnusableError, SettingsError: it cannot; the message says why.
    """
    from arena.supervisor import surroundings  # noqa: PLC0415  (Celery and SQLAlchemy, for who starts an arena)

    settings = surroundings.check_settings(folder)
    folder.make()
    if is_held(folder):
        state = read_state(folder)
        where = f" ({state.url}, pid {state.pid})" if state else ""
        raise AlreadyRunningError(
            f"an arena already runs on {folder.root}{where}; see `arena status`, or stop it with `arena down`"
        )
    with FolderLock(folder):
        clean_up(folder)
    check_port(host, port)
    if https_port is not None:
        _check_https(folder, host, port, https_port)
    surroundings.check_broker(settings)
    surroundings.check_database(settings)


def _check_https(folder: DataFolder, host: str, port: int, https_port: int) -> None:
    from arena.core.certificates import Certificates, Wanted  # noqa: PLC0415  (cryptography, for https only)

    if port == https_port:
        raise UnusableError(f"http and https need a port each, not both {port}; see --port and --https-port")
    check_port(host, https_port)
    Certificates(folder.certificates).renew(Wanted.here(host))


def check_port(host: str, port: int) -> None:
    """Make sure that the port can be listened on.

    Raises:
        PortInUseError: somebody else does.
        UnusableError: the host is no address of this machine, or the port is not ours to take.
    """
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUseError(
                f"port {port} is in use by another program; choose one with --port"
            ) from None
        raise _not_listenable(host, port, error.strerror) from None
    except UnicodeError:
        raise _not_listenable(host, port, "that is no host's name") from None


def _not_listenable(host: str, port: int, reason: str | None) -> UnusableError:
    return UnusableError(f"{host!r}, port {port}, cannot be listened on ({reason}); see --host and --port")


def free_port(host: str) -> int:
    """A port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def start(
    folder: DataFolder,
    host: str,
    port: int,
    workers: int,
    progress: Callable[[str], None],
    *,
    https_port: int | None = None,
) -> ArenaState:
    """Start a detached supervisor and wait until its arena is healthy.

    Raises:
        SupervisorError: it cannot start, or did not become healthy; then nothing is left running.
    """
    check_startable(folder, host, port, https_port)
    secured = [] if https_port is None else [str(https_port)]
    errors = folder.log_of("supervisor-errors")
    with errors.open("wb") as output:
        supervisor = subprocess.Popen(
            [
                *(*MODULE, "arena.supervisor"),
                *(str(folder.root), host, str(port), str(workers), *secured),
            ],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, CONFIG_VARIABLE: str(config_file(folder.named) or "")},
            start_new_session=True,
        )
    try:
        return _await_health(folder, supervisor, progress)
    except BaseException:
        if supervisor.poll() is None:
            supervisor.send_signal(signal.SIGTERM)
            supervisor.wait()
        raise


def _await_health(
    folder: DataFolder, supervisor: subprocess.Popen[bytes], progress: Callable[[str], None]
) -> ArenaState:
    until = time.monotonic() + HEALTHY_SECONDS
    while time.monotonic() < until:
        if supervisor.poll() is not None:
            words = folder.log_of("supervisor-errors").read_text(encoding="utf-8", errors="replace").strip()
            raise StartError(words or failure(folder, "supervisor", "the supervisor ended"))
        state = read_state(folder)
        if state and state.pid == supervisor.pid:
            check_children(folder, state)
            if state.phase == ArenaPhase.RUNNING and is_settled(state, time.time()) and is_healthy(state.url):
                return state
            progress(_describe(state))
        time.sleep(_PAUSE)
    raise StartError(_why_not_healthy(folder, read_state(folder)))


def is_settled(state: ArenaState, now: float) -> bool:
    """Whether every child has run for a while, as far as a clock tells that may have been set back."""
    return all(
        child.state == ChildPhase.RUNNING and not 0 <= now - child.since <= SETTLED_SECONDS
        for child in state.children
    )


def check_children(folder: DataFolder, state: ArenaState) -> None:
    """Make sure that no child keeps ending.

    Raises:
        StartError: one does; the message quotes its log.
    """
    for child in state.children:
        if child.restarts >= 3:
            raise StartError(failure(folder, child.name, f"{child.name} keeps ending ({child.last_exit})"))


def _why_not_healthy(folder: DataFolder, state: ArenaState | None) -> str:
    words = f"the arena was not healthy after {HEALTHY_SECONDS:.0f} s"
    down = [child.name for child in state.children if child.state != ChildPhase.RUNNING] if state else []
    failing = troubles(state.url) if state and not down else {}
    if failing:
        return f"{words}: {'; '.join(failing.values())}"
    return failure(folder, down[0] if down else "api", words)


def _describe(state: ArenaState) -> str:
    running = sum(child.state == ChildPhase.RUNNING for child in state.children)
    return f"{state.phase}: {running} of {len(state.children)} processes" if state.children else state.phase


def is_healthy(url: str) -> bool:
    """Whether the API answers that everything is well."""
    return _health(url).get("status") == "ok"


def ailments(state: ArenaState) -> dict[str, str]:
    """What stands still or ended, and why, by the part or child that fails; nothing where all is well."""
    now = time.time()
    ended = {child.name: words for child in state.children if (words := child.trouble(now))}
    return troubles(state.url) | ended


def troubles(url: str) -> dict[str, str]:
    """What stands still and why, as the API says, by the part that fails; nothing where all is well."""
    told = _health(url)
    if not told:
        return {"api": "the API does not answer: nothing can be shown or changed"}
    listed = told.get("troubles")
    return {each["part"]: each["detail"] for each in listed} if isinstance(listed, list) else {}


def _health(url: str) -> dict[str, object]:
    try:
        with urllib.request.urlopen(f"{url}/api/v1/health", timeout=2) as answer:  # noqa: S310  (our own http URL)
            body = answer.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            body = refusal.read()
    except (OSError, http.client.HTTPException):  # it does not answer, or ended while it did
        return {}
    try:
        told = json.loads(body)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def running_state(folder: DataFolder) -> ArenaState:
    """What runs on the folder now.

    Raises:
        NotRunningError: nothing does.
    """
    state = read_state(folder)
    if state is None or not is_held(folder):
        raise NotRunningError(f"no arena runs on {folder.root}; start one with `arena up`")
    return state


def stop(folder: DataFolder) -> None:
    """Stop the arena on this folder and everything that belongs to it.

    Raises:
        NotRunningError: nothing runs there (what a killed supervisor left behind is ended all the same).
    """
    if not is_held(folder):
        left = read_state(folder)
        if left is not None:
            with FolderLock(folder):
                clean_up(folder)
        raise NotRunningError(f"no arena runs on {folder.root}")
    state = running_state(folder)
    supervisor = same_process(state.pid, state.created)
    if supervisor is None:
        raise NotRunningError(f"no arena runs on {folder.root}")
    supervisor.send_signal(signal.SIGTERM)
    try:
        supervisor.wait(DOWN_SECONDS + state.drain_seconds)
    except psutil.TimeoutExpired:
        end_trees([supervisor], grace=0.0, ending=signal.SIGKILL)
    with FolderLock(folder):
        clean_up(folder)
