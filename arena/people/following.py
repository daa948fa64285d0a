"""Following a team: who does is told in their news what it does, as far as everybody may know."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, NotFoundError
from arena.people import users
from arena.store import follows as store
from arena.store import users as user_store
from arena.store.follows import Followed
from arena.store.models import Follow, User

MOST = 50
"""Teams that one may follow."""


def listed(session: Session, user: User) -> Sequence[Followed]:
    """The teams that somebody follows, in the order of their names."""
    return store.of_user(session, user)


def follow(session: Session, user: User, name: str) -> Followed:
    """Follow a team; who follows it already goes on as before.

    Raises:
        NotFoundError: there is no team of that name with a bot.
        ConflictError: it is one's own, or one follows as many as one may.
    """
    team = _team(session, name)
    if team.id == user.account_id:
        raise ConflictError("%(team)r is your own team, whose news you have anyway", team=team.name)
    user_store.locked(session, user.id)
    if store.find(session, user, team) is None:
        if store.count(session, user) >= MOST:
            raise ConflictError("you follow %(most)s teams, the most one may: leave one first", most=MOST)
        session.add(Follow(user_id=user.id, team_id=team.id, created_at=utc_now()))
        session.flush()
    return next(each for each in listed(session, user) if each.team == team.name)


def unfollow(session: Session, user: User, name: str) -> None:
    """Follow a team no more.

    Raises:
        NotFoundError: one does not follow such a team.
    """
    team = users.find(session, name)
    user_store.locked(session, user.id)  # as who begins does, who is told of it then
    if team is None or not store.remove(session, user, team):
        raise NotFoundError("you do not follow %(team)r", team=name)


def _team(session: Session, name: str) -> User:
    """A team whose bots everybody sees; of others nobody is told that they are here."""
    team = users.find(session, name)
    if team is None or not permissions.is_team(team) or not user_store.has_bots(session, team):
        raise NotFoundError("there is no team %(team)r that has a bot", team=name)
    return team
