"""The base of all tables, and what is the same in several of them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, MetaData, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from arena.core.terms import MAX_HOST_CHARS, MatchState
from arena.store.types import EnumText, UtcDateTime


class Base(DeclarativeBase):
    """All tables, with constraint names that migrations can speak of."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012  (SQLAlchemy reads a plain class attribute)
        dict[str, Any]: JSON,
        list[str]: JSON,
        dt.datetime: UtcDateTime,
    }


class Leased:
    """Work that is given out, an attempt at a time.

    `token` fences the current attempt: a report that carries another one is refused. `lease_until` is when
    the coordinator stops waiting for a sign of life, and `beat` the number of the last one of this attempt;
    `lost` counts the attempts that were given up.
    """

    state: Mapped[MatchState] = mapped_column(EnumText(MatchState, 10))
    attempt: Mapped[int] = mapped_column(default=0)
    lost: Mapped[int] = mapped_column(default=0)
    token: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[dt.datetime | None] = mapped_column(index=True)
    host: Mapped[str | None] = mapped_column(String(MAX_HOST_CHARS))
    beat: Mapped[int | None]

    def release(self, state: MatchState) -> None:
        """Leave it in a state in which nobody is waited for: what is still reported of it is refused."""
        for name, value in self.released(state).items():
            setattr(self, name, value)

    @staticmethod
    def released(state: MatchState) -> dict[str, Any]:
        """The columns of a row in such a state: also to update many of them at once."""
        return {"state": state, "token": None, "lease_until": None, "host": None}

    def finish(self) -> None:
        """Leave it finished: by its token a report that comes twice is known."""
        self.state = MatchState.FINISHED
        self.lease_until = None
