"""What worker hosts report of themselves, and of what they have set aside: the form of every message."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints

from workers.core.contract import Frozen
from workers.core.poison import MAX_DETAIL_CHARS, MAX_HEAD_CHARS, Unfit
from workers.programs.serving import KINDS

Number = Annotated[int, Field(gt=0, lt=2**31)]

Plain = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]


Moment = Annotated[
    AwareDatetime, Field(ge=dt.datetime(2, 1, 1, tzinfo=dt.UTC), lt=dt.datetime(9999, 1, 1, tzinfo=dt.UTC))
]
"""By a clock that may be anyhow, but in every time zone it is a moment."""


class DoingReport(Frozen):
    """What a process has in hand: the number of a match, a version or an experiment, and since when."""

    kind: Plain
    about: Plain
    attempt: Number
    since: Moment
    core: Annotated[int, Field(ge=0, lt=2**31)] | None = None


class HostReport(Frozen):
    """What a worker host says of itself: its languages with the versions of their tools, and its speed.

    `process` is which of its processes says it, `takes` the kinds of work that it takes, and `cores` how many
    cores the host's matches may have. The process runs that `version` of the arena, is `doing` something or
    nothing, and takes nothing new where it is `draining`.
    """

    host: Plain
    languages: Annotated[dict[Plain, Plain], Field(max_length=100)]
    speed: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    cores: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    process: Plain | None = None
    takes: Annotated[tuple[Plain, ...], Field(max_length=10)] = KINDS
    version: Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$")] | None = None
    draining: bool = False
    doing: DoingReport | None = None


class SetAsideReport(Frozen):
    """What a host took from one of its queues that was no message; `head` is how it begins."""

    host: Plain
    queue: Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")]
    why: Unfit
    detail: Annotated[str, Field(max_length=MAX_DETAIL_CHARS, pattern=r"^[^\x00]*$")]
    size: Annotated[int, Field(ge=0, lt=2**62)]
    head: Annotated[str, Field(max_length=MAX_HEAD_CHARS, pattern=r"^[^\x00]*$")]
