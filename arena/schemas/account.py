"""One's own account: tokens, sessions, the password, the team."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, ConfigDict, Field

from arena.core.names import MAX_CHARS
from arena.core.terms import Scope, SignedInBy

MAX_DAYS = 366
SCOPE = (
    "`feed`: nothing but the feed of one's news; `read`: looks on; `submit`: also hands in and enters bots; "
    "`all`: whatever its user may do."
)


class NewToken(BaseModel):
    """A token to be made."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "laptop", "days": 90}})

    name: str = Field(default="", max_length=MAX_CHARS, description="What it is for.")
    scope: Scope = Field(default=Scope.ALL, description=SCOPE)
    days: int | None = Field(default=None, ge=1, le=MAX_DAYS, description="Until when; null for ever.")


class TokenOut(BaseModel):
    """A token that is good now; its text was shown when it was made."""

    id: int
    name: str
    scope: Scope = Field(description=SCOPE)
    created_at: dt.datetime
    expires_at: dt.datetime | None


class MadeToken(TokenOut):
    """A token that was just made."""

    token: str = Field(description="To be sent as `Authorization: Bearer …`; it cannot be shown again.")


class SessionOut(BaseModel):
    """Somebody signed in on the pages."""

    id: int
    signed_in_by: SignedInBy
    browser: str = Field(description="What it says it is, in short.", examples=["Firefox, Windows"])
    address: str = Field(description="Without its last part.", examples=["192.0.2.…"])
    created_at: dt.datetime
    seen_at: dt.datetime = Field(description="To ten minutes.")
    expires_at: dt.datetime


class PasskeyOut(BaseModel):
    """A passkey; it is made and shown by browsers, on the pages."""

    id: int
    name: str
    host: str = Field(description="The arena's name that it signs in at.", examples=["teacher.local"])
    created_at: dt.datetime
    used_at: dt.datetime | None


class IdentityOut(BaseModel):
    """An account at the school's OpenID provider; it is linked and signs in by browsers, on the pages."""

    id: int
    issuer: str = Field(description="The provider.", examples=["https://login.school.edu.tw"])
    subject: str = Field(description="What nobody else is called there.", examples=["248289761001"])
    label: str = Field(description="How the provider shows it to people, if it does.", examples=["ann"])
    created_at: dt.datetime
    used_at: dt.datetime | None


class EndedSessions(BaseModel):
    """What became of sessions."""

    ended: int = Field(ge=0)


class NewPassword(BaseModel):
    """A password to be chosen."""

    model_config = ConfigDict(extra="forbid")

    password: str = Field(min_length=10, max_length=200)
    current: str = Field(default="", max_length=200, description="The one so far, if there is one.")


class Joining(BaseModel):
    """Somebody who has a code."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"code": "ABCDE-23456", "name": "amy", "team": "red"}}
    )

    code: str = Field(max_length=100)
    name: str = Field(max_length=MAX_CHARS, description="The name to sign in by.")
    team: str = Field(
        default="", max_length=MAX_CHARS, description="The new team's, where the code makes one."
    )


class NewCode(BaseModel):
    """A code to be given out."""

    model_config = ConfigDict(extra="forbid")

    uses: int = Field(default=40, ge=1, le=500, description="How many may join by it.")
    days: int = Field(default=7, ge=1, le=MAX_DAYS)


class CodeOut(BaseModel):
    """A code that is good now."""

    id: int
    text: str = Field(examples=["ABCDE-23456"])
    uses_left: int
    created_at: dt.datetime
    expires_at: dt.datetime
