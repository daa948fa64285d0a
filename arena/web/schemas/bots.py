"""Bots and their versions."""

from __future__ import annotations

import datetime as dt
from typing import Self

from pydantic import BaseModel, Field

from arena.core.terms import MatchState, VersionState
from arena.store.models import Bot, BotVersion, Check, User
from arena.submissions import checks
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

    @classmethod
    def of(cls, version: BotVersion) -> Self:
        """The version without its files."""
        return cls(
            bot=version.bot.name,
            version=version.number,
            archive=version.archive,
            size=version.size,
            filename=version.filename,
            language=version.language,
            games=version.games,
            state=version.state,
            created_at=version.created_at,
        )


class Submitted(VersionOut):
    """The version that holds what was sent."""

    created: bool = Field(description="False when the bot had a version with just this content already.")


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

    @classmethod
    def of(cls, check: Check, viewer: User | None, waiting: str | None) -> Self:
        """The check as `viewer` may see it."""
        version = check.version
        theirs = viewer is not None and version.bot.is_open_to(viewer)
        report = checks.report_of(version)
        staff = viewer is not None and viewer.is_staff
        shown = report.model_copy(update={"host": ""}) if report and not staff else report
        return cls(
            bot=version.bot.name,
            version=version.number,
            state=version.state,
            waiting=waiting if check.state == MatchState.PENDING else None,
            trouble=check.trouble if theirs else None,
            code=report.code if report else None,
            steps=list(report.steps) if report else [],
            recorded_at=check.recorded_at if report else None,
            report=shown if theirs else None,
        )


class CheckAgain(BaseModel):
    """What a version is checked in once more."""

    games: list[str] = Field(default=[], max_length=20, description="Without any, the same as before.")


class LanguageOut(BaseModel):
    """A language that bots can be written in."""

    name: str = Field(examples=["cpp"])
    title: str = Field(examples=["C++"])
    entries: list[str] = Field(description="Names of the file that starts a bot, the preferred one first.")
    versions: list[str] = Field(description="The tools of the worker hosts there are now.")


class BotOut(BaseModel):
    """A program that takes part in tournaments."""

    name: str = Field(examples=["group8"])
    owner: str = Field(description="The name of the user it belongs to.")
    created_at: dt.datetime
    newest: VersionOut | None = Field(description="The version that would be entered into a tournament.")

    @classmethod
    def of(cls, bot: Bot, newest: BotVersion | None) -> Self:
        """The bot with its newest version."""
        return cls(
            name=bot.name,
            owner=bot.owner.name,
            created_at=bot.created_at,
            newest=VersionOut.of(newest) if newest else None,
        )
