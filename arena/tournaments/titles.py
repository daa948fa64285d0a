"""What stands over a tournament, and how that is changed."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.store import events, freezes
from arena.store import tournaments as store
from arena.store.models import Tournament, User
from arena.store.models.freeze_events import TournamentTitled


def change(session: Session, actor: User, tournament: Tournament, title: str | None) -> None:
    """Let another title stand over a tournament, in any language, or its name; also while it is frozen."""
    tournament = store.lock(session, tournament.id)
    if tournament.title == title:
        return
    tournament.title = title
    tournament.revision += 1
    freezes.retitle(session, tournament)
    events.log(session, TournamentTitled(title or ""), actor=actor, tournament=tournament)
    session.flush()
