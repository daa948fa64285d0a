"""The reveal of a frozen tournament, as far as it has come."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.results import tables
from arena.store import freezes
from arena.store import tournaments as store
from arena.store.models import Tournament, User
from arena.theory.standings import reveal as reveals
from arena.theory.standings.reveal import Reveal
from arena.tournaments import freezing


def reveal(session: Session, tournament: Tournament) -> Reveal:
    """The table between what the public sees and what there is; what there is where nothing is hidden."""
    final = tables.table(session, tournament)
    with freezes.beside(session) as there:
        kept = store.of_ids(there, [tournament.id])
        if tournament.frozen_at is None or not kept:
            return reveals.reveal(final, final, len(final.standings))
        frozen = tables.table(there, kept[0])
    return reveals.reveal(frozen, final, tournament.reveal_step)


def go_to(session: Session, actor: User, tournament: Tournament, *, at: int, to: int) -> None:
    """Take the reveal from one step to another; after the last one everybody sees all.

    Raises:
        ConflictError: it is not frozen, or still being played.
    """
    last = len(store.entry_rows(session, tournament))
    freezing.go_to(session, actor, tournament, to, now_at=at, last=last)
