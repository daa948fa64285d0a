"""Bots and their versions."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from arena.core.terms import VersionState
from arena.schemas.games import GameName
from workers.checks.contract import CheckReport, StepReport


class VersionOut(BaseModel):
    """One submission of a bot."""

    bot: str = Field(examples=["group8"])
    version: int = Field(ge=1, description="Counts from 1 for each bot.")
    archive: str = Field(description="The SHA-256 of the stored zip.", pattern="^[0-9a-f]{64}$")
    size: int = Field(description="The size of the stored zip in bytes.")
    filename: str = Field(description="The name under which it was sent.")
    language: str = Field(examples=["python"], description="What it is written in.")
    games: list[str] = Field(description="The games that it is checked in, and may play.")
    state: VersionState = Field(description="Only a version that has passed a check may play.")
    created_at: dt.datetime


class Submitted(VersionOut):
    """The version that holds what was sent."""

    created: bool = Field(description="False when the bot had a version with just this content already.")


class NewReference(BaseModel):
    """A reference bot to be handed in under the name of the address."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"reference": "random"}})

    reference: str = Field(min_length=1, max_length=60, description="Its name, such as `group8`.")
    games: list[GameName] = Field(default=[], max_length=20, description="Without any, the usual one.")


class CheckOut(BaseModel):
    """The submission check of a version: how far it is, and what came of it."""

    bot: str
    version: int = Field(ge=1)
    state: VersionState
    waiting: str | None = Field(description="Why it has not begun, where no worker host can do it.")
    trouble: str | None = Field(description="What befell the last attempt; for owner and staff.")
    code: str | None = Field(description="The code of the fault, where there was one.", examples=["timeout"])
    steps: list[StepReport] = Field(description="The parts that were done, in their order.")
    recorded_at: dt.datetime | None
    report: CheckReport | None = Field(description="All the evidence; for the bot's owner and the staff.")


class CheckAgain(BaseModel):
    """What a version is checked in once more."""

    games: list[str] = Field(default=[], max_length=20, description="Without any, the same as before.")


class LanguageOut(BaseModel):
    """A language that bots can be written in."""

    name: str = Field(examples=["cpp"])
    title: str = Field(examples=["C++"])
    entries: list[str] = Field(description="Names of the file that starts a bot, the preferred one first.")
    versions: list[str] = Field(description="The tools of the worker hosts there are now.")


class EnvironmentOut(BaseModel):
    """Packages that Python bots find which name it in their `bot.toml`."""

    name: str = Field(examples=["numpy"])
    packages: str = Field(
        description="The Python that it is for, and the packages with their versions.",
        examples=["CPython 3.11, numpy==2.1.3"],
    )
    digest: str = Field(
        description="Which one it is: of two with the same digest all files are the same.",
        examples=["4edfa5e6c07b7c72"],
    )
    chosen_at: dt.datetime = Field(description="Since when the name means that in this arena.")
    hosts: int = Field(description="How many worker hosts have it that are there now; work waits for one.")
    others: dict[str, str] = Field(
        description="What else worker hosts offer under the name, by its digests: they get no work for it."
    )


class EnvironmentChoice(BaseModel):
    """What the name of an environment is to mean."""

    digest: Annotated[str, Field(min_length=1, max_length=40, examples=["4edfa5e6c07b7c72"])]


class BotOut(BaseModel):
    """A program that takes part in tournaments."""

    name: str = Field(examples=["group8"])
    owner: str = Field(description="The name of the user it belongs to.")
    created_at: dt.datetime
    newest: VersionOut | None = Field(description="The version that would be entered into a tournament.")
