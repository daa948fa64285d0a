"""Users and their tokens."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from arena.core.names import FORM, MAX_CHARS
from arena.core.terms import Role


class NewUser(BaseModel):
    """Somebody to be let in."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"name": "team-8", "role": "team"}}
    )

    name: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_CHARS),
        Field(
            description="Letters and digits of any script, `_`, `-` and `.`.",
            json_schema_extra={"pattern": FORM},
        ),
    ]
    role: Role = Role.TEAM


class UserOut(BaseModel):
    """Somebody with a token."""

    name: str = Field(examples=["team-8"])
    role: Role
    created_at: dt.datetime


class Revoked(BaseModel):
    """What became of a user's tokens."""

    revoked: int = Field(ge=0, description="How many tokens were valid and are not any more.")


class UserWithToken(BaseModel):
    """A user and a fresh token, whose text is shown this once."""

    user: UserOut
    token: str = Field(description="To be sent as `Authorization: Bearer …`; it cannot be shown again.")
