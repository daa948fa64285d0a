"""All kinds of work that are given out under leases."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.coordinator import (
    checks,
    chunks,
    learning,
    leases,
    matches,
    moves,
    repeats,
    reviews,
    scrimmages,
    solving,
)
from arena.store import leases as store

KINDS: tuple[leases.AnyWork, ...] = (
    checks.WORK,
    matches.WORK,
    moves.WORK,
    repeats.WORK,
    reviews.WORK,
    scrimmages.WORK,
    chunks.WORK,
    solving.WORK,
    learning.WORK,
)
"""In the order in which they are looked after."""


def recall_all(session: Session, why: str) -> None:
    """Requeue all that is given out, in play or not, where it is known that no worker lives to be waited for.

    A worker that lives all the same is refused.
    """
    for work in KINDS:
        leases.recall(work, session, store.issued_tokens(session, work.model), store.ISSUED, why)


def rest_all() -> None:
    """Let go of what is kept only while a coordinator leads."""
    for work in KINDS:
        work.rest()
