"""Many rows of one table in a single statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import JSON, ColumnElement, func, insert, literal, literal_column, select
from sqlalchemy.orm import Session

from arena.store.models import Base


def insert_rows(session: Session, model: type[Base], rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows that JSON can hold, all with the same columns, past the session's own objects.

    PostgreSQL is told all of them as one value: its driver takes longer to spell out a row than the server
    takes to write it.
    """
    if not rows:
        return
    if session.get_bind().dialect.name != "postgresql":
        session.connection().execute(insert(model), rows)
        return
    none: ColumnElement[Any] = literal_column(f"NULL::{model.__tablename__}")
    told = func.json_populate_recordset(none, literal(list(rows), JSON)).table_valued(*rows[0])
    session.connection().execute(insert(model).from_select(list(rows[0]), select(*told.c)))
