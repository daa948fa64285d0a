"""The bots of a class, handed in at once."""

from __future__ import annotations

from pydantic import BaseModel, Field

from arena.core.terms import Handed
from workers.core.errors import Flaw


class BatchLine(BaseModel):
    """What becomes of one part of an upload: of a file, a folder, or what a platform exported of somebody."""

    label: str = Field(description="How the part stands in the upload.", examples=["red", "王小明_1234"])
    files: int = Field(ge=1, description="How many files it has.")
    state: Handed
    team: str | None = Field(description="Whose it is, by its name or as it was said.")
    bot: str | None = Field(description="The bot that it is, or will be, a version of.")
    version: int | None = Field(description="The number of that version.")
    language: str | None = Field(examples=["python"])
    games: list[str] = Field(description="What it is checked in.")
    size: int | None = Field(description="The size of its archive in bytes.")
    problem: str | None = Field(description="Why it is not handed in.")
    flaw: Flaw | None = Field(description="The kind of what is wrong with its files.")


class Batch(BaseModel):
    """What became of an upload, or would become of it."""

    dry_run: bool
    items: list[BatchLine]
    teams: list[str] = Field(description="All teams of the class, in the order of their names.")
    without: list[str] = Field(description="The teams of which nothing is in the upload.")
