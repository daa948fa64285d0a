"""What an organiser has in hand of a class's users is worthless once they run the class no more."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.people import users
from arena.store import classes as class_store
from arena.store import events, sessions
from arena.store import users as store
from arena.store.models import SchoolClass, User
from arena.store.models.account_events import CodeRevoked
from arena.store.models.event_types import EventKind


def take_back(session: Session, actor: User, organiser: User, school_classes: Sequence[SchoolClass]) -> None:
    """Make worthless what `organiser` could still come in by, who ran these classes.

    Whose token they made signs in by nothing of before, as everything else may have been made by it. Unused
    links that they made for others, and the codes by which teams join, are worthless. The staff is left
    alone, as nobody of it has anything of before its time.
    """
    for user in store.given_by(session, organiser, EventKind.TOKEN_ISSUED, school_classes):
        users.revoke_tokens(session, user, actor=actor)
    for user in store.given_by(session, organiser, EventKind.LINK_MADE, school_classes):
        sessions.forget_links(session, user)
    for school_class in school_classes:
        for code in class_store.codes_of_class(session, school_class):
            events.log(session, CodeRevoked(code.id), actor=actor)
            session.delete(code)
