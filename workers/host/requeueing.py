"""Work that this host cannot do goes back to its queue: another host may.

That is what asks for more than this host gives, games or environments that it does not have, games in columns
where there is nowhere to record them, what another version learns, and, for as long as it takes, what a newer
arena asks for.
"""

from __future__ import annotations

import contextlib
import inspect
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import structlog
from celery import Task
from pydantic import ValidationError

from engines.game import UnknownGameError
from engines.games import find_row
from workers.app import send
from workers.checks.contract import CheckSpec
from workers.core.contract import MatchSpec
from workers.core.errors import SpecError, UnsupportedError
from workers.core.host_limits import excess
from workers.core.settings import get_settings
from workers.programs.environments import find
from workers.programs.serving import environments_in
from workers.simulation.contract import SimulationSpec
from workers.simulation.parts import MissingParquetError, require_parquet
from workers.solving.contract import LeafSpec
from workers.training.contract import TrainingSpec
from workers.training.learner import require_engine

Spec = MatchSpec | CheckSpec | SimulationSpec | LeafSpec | TrainingSpec

PAUSE_SECONDS: Final = 1.0
"""How long a host keeps still after it gave work back, so that another one comes first."""
MAX_SECONDS: Final = 600.0
"""How long work is given back that no newer host could do either. Then it is taken, and comes to nothing but
the reason, for the staff."""

KEPT: Final = 1000
"""Of so many pieces of work it is remembered since when they are given back."""

log = structlog.get_logger()
_now = time.monotonic
_since = OrderedDict[str, float]()
"""Since when this process gives a piece of work back, by its token: whoever writes to the broker says nothing
of it."""


class RequeueingTask(Task):  # type: ignore[misc]  # Celery ships no types
    """A task whose `spec` is of the type `asks`; not begun where that or `columns` is beyond this host."""

    Request = "workers.host.stopping:Stoppable"
    asks: ClassVar[type[Spec]]

    def __call__(self, *arguments: Any, **details: Any) -> Any:
        """Do the work, or give it back as the same message."""
        if not self._requeued(details):
            return super().__call__(*arguments, **details)
        return None

    def _requeued(self, details: Mapping[str, Any]) -> bool:
        queue = queue_of(self)
        if not queue:
            return False
        spec, new = _read(self.asks, details["spec"])
        if new := self._new_arguments(details) or new:
            reason: str | None = f"the arena is newer than this host, which does not know {', '.join(new)}"
        else:
            columns = details.get("columns") is not None
            reason = _beyond(spec, queue, columns=columns) if spec else None
            if reason is None or _given_back_for(self.request.id) > MAX_SECONDS:
                return False
        log.warning("work given back", task=self.name, token=self.request.id, reason=reason)
        again = {"task_id": self.request.id, "queue": queue}
        if signature := (self.request.properties or {}).get("signature"):
            again["signature"] = signature  # of the arena, or nobody else would do it
        send(self.app, self.name, details, again=True, **again)
        time.sleep(PAUSE_SECONDS)
        return True

    def _new_arguments(self, details: Mapping[str, Any]) -> list[str]:
        """What is told beside the spec that this version's task does not take."""
        known = inspect.signature(self.run).parameters
        takes_all = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values())
        return [] if takes_all else [name for name in details if name not in known]


def queue_of(task: Task) -> str:
    """The queue that the work in hand was in; empty where it was in none."""
    return str((task.request.delivery_info or {}).get("routing_key", ""))


def _given_back_for(token: str) -> float:
    """For how many seconds this process has given a piece of work back."""
    now = _now()
    since = _since.setdefault(token, now)
    while len(_since) > KEPT:
        _since.popitem(last=False)
    return now - since


def records_url() -> str:
    """Where this host records games in columns.

    Raises:
        SpecError, MissingParquetError: nowhere; the message says what is missing.
    """
    require_parquet()
    url = get_settings().records_url
    if url is None:
        raise SpecError("this host has nowhere to record games: give its workers ARENA_RECORDS_URL")
    return url


def _read(asks: type[Spec], told: Mapping[str, Any]) -> tuple[Spec | None, list[str]]:
    """A spec, None where it cannot be read, and what in it is newer than this version."""
    try:
        spec = asks.model_validate(told)
    except ValidationError as error:  # of what is wrong otherwise whoever does the work will say so
        return None, [
            ".".join(map(str, each["loc"]))
            for each in error.errors(include_url=False)
            if each["type"] == "extra_forbidden" or each["loc"] == ("format",)
        ]
    with contextlib.suppress(UnknownGameError):
        for name, number in _games_of(spec):
            if number > find_row(name).rules.version:
                return spec, [f"version {number} of {name}"]
    return spec, []


def _beyond(spec: Spec, queue: str, *, columns: bool) -> str | None:
    """Why this host cannot do the work that was in `queue`; None if it can."""
    try:
        for name, _ in _games_of(spec):
            find_row(name)
        if columns:
            records_url()
        if isinstance(spec, TrainingSpec):
            require_engine(spec)
        for name, digest in environments_in(queue).items():  # they may have been removed
            find(name, digest)
    except (SpecError, MissingParquetError, UnknownGameError, UnsupportedError) as error:
        return str(error)
    if isinstance(spec, LeafSpec | TrainingSpec) or "." not in queue:  # work without bots
        return None
    return excess(spec.limits)


def _games_of(spec: Spec) -> list[tuple[str, int]]:
    """The names of the games that it is about, with the versions of their rules, 0 for any."""
    if isinstance(spec, CheckSpec):
        return [(name, 0) for name in spec.games]
    return [(spec.game.name, spec.game.version)]
