"""What runs on a data folder, written by its supervisor after every change and read by everybody else."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from arena.core.addresses import is_loopback, is_wildcard, own_addresses, own_names, url_of
from arena.core.folder import DataFolder

STABLE_SECONDS = 30.0
"""A child that ran for so long is taken to go on."""


class ChildPhase(StrEnum):
    """running ⇄ waiting (dead, to be started again) → stopped."""

    RUNNING = "running"
    WAITING = "waiting"
    STOPPED = "stopped"


class ArenaPhase(StrEnum):
    """starting → running → stopping."""

    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"


@dataclass(frozen=True)
class ChildState:
    """One child. `created` is its process's start time, which tells it from a later owner of the pid.

    `since` is when its `state` began, in seconds of the epoch; `last_exit` says how the last process ended.
    """

    name: str
    state: ChildPhase
    since: float
    pid: int | None = None
    created: float | None = None
    restarts: int = 0
    last_exit: str | None = None

    def trouble(self, now: float) -> str | None:
        """What is wrong with it in words: it is down, or ended and has not run for long since."""
        if self.state == ChildPhase.WAITING:
            what = "and is started again after a while"
        elif self.restarts and 0 <= now - self.since < STABLE_SECONDS:  # unless the clock was set back
            what = "and was started again just now"
        else:
            return None
        return f"{self.name} ended ({self.last_exit}) {what}; see `arena logs {self.name}`"


@dataclass(frozen=True)
class ArenaState:
    """The supervisor and its children.

    `url` is where this machine finds the arena, `host` what it listens on, and `https_port` where by https.
    For `drain_seconds` its workers may go on with what they have in hand when it is stopped.
    """

    phase: ArenaPhase
    pid: int
    created: float
    url: str
    data: str
    broker_url: str
    started: float
    socket_folder: str | None = None
    children: tuple[ChildState, ...] = ()
    host: str = "127.0.0.1"
    https_port: int | None = None
    drain_seconds: float = 0.0

    @property
    def addresses(self) -> list[str]:
        """Where others find the arena, by addresses first, then by names; nowhere on the loopback."""
        if is_loopback(self.host):
            return []
        hosts = [self.host]
        if is_wildcard(self.host):
            version = 6 if ":" in self.host else 4
            hosts = [*(str(each) for each in own_addresses() if each.version == version), *own_names()]
        if self.https_port is not None:
            return [url_of("https", host, self.https_port) for host in hosts]
        return [url_of("http", host, urlsplit(self.url).port or 80) for host in hosts]

    def to_json(self) -> dict[str, Any]:
        """The state as a JSON object."""
        return dataclasses.asdict(self)


def write_state(folder: DataFolder, state: ArenaState) -> None:
    """Replace the state file, so that a reader sees the old one or the new one, never a half."""
    fresh = folder.state_file.with_suffix(".new")
    fresh.write_text(json.dumps(state.to_json(), indent=1), encoding="utf-8")
    os.replace(fresh, folder.state_file)  # noqa: PTH105  (the atomic replacement is the point)


def read_state(folder: DataFolder) -> ArenaState | None:
    """The last state written, or None where there is none that can be read."""
    try:
        value = json.loads(folder.state_file.read_text(encoding="utf-8"))
        children = tuple(
            ChildState(**child | {"state": ChildPhase(child["state"])}) for child in value.pop("children")
        )
        return ArenaState(**value | {"phase": ArenaPhase(value["phase"]), "children": children})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
