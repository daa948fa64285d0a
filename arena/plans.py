"""The plan of a tournament: what somebody asks for when creating one."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from arena.names import SLUG, check_slug
from workers.contract import Frozen, Limits, TimeControl


class Format(StrEnum):
    """Who meets whom: everybody everybody once, or once more with the seats exchanged."""

    ROUND_ROBIN = "round_robin"
    DOUBLE_ROUND_ROBIN = "double_round_robin"


class TournamentPlan(Frozen):
    """Everything that a tournament is decided by, besides its entries.

    With `openings` at 0 each pairing of a cycle is one game from the initial position. Otherwise each
    pairing plays every opening from both seats; an opening is `opening_plies` balanced random moves. Every
    cycle has openings of its own, and all cycles together have at most 40.
    """

    name: Annotated[str, AfterValidator(check_slug), Field(json_schema_extra={"pattern": SLUG})]
    game: str
    params: dict[str, Any] = Field(default_factory=dict)
    format: Format = Format.ROUND_ROBIN
    time: TimeControl = TimeControl()
    limits: Limits = Limits()
    openings: Annotated[int, Field(ge=0, le=100, description="How many in each cycle.")] = 0
    opening_plies: Annotated[int, Field(ge=0, le=100)] = 6
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0

    @field_validator("time")
    @classmethod
    def _time_makes_sense(cls, time: TimeControl) -> TimeControl:
        if time.extensions and time.extension_ms < time.move_ms:
            raise ValueError(
                f"an extended answer would have {time.extension_ms} ms, less than the {time.move_ms} ms of "
                "any other: give extension_ms of at least move_ms, or extensions 0"
            )
        if time.increment_ms and time.bank_ms is None:
            raise ValueError("increment_ms adds to a reserve, and there is none: give bank_ms too")
        return time

    @model_validator(mode="after")
    def _openings_differ(self) -> Self:
        if self.openings > 1 and self.opening_plies == 0:
            raise ValueError(
                "openings of 0 plies are all the same: give opening_plies, or at most one opening"
            )
        return self
