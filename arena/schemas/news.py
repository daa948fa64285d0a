"""What is new to a user."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, ConfigDict, Field

from arena.core.terms import NewsKind, VersionState


class NewsOut(BaseModel):
    """One thing that is new, or was; all results of a bot in a tournament together are one."""

    key: str = Field(description="Stays the same while more is added to it.", examples=["results-cup-comet"])
    kind: NewsKind
    at: dt.datetime = Field(description="When it happened, or what of it came last.")
    is_new: bool = Field(description="Whether it came after what one has seen.")
    event: str | None = Field(
        default=None, description="What happened to a tournament.", examples=["tournament.running"]
    )
    tournament: str | None = None
    title: str | None = Field(default=None, description="What stands over the tournament.")
    bot: str | None = None
    team: str | None = Field(default=None, description="The team whose bot it is, where one follows it.")
    version: int | None = Field(default=None, description="The version that was checked, or handed in.")
    state: VersionState | None = Field(default=None, description="What came of the check.")
    won: int | None = None
    drawn: int | None = None
    lost: int | None = Field(default=None, description="By forfeit, too.")
    text: str | None = Field(default=None, description="What was announced or answered.")
    question: int | None = Field(default=None, description="The number of the question.")
    asked: str | None = Field(default=None, description="What was asked.")
    asker: str | None = Field(default=None, description="Who asked; null where others are not to know.")
    own: bool = Field(default=False, description="Whether one's own team asked.")
    to_all: bool = Field(default=False, description="Whether all read the answer.")

    @property
    def heading(self) -> str:
        """What stands over its tournament."""
        return self.title or self.tournament or ""


class SeenNews(BaseModel):
    """Up to when the news has been seen."""

    model_config = ConfigDict(extra="forbid")

    until: dt.datetime | None = Field(
        default=None, description="The `at` of the newest thing that was seen; all up to now without it."
    )


class NewsMark(BaseModel):
    """Where somebody is with the news."""

    seen_at: dt.datetime = Field(description="What came after it is new.")
    unread: int = Field(ge=0)
