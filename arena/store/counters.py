"""What is counted of the arena's own work, in the transactions that do it."""

from __future__ import annotations

from collections import Counter as Sum
from enum import StrEnum

from sqlalchemy import case, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from arena.store.models import Counter

MAX_KEPT = 2**63 - 1
"""What a column keeps at most; a sum of what hosts tell stops there."""
_COUNTS = "counts"
"""Where a session has what is to be added when it commits."""


class Counted(StrEnum):
    """What is counted, and by what each is told apart."""

    RESULTS = "results"
    """Results that were recorded, by the kind of work."""
    REFUSED = "refused"
    """Reports of attempts that were given up, or that another host has claimed, by the kind of work."""
    EXPIRED = "expired"
    """Leases that ran out, by the kind of work."""
    SILENT = "silent"
    """Attempts that were given up because their worker fell silent, by the kind of work."""
    LOST = "lost"
    """All attempts that were given up, by the kind of work."""
    FORFEITS = "forfeits"
    """Forfeits in recorded matches, by their fault."""
    MOVES = "moves"
    """Moves of recorded matches, by the longest time of those of their class."""
    MOVES_NS = "moves_ns"
    """The nanoseconds that these took together."""
    PRUNED = "pruned"
    """What was removed because it was old, by what it was."""


def count(session: Session, what: Counted, label: str = "", number: int = 1) -> None:
    """Have so many more counted when this transaction commits."""
    if number:
        session.info.setdefault(_COUNTS, Sum())[str(what), label] += number


def write(session: Session) -> None:
    """Write down what is to be counted: last of all, in a fixed order, as others wait for these rows."""
    counts: Sum[tuple[str, str]] = session.info.pop(_COUNTS, Sum())
    if not counts:
        return
    session.flush()
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    query = dialect.insert(Counter)
    more = query.excluded.value
    both = case((Counter.value > MAX_KEPT - more, MAX_KEPT), else_=Counter.value + more)
    query = query.on_conflict_do_update(index_elements=[Counter.name, Counter.label], set_={"value": both})
    rows = [
        {"name": name, "label": label, "value": min(counts[name, label], MAX_KEPT)}
        for name, label in sorted(counts)
    ]
    session.connection().execute(query, rows)


def counts(session: Session) -> dict[str, dict[str, int]]:
    """All that was counted, by what it is and how it is told apart."""
    found: dict[str, dict[str, int]] = {str(what): {} for what in Counted}
    for name, label, value in session.execute(select(Counter.name, Counter.label, Counter.value)):
        found.setdefault(name, {})[label] = value
    return found
