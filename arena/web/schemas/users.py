"""Users and their tokens."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from arena.core.names import FORM, MAX_CHARS
from arena.core.terms import Role
from arena.store.models import User


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

    @classmethod
    def of(cls, user: User) -> Self:
        """The user without secrets."""
        return cls(name=user.name, role=user.role, created_at=user.created_at)


class Revoked(BaseModel):
    """What became of a user's tokens."""

    revoked: int = Field(ge=0, description="How many tokens were valid and are not any more.")


class UserWithToken(BaseModel):
    """A user and a fresh token, whose text is shown this once."""

    user: UserOut
    token: str = Field(description="To be sent as `Authorization: Bearer …`; it cannot be shown again.")
