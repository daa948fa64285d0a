"""Column types of our own."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import DateTime
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


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
