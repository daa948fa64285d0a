"""Bots and their versions."""

from __future__ import annotations

import datetime as dt
from typing import Self

from pydantic import BaseModel, Field

from arena.store.models import Bot, BotVersion


class VersionOut(BaseModel):
    """One submission of a bot."""

    bot: str = Field(examples=["group8"])
    version: int = Field(ge=1, description="Counts from 1 for each bot.")
    archive: str = Field(description="The SHA-256 of the stored zip.", pattern="^[0-9a-f]{64}$")
    size: int = Field(description="The size of the stored zip in bytes.")
    filename: str = Field(description="The name under which it was sent.")
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
            created_at=version.created_at,
        )


class Submitted(VersionOut):
    """The version that holds what was sent."""

    created: bool = Field(description="False when the bot had a version with just this content already.")


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
