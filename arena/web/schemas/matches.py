"""Matches with their moves. What a bot wrote is for its owner and the staff only."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from arena.core.terms import MatchState
from arena.store.models import Ending, Entry, Match, Move, SupersededResult, VoidAttempt
from arena.theory.pairing.contract import Kind
from arena.web.http.visibility import Viewer
from workers.core.contract import CpuContention, FaultCode, Forfeit, SeatUse

MAX_REASON_CHARS = 500


UNSEEN = r"\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
"""Controls, ends of lines, and what turns or joins letters without being seen."""
ONE_LINE = rf"^[^{UNSEEN}]*[^\s{UNSEEN}][^{UNSEEN}]*$"


def _one_line(text: str) -> str:
    if not re.search(ONE_LINE, text):
        raise ValueError("write one line without control characters")
    return text


ReasonText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_REASON_CHARS, strip_whitespace=True),
    AfterValidator(_one_line),
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

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """The entry that sits there."""
        bot = entry.version.bot
        return cls(entry=entry.number, bot=bot.name, version=entry.version.number, owner=bot.owner.name)


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

    @classmethod
    def of(cls, forfeit: Forfeit) -> Self:
        """What a forfeit tells of it."""
        return cls(wall_ns=forfeit.clock_ns, cpu_ns=forfeit.cpu_ns, strain=forfeit.strain)


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

    @classmethod
    def seen_by(cls, viewer: Viewer, match: Match, void: VoidAttempt) -> Self:
        """The attempt as `viewer` may see it."""
        both = viewer.sees_a_bot_of(match)
        forfeits = [Forfeit.model_validate(row) for row in void.forfeits]
        return cls(
            attempt=void.attempt,
            recorded_at=void.recorded_at,
            forfeits=[
                VoidForfeit(
                    **dict(_evidence(viewer, match, forfeit)),
                    contention=Contention.of(forfeit) if both else None,
                )
                for forfeit in forfeits
            ],
            use=_use(viewer, match, void.seats),
            host=void.host if viewer.is_staff else None,
        )


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

    @classmethod
    def of(cls, result: Ending) -> Self:
        """The result without moves and evidence."""
        first, second = (SeatUse.model_validate(row) for row in result.seats)
        return cls(
            winner=result.winner,
            reason=result.reason,
            score=(result.first_score, result.second_score),
            points=(result.first_half_points / 2, result.second_half_points / 2),
            wall_ms=(first.wall_ns // 1_000_000, second.wall_ns // 1_000_000),
            forfeits=[
                ForfeitOut(seat=row["seat"], code=row["code"], ply=row["ply"]) for row in result.forfeits
            ],
            recorded_at=result.recorded_at,
            kind=result.kind,
            manual_reason=result.manual_reason,
        )


class SupersededOut(BaseModel):
    """A result that counts no more."""

    attempt: int
    result: ResultOut
    moves: list[str]
    why: str
    superseded_at: dt.datetime

    @classmethod
    def of(cls, row: SupersededResult) -> Self:
        """The result with its moves' notation."""
        return cls(
            attempt=row.attempt,
            result=ResultOut.of(row),
            moves=[move["move"] for move in row.moves],
            why=row.why,
            superseded_at=row.superseded_at,
        )


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

    @classmethod
    def of(cls, match: Match) -> Self:
        """The match without its moves."""
        return cls(
            number=match.number,
            round=match.round,
            phase=match.phase,
            state=match.state,
            seats=(SeatOut.of(match.first), SeatOut.of(match.second)),
            opening_number=match.opening_number,
            opening=match.opening,
            result=ResultOut.of(match.result) if match.result else None,
        )


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

    @classmethod
    def seen_by(cls, viewer: Viewer, match: Match, moves: Sequence[Move]) -> Self:
        """The match as `viewer` may see it."""
        forfeits = [Forfeit.model_validate(row) for row in match.result.forfeits] if match.result else []
        return cls(
            **dict(MatchOut.of(match)),
            moves=[_move(move, debug=viewer.sees_bot_of(match, move.seat)) for move in moves],
            use=_use(viewer, match, match.result.seats if match.result else []),
            evidence=[_evidence(viewer, match, forfeit) for forfeit in forfeits],
            voids=[VoidOut.seen_by(viewer, match, void) for void in match.voids],
            superseded=[SupersededOut.of(row) for row in match.superseded],
            staff=_troubles(match) if viewer.is_staff else None,
        )


def _use(viewer: Viewer, match: Match, seats: Sequence[dict[str, Any]]) -> list[SeatUse]:
    return [viewer.use(match, seat, SeatUse.model_validate(row)) for seat, row in enumerate(seats)]


def _evidence(viewer: Viewer, match: Match, forfeit: Forfeit) -> ForfeitEvidence:
    seen = forfeit if viewer.sees_bot_of(match, forfeit.seat) else None
    return ForfeitEvidence(seat=forfeit.seat, code=forfeit.code, ply=forfeit.ply, evidence=seen)


def _move(move: Move, *, debug: bool) -> MoveOut:
    return MoveOut(
        ply=move.ply,
        seat=move.seat,
        move=move.move,
        asked=move.asked,
        wall_ns=move.wall_ns,
        cpu_ns=move.cpu_ns,
        extension=move.extension,
        lag_ns=move.lag_ns,
        off_turn_ns=move.off_turn_ns,
        waited_ns=move.waited_ns,
        pressure_ns=move.pressure_ns,
        steal_ns=move.steal_ns,
        lost_ns=move.lost_ns,
        debug=move.debug if debug else None,
    )


def _troubles(match: Match) -> Troubles:
    return Troubles(
        attempt=match.attempt,
        lost=match.lost,
        refused=match.refused,
        host=match.host,
        host_speed=match.result.host_speed if match.result else None,
        trouble=match.trouble,
    )
