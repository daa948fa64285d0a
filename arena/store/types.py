"""Column types of our own."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Generic, TypeVar

from sqlalchemy import DateTime, String
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

Member = TypeVar("Member", bound=StrEnum)


class EnumText(TypeDecorator[Member], Generic[Member]):
    """A member of an enumeration, kept as its text of at most `length` characters."""

    impl = String
    cache_ok = True

    def __init__(self, enum: type[Member], length: int) -> None:
        super().__init__(length)
        self.enum = enum

    def process_bind_param(self, value: Member | str | None, dialect: Dialect) -> str | None:
        """The text of the member; what is none of them is refused."""
        del dialect
        return None if value is None else self.enum(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> Member | None:
        """The member again."""
        del dialect
        return None if value is None else self.enum(value)


class UtcDateTime(TypeDecorator[dt.datetime]):
    """A moment in UTC, with its zone, also where the database (SQLite) forgets zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        """Refuse moments without a zone, store the others in UTC."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            message = "a moment without a time zone cannot be stored"
            raise ValueError(message)
        return value.astimezone(dt.UTC)

    def process_result_value(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        """Put the zone back."""
        del dialect
        return value if value is None or value.tzinfo else value.replace(tzinfo=dt.UTC)
