"""What goes to a worker and what comes back: `MatchSpec` in, `MatchResult` out.

Both are frozen, are written as JSON, and carry the number of their format. Times of the limits are in
milliseconds, measured times in nanoseconds. Everything that a match depends on is in its spec.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, StringConstraints

FORMAT: Final = 1
MEGABYTE: Final = 1024 * 1024

Seat = Literal[0, 1]
Milliseconds = Annotated[int, Field(ge=0, le=24 * 3600 * 1000)]
Count = Annotated[int, Field(ge=0, lt=2**53)]
"""A number that every JSON reader keeps, and every database."""
Nanoseconds = Count
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
T = TypeVar("T")
Many = Annotated[tuple[T, ...], FailFast()]
"""The first that is wrong ends it: each fault takes hundreds of bytes, and two of a report's make one."""


class Frozen(BaseModel):
    """A value: it cannot be changed and refuses fields that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GameSpec(Frozen):
    """Which game, with which parameters, in which version of its rules."""

    name: Name
    params: dict[str, Any] = Field(default_factory=dict)
    version: int = 1


class BotRef(Frozen):
    """One entrant of a match. `archive` is the SHA-256 of its files, or None for a bot run from a path."""

    name: Name
    version: int | None = None
    archive: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None


class TimeControl(Frozen):
    """The time a bot has. An answer is due within `move_ms`; see `workers.play.clock` for what comes after.

    `bank_ms` is an optional reserve for the whole game and `increment_ms` what each answer adds to it.
    `grace_ms` forgives transport and is never shown to a bot.
    """

    move_ms: Annotated[int, Field(ge=1, le=3600 * 1000)] = 60_000
    extensions: Annotated[int, Field(ge=0, le=1000)] = 3
    extension_ms: Milliseconds = 120_000
    bank_ms: Milliseconds | None = None
    increment_ms: Milliseconds = 0
    startup_ms: Annotated[int, Field(ge=1, le=3600 * 1000)] = 10_000
    grace_ms: Milliseconds = 100


class Limits(Frozen):
    """What a bot may use besides its time for moves; the first three and `ponder` are told to the bot.

    `memory_mb` is for everything that it has at once, files in its scratch folder included, and `disk_mb`
    for these files. `processes` counts threads too. `cpu_seconds` and `wall_seconds` are for a match.
    """

    line_bytes: Annotated[int, Field(ge=256, le=2**20)] = 65_536
    output_bytes: Annotated[int, Field(ge=1024, le=2**26)] = 1_048_576
    memory_mb: Annotated[int, Field(ge=16, le=2**20)] = 512
    ponder: Literal[False] = False
    file_mb: Annotated[int, Field(ge=0, le=2**20)] = 64
    open_files: Annotated[int, Field(ge=8, le=2**16)] = 64
    cpu_seconds: Annotated[int, Field(ge=1, le=7 * 24 * 3600)] = 7200
    wall_seconds: Annotated[int, Field(ge=1, le=7 * 24 * 3600)] = 24 * 3600
    processes: Annotated[int, Field(ge=1, le=4096)] = 64
    disk_mb: Annotated[int, Field(ge=0, le=2**20)] = 64

    @property
    def spare_cpu_seconds(self) -> int:
        """What a process may have used before a match in which it may use `cpu_seconds`."""
        return max(1, self.cpu_seconds // 10)


class Policy(Frozen):
    """When a match is drawn although its game goes on; `workers.play.policy` fills in what is None.

    `repetition` is how often the same state draws (None: three times, in a game that can repeat), and
    `max_plies` the number of plies that does (None: the game's own limit, if it has one).
    """

    repetition: Annotated[int, Field(ge=2, le=1000)] | None = None
    max_plies: Annotated[int, Field(ge=1, le=100_000)] | None = None


class MatchSpec(Frozen):
    """One game between two bots. `bots[0]` moves first; `opening` is played before anybody is asked.

    With `reuse` a worker may keep the processes of bots that say they are reusable for a later match.
    """

    format: Literal[1] = FORMAT
    match: Name
    game: GameSpec
    bots: tuple[BotRef, BotRef]
    opening: tuple[str, ...] = ()
    seeds: tuple[int, int] = (0, 0)
    time: TimeControl = TimeControl()
    limits: Limits = Limits()
    policy: Policy = Policy()
    reuse: bool = False


class FaultCode(StrEnum):
    """Why a bot forfeits."""

    TIMEOUT = "timeout"
    CRASH = "crash"
    ILLEGAL_MOVE = "illegal_move"
    MALFORMED = "malformed"
    OVERSIZE = "oversize"
    PROTOCOL_ERROR = "protocol_error"
    RESOURCE = "resource"
    STARTUP = "startup"


RESIGNED: Final = "resign"
"""The reason in a result where who lost gave up."""
PLY_LIMIT: Final = "ply_limit"
"""The reason in a result where the policy let the match take no more plies."""
NOT_READY: Final = "was not ready after"
"""How the detail of a `startup` forfeit begins whose bot neither ended nor said anything wrong."""


@dataclass(frozen=True, slots=True)
class CpuContention:
    """What lay on the host while a bot was to answer; None where the host does not tell.

    `waited_ns` is how long the bot's tasks waited for a processor, in all, `pressure_ns` how long at least
    one task of the host did, and `steal_ns` what was stolen of the bot's processors by the host of a virtual
    machine. `lost_ns` is how much of its time the bot could not use because of others; see
    `workers.play.pressure`. A plain dataclass for the reason that `MoveRecord` is one.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    waited_ns: Nanoseconds | None = None
    pressure_ns: Nanoseconds | None = None
    steal_ns: Nanoseconds | None = None
    lost_ns: Nanoseconds = 0


NO_CPU_CONTENTION: Final = CpuContention()


class Forfeit(Frozen):
    """A bot's fault with its evidence. `request` is the line it was answering, `received` what it sent.

    `id` is that of a request for a move; `hello`, which a `startup` forfeit answers, has none.

    `clock_ns` is what its clock showed, `cpu_ns` the processor time it used meanwhile. `excused` says of an
    overrun that the host was too busy to tell whose fault it was: the match is void, once.
    """

    seat: Seat
    code: FaultCode
    ply: Count
    id: Count | None = None
    detail: str
    expected: str
    received: str = ""
    request: str = ""
    clock_ns: Nanoseconds = 0
    cpu_ns: Nanoseconds | None = None
    strain: CpuContention = NO_CPU_CONTENTION
    excused: bool = False
    stderr_tail: str = ""


@dataclass(slots=True)
class MoveRecord:
    """One ply as it was played. An opening move or a pass was asked of nobody: `asked` is false.

    `wall_ns` is how long the answer took. Its clock was charged that, and the processor time that it used
    between its turns (`off_turn_ns`), without what the host kept from it (`strain.lost_ns`).

    A plain dataclass, and not a frozen one, which takes three times as long to make: one is made every ply
    while the clock of the next bot waits. It is checked where it comes in, as a part of a result.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    ply: int
    seat: Seat
    move: str
    asked: bool = True
    wall_ns: Nanoseconds = 0
    cpu_ns: Nanoseconds | None = None
    extension: bool = False
    lag_ns: Nanoseconds = 0
    debug: str | None = None
    off_turn_ns: Nanoseconds = 0
    strain: CpuContention = NO_CPU_CONTENTION

    @property
    def charged_ns(self) -> int:
        """What the answer cost on the clock."""
        return max(0, self.wall_ns + self.off_turn_ns - self.strain.lost_ns)


class SeatUse(Frozen):
    """What one bot used in all, and the name and version that it gave itself. `wall_ns` is as charged."""

    bot_name: str = ""
    bot_version: str = ""
    startup_ns: Nanoseconds = 0
    wall_ns: Nanoseconds = 0
    cpu_ns: Nanoseconds = 0
    slowest_ns: Nanoseconds = 0
    answers: Count = 0
    extensions_used: Count = 0
    bank_left_ms: Count | None = None
    stderr_head: str = ""
    stderr_tail: str = ""
    stderr_bytes: Count = 0


class MatchResult(Frozen):
    """How a match ended. `winner` is None for a draw and for a double forfeit (then both are listed).

    `reason` is the game's own word for its end, `repetition` or `ply_limit` where the policy drew it,
    `resign`, or the code of the forfeit that decided. `host_speed` is as `workers.host.calibration`
    measured it. `voided` are the forfeits of an attempt before this one, that did not count.
    """

    format: Literal[1] = FORMAT
    match: Name
    winner: Seat | None
    reason: str
    score: tuple[int, int]
    forfeits: Many[Forfeit] = ()
    moves: Many[MoveRecord] = ()
    seats: tuple[SeatUse, SeatUse] = (SeatUse(), SeatUse())
    host: str = ""
    host_speed: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    voided: Many[Forfeit] = ()

    @property
    def half_points(self) -> tuple[int, int]:
        """Points times two: 2 for a win, 1 each for a draw, 0 for a loss and for a double forfeit."""
        if self.winner is not None:
            return (2, 0) if self.winner == 0 else (0, 2)
        return (0, 0) if self.forfeits else (1, 1)

    @property
    def void(self) -> bool:
        """Whether the host's pressure explains how it ended, so that it does not count the first time."""
        return any(forfeit.excused for forfeit in self.forfeits)


class MatchRecord(Frozen):
    """One line of a record file: everything needed to show or to replay a match."""

    spec: MatchSpec
    result: MatchResult
