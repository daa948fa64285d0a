"""What the public is shown of a frozen tournament: rows as they were at its freeze, in tables of their own.

A table `frozen_x` has the columns of `x`, and the rows the same ids. Nothing but the freeze writes them, so
that whatever happens afterwards cannot be seen in them. See `arena.store.freezes`.
"""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, UniqueConstraint

from arena.store.models import matches, tournaments
from arena.store.models.base import Base

PREFIX = "frozen_"
COPIED = (
    *(each.__tablename__ for each in (tournaments.Tournament, tournaments.Entry, tournaments.Encounter)),
    *(each.__tablename__ for each in (tournaments.OpeningTotal, tournaments.Bye)),
    *(each.__tablename__ for each in (matches.Match, matches.Result)),
    *(each.__tablename__ for each in (matches.SupersededResult, matches.VoidAttempt, matches.Move)),
)
"""The tables of which a freeze copies a tournament's rows."""


def _like(table: Table) -> Table:
    """The table with the same columns and indexes, and no ties to others."""
    name = PREFIX + table.name
    columns = [
        Column(
            each.name, each.type, primary_key=each.primary_key, nullable=each.nullable, autoincrement=False
        )
        for each in table.columns
    ]
    indexed = [[each.name for each in index.columns] for index in table.indexes]
    unique = [each for each in table.constraints if isinstance(each, UniqueConstraint)]
    indexed += [[each.name for each in constraint.columns] for constraint in unique]
    indexes = [Index(f"ix_{name}_{'_'.join(names)}", *names) for names in sorted(indexed)]
    return Table(name, Base.metadata, *columns, *indexes)


FROZEN = {name: _like(Base.metadata.tables[name]) for name in COPIED}
"""The tables with the copies, by the names of those that are copied."""
