"""How alike the bots of a class or a tournament are."""

from __future__ import annotations

from pydantic import BaseModel, Field


class LikeSide(BaseModel):
    """One bot of a pair."""

    team: str
    bot: str
    version: int = Field(ge=1)
    own: int = Field(description="The tokens that are the team's own: not of the kit, and not most teams'.")
    share: float = Field(ge=0, le=1, description="What part of these is in the other one as well.")
    cut: bool = Field(description="Whether it is so long that its end was not looked at.")


class LikePair(BaseModel):
    """Two bots of different teams that have much in common."""

    likeness: float = Field(ge=0, le=1, description="The larger of the two shares.")
    tokens: int = Field(ge=0, description="The tokens that are the same in both.")
    passages: int = Field(ge=0, description="The passages in which they stand.")
    first: LikeSide
    second: LikeSide


class NotCompared(BaseModel):
    """A bot that was not compared, and why."""

    team: str
    bot: str
    why: str


class LikenessOut(BaseModel):
    """The pairs above a threshold, the likest first. Who has taken what from whom is not in these numbers."""

    threshold: float
    compared: int = Field(description="How many bots were compared.")
    hidden: int = Field(description="How many were not, as their files are not the asker's to see.")
    left_out: list[NotCompared]
    pairs: list[LikePair]


class Segment(BaseModel):
    """A piece of a file; `passage` is the number of the passage that it is, if it is one."""

    text: str
    passage: int | None


class LikeFile(BaseModel):
    """A source file in pieces."""

    name: str
    segments: list[Segment]


class SideBySide(LikePair):
    """Two bots with all their source, and what is the same in both."""

    first_files: list[LikeFile]
    second_files: list[LikeFile]
