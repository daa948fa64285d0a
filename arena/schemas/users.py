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
    class_name: str | None = Field(
        default=None, max_length=MAX_CHARS, description="The class; an organiser names one of theirs."
    )


class UserOut(BaseModel):
    """Somebody who signs in."""

    name: str = Field(examples=["team-8"])
    role: Role
    team: str | None = Field(description="Of a member, the team whose bots they hand in.")
    is_leader: bool = Field(description="Whether they let members in and out of the team.")
    class_name: str | None = Field(description="The class that they belong to.")
    created_at: dt.datetime


class UserState(UserOut):
    """Somebody with what they can sign in with now, as the staff sees it."""

    disabled_at: dt.datetime | None = Field(description="Since when they are out and sign in no more.")
    has_password: bool
    tokens: int = Field(description="How many API tokens are good.")
    sessions: int = Field(description="In how many browsers they are signed in.")
    passkeys: int
    links: int = Field(description="How many links to sign in, not yet used, are good.")


class NewRole(BaseModel):
    """What a user may do from now on."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"role": "organiser"}})

    role: Role


class Revoked(BaseModel):
    """What became of a user's tokens."""

    revoked: int = Field(ge=0, description="How many tokens were valid and are not any more.")


class UserWithToken(BaseModel):
    """A user and a fresh token, whose text is shown this once."""

    user: UserOut
    token: str = Field(description="To be sent as `Authorization: Bearer …`; it cannot be shown again.")


class LinkOut(BaseModel):
    """A link that signs a user in once, shown this once."""

    user: str
    url: str
    expires_at: dt.datetime
