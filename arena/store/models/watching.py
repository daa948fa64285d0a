"""Which process acts where several could, and what is counted of the arena's own work."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.models.base import Base


class Leader(Base):
    """Who acts of those that do the work called `name`; None as `holder` where nobody does.

    `fence` grows with everybody who takes over, `beat` with every sign of life of who leads: at `seen_at` the
    last one was given, after so many `ticks` of all leaders together.
    """

    __tablename__ = "leaders"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    holder: Mapped[str | None] = mapped_column(String(300))
    fence: Mapped[int]
    beat: Mapped[int] = mapped_column(BigInteger)
    ticks: Mapped[int] = mapped_column(BigInteger)
    seen_at: Mapped[dt.datetime]


class Counter(Base):
    """How often something has happened since the database was made; `label` says which of several."""

    __tablename__ = "counters"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    label: Mapped[str] = mapped_column(String(100), primary_key=True)
    value: Mapped[int] = mapped_column(BigInteger)
