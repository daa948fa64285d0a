"""What goes to a worker for a submission check and what comes back: `CheckSpec` in, `CheckReport` out."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field

from workers.core.contract import BotRef, Count, Forfeit, Frozen, Limits, Many, Name, TimeControl
from workers.core.stderr import Stderr

CHECK_TIME: Final = TimeControl(move_ms=200, extensions=1000, extension_ms=20_000)
"""A bot that looks at its clock is quick; one that needs its time has it all the same."""

GAME_SECONDS: Final = 180
"""How long the check takes in each game, about: what is left of its matches then is not played."""

BUILD_MOST_SECONDS, GAME_MOST = 600, 5
"""What a check is waited for at most: for its build, and so many times what it takes in its games."""

BUILD: Final = "build"
"""The code of a bot that does not build; the other codes are those of a forfeit."""


class Step(StrEnum):
    """The parts of a check, in their order."""

    BUILD = "build"
    HANDSHAKE = "handshake"
    POSITIONS = "positions"
    RANDOM = "random"
    SELF_PLAY = "self_play"


STEPS: Final = (Step.HANDSHAKE, Step.POSITIONS, Step.RANDOM, Step.SELF_PLAY)
"""What is done in each game, after the build."""


class CheckSpec(Frozen):
    """Which bot is checked in which games. The spec of a check says all that it depends on.

    Once `game_seconds` have passed in a game, its bot is asked nothing more in whole matches of that game.
    """

    format: Literal[1] = 1
    check: Name
    bot: BotRef
    games: Annotated[tuple[Name, ...], Field(min_length=1, max_length=20)]
    time: TimeControl = CHECK_TIME
    limits: Limits = Limits()
    game_seconds: Annotated[int, Field(ge=1, le=24 * 3600)] = GAME_SECONDS

    @property
    def most_seconds(self) -> int:
        """A check that is not over by then has gone wrong, however busy its host is and slow its bot."""
        return BUILD_MOST_SECONDS + GAME_MOST * self.game_seconds * len(self.games)


class StepReport(Frozen):
    """One part of a check: of which game (the build is of none), how it went, and how long it took.

    `cut` says that the time was over before all of its matches were.
    """

    step: Step
    game: Name | None = None
    passed: bool
    took_ms: Count
    cut: bool = False


class Output(Frozen):
    """The first and the last of what was written, control characters escaped, and its size in bytes."""

    head: str = ""
    tail: str = ""
    size: Count = 0

    @classmethod
    def of(cls, said: Stderr) -> Output:
        """What was kept of an output."""
        return cls(head=said.head, tail=said.tail, size=said.size)


class CheckReport(Frozen):
    """The verdict with its evidence.

    `code` is None for a bot that passed. `build` is what its compiler said, `stderr` what it wrote itself in
    the match that it lost, and `forfeit` the rest of the evidence. `reproduce` does the same at home.
    """

    format: Literal[1] = 1
    check: Name
    passed: bool
    code: str | None = None
    detail: str = ""
    language: str
    toolchain: str = ""
    bot_name: str = ""
    bot_version: str = ""
    steps: Many[StepReport]
    build: Output = Output()
    forfeit: Forfeit | None = None
    stderr: Output = Output()
    reproduce: str
    host: str = ""
