"""The teams that somebody follows."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, ConfigDict, Field

from arena.core.names import MAX_CHARS


class NewFollow(BaseModel):
    """A team to be followed."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"team": "group8"}})

    team: str = Field(min_length=1, max_length=MAX_CHARS, description="Its name; it has to have a bot.")


class FollowedOut(BaseModel):
    """A team that one follows."""

    team: str
    since: dt.datetime
    bots: list[str] = Field(description="The names of its bots.")


class Unfollowed(BaseModel):
    """A team that one follows no more."""

    team: str
