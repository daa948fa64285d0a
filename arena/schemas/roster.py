"""What became of a roster."""

from __future__ import annotations

from pydantic import BaseModel, Field

from arena.core.terms import Role


class AdmissionOut(BaseModel):
    """One user of the roster."""

    name: str = Field(examples=["team-8"])
    role: Role
    created: bool = Field(description="Whether the user is new.")
    token: str | None = Field(description="A new user's first token, shown this once; null in a dry run.")
    bots: list[str] = Field(description="Names of bots that are kept for the user now.")
    team: str | None = Field(description="The team that the user is a member of.")


class RosterOut(BaseModel):
    """All users of the roster, in its order."""

    dry_run: bool
    columns: dict[str, str] = Field(
        description="What the file calls the columns that were taken.", examples=[{"user": "隊名"}]
    )
    ignored: list[str] = Field(description="Columns that were passed over.")
    warnings: list[str] = Field(
        description="Lines that were taken and may mean something else, such as a second line of a user."
    )
    items: list[AdmissionOut]
