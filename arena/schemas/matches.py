"""Matches with their moves. What a bot wrote is for its owner and the staff only."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from arena.core.errors import Worded
from arena.core.terms import MatchState
from arena.theory.pairing.contract import Kind
from workers.core.contract import CpuContention, FaultCode, Forfeit, SeatUse

MAX_REASON_CHARS = 500


UNSEEN = r"\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
"""Controls, ends of lines, and what turns or joins letters without being seen."""
ONE_LINE = rf"^[^{UNSEEN}]*[^\s{UNSEEN}][^{UNSEEN}]*$"


class LineError(Worded, ValueError):
    """What was written is not one line of characters that are seen."""


def one_line(text: str) -> str:
    """`text`, which is one line of characters that are seen.

    Raises:
        LineError: it is not.
    """
    if not re.search(ONE_LINE, text):
        raise LineError("write one line without control characters")
    return text


ReasonText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_REASON_CHARS, strip_whitespace=True),
    AfterValidator(one_line),
    Field(json_schema_extra={"pattern": ONE_LINE}),
]


class Reason(BaseModel):
    """Why something is done to a tournament or a match, for those who ask later."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"reason": "agreed with both"}})

    reason: ReasonText


class SeatOut(BaseModel):
    """Who sits there."""

    entry: int
    bot: str
    version: int
    owner: str


class ForfeitOut(BaseModel):
    """Why a bot lost before the game was over, as everybody may know it."""

    seat: int
    code: FaultCode
    ply: int


class ForfeitEvidence(ForfeitOut):
    """The same with the evidence, for the bot's owner and the staff; null for everybody else."""

    evidence: Forfeit | None


class Contention(BaseModel):
    """Why an overrun did not count: for both owners and the staff; null for everybody else."""

    wall_ns: int = Field(description="How long the answer was waited for.")
    cpu_ns: int | None = Field(description="The processor time that the bot used meanwhile.")
    strain: CpuContention


class VoidForfeit(ForfeitEvidence):
    """An overrun that did not count, with what lay on the host."""

    contention: Contention | None


class VoidOut(BaseModel):
    """An attempt that was void, because its host was too busy, and was followed by another one."""

    attempt: int
    recorded_at: dt.datetime
    forfeits: list[VoidForfeit]
    use: list[SeatUse]
    host: str | None = Field(description="For the staff only.")


class ResultOut(BaseModel):
    """How a match ended. `winner` is the seat that won, null for a draw or when both forfeited."""

    winner: int | None
    reason: str = Field(examples=["fewest_discs"])
    score: tuple[int, int]
    points: tuple[float, float]
    wall_ms: tuple[int, int] = Field(description="The thinking time of each seat, in milliseconds.")
    forfeits: list[ForfeitOut]
    recorded_at: dt.datetime
    kind: Kind = Field(description="`forfeit` when it was decided without a game.")
    manual_reason: str | None = Field(description="Why it was not the game that decided.")


class SupersededOut(BaseModel):
    """A result that counts no more."""

    attempt: int
    result: ResultOut
    moves: list[str]
    why: str
    superseded_at: dt.datetime


class MatchOut(BaseModel):
    """One game of a tournament. `seats[0]` moves first."""

    number: int
    round: int
    phase: str = Field(description="A group's letter, a stage of a bracket, or empty.")
    state: MatchState
    seats: tuple[SeatOut, SeatOut]
    opening_number: int
    opening: list[str]
    result: ResultOut | None


class MoveOut(BaseModel):
    """One ply. Nobody was asked for an opening move or a pass."""

    ply: int
    seat: int
    move: str
    asked: bool
    wall_ns: int = Field(description="From the request's last byte to the answer's newline.")
    cpu_ns: int | None
    extension: bool = Field(description="Whether one of the seat's extensions was used up.")
    lag_ns: int = Field(description="How long the referee itself waited for a processor.")
    off_turn_ns: int = Field(description="Processor time used between its turns; it is charged.")
    waited_ns: int | None = Field(description="How long the bot's tasks waited for a processor.")
    pressure_ns: int | None = Field(description="How long anything on the host waited for one.")
    steal_ns: int | None = Field(description="What the host of a virtual machine stole meanwhile.")
    lost_ns: int = Field(description="What the bot could not use because of others; it is not charged.")
    debug: str | None = Field(description="What the bot wrote about it; for its owner and the staff.")


class Troubles(BaseModel):
    """What the staff knows about the attempts at a match."""

    attempt: int
    lost: int = Field(description="How many attempts ended with a lost worker.")
    refused: int = Field(description="How many reports came too late or from an attempt given up.")
    host: str | None
    host_speed: float | None = Field(description="1 is the reference; null before the end.")
    trouble: str | None


class MatchDetail(MatchOut):
    """A match with its moves, and what the asking user may see besides."""

    moves: list[MoveOut]
    use: list[SeatUse] = Field(description="What each seat used in all; empty before the end.")
    evidence: list[ForfeitEvidence]
    voids: list[VoidOut] = Field(description="Attempts that did not count, because the host was too busy.")
    superseded: list[SupersededOut] = Field(
        description="Results before the present one, which count no more."
    )
    staff: Troubles | None = Field(description="For the staff only.")
