"""What is new to a user: read from the tables and the log whenever somebody asks, and kept nowhere.

Results of one bot in one tournament are one thing, however many there are. Of a frozen tournament there is no
more than its teams may know; of teams that one follows, no more than everybody may.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.terms import NewsKind
from arena.events.visible import IN_FREEZE
from arena.schemas.news import NewsOut
from arena.store import careers, follows, teams
from arena.store import news as store
from arena.store import questions as question_store
from arena.store.models import Answer, User
from arena.store.models.event_types import EventKind
from arena.store.news import Concern, Happening

MOST = 200
"""So many of each kind are looked back upon."""
MAX_TOURNAMENTS = 200

_NOWHERE = Concern(0, "", None, None)


def mark_of(user: User) -> dt.datetime:
    """Up to when a user has seen the news; who has never looked, up to when they came."""
    return user.news_seen_at or user.created_at


def listed(session: Session, user: User, since: dt.datetime | None = None) -> list[NewsOut]:
    """What is or was new to a user, the last first; new is what came after `since`, or after their mark."""
    since = since or mark_of(user)
    found = list(_all(session, user, since, only_new=False))
    return sorted(found, key=lambda each: (each.at, each.key), reverse=True)


def for_feed(session: Session, user: User) -> list[NewsOut]:
    """The same for programs that keep by themselves what was seen: nothing depends on the mark."""
    found = list(_all(session, user, None, only_new=False))
    return sorted(found, key=lambda each: (each.at, each.key), reverse=True)


def count_new(session: Session, user: User) -> int:
    """How much of it came after the user's mark."""
    return sum(each.is_new for each in _all(session, user, mark_of(user), only_new=True))


def see(session: Session, user: User, until: dt.datetime | None = None) -> dt.datetime:
    """Move the user's mark on; never back, and never to what is yet to come. Where it is then."""
    now = utc_now()
    user.news_seen_at = max(mark_of(user), min(until or now, now))
    session.flush()
    return user.news_seen_at


def _all(session: Session, user: User, since: dt.datetime | None, *, only_new: bool) -> Iterator[NewsOut]:
    bots = [bot.id for bot in teams.bots(session, user.account_id)]
    rows = store.concerns(session, bots, user.class_id, MAX_TOURNAMENTS)
    tournaments = {row.id: row for row in rows}
    yield from _results(session, bots, tournaments, since, only_new=only_new)
    for verdict in store.verdicts(session, bots, MOST):
        yield NewsOut(
            key=f"check-{verdict.bot}-{verdict.version}-{verdict.at:%Y%m%d%H%M%S%f}",
            kind=NewsKind.CHECK,
            at=verdict.at,
            is_new=_is_new(verdict.at, since),
            bot=verdict.bot,
            version=verdict.version,
            state=verdict.state,
        )
    yield from _followed(session, user, since, only_new=only_new)
    happened = store.happened(session, list(tournaments), MOST)
    for event in (*happened, *store.announced(session, user.class_id, MOST)):
        tournament = tournaments[event.tournament_id] if event.tournament_id else _NOWHERE
        if _is_told(event, tournament):
            yield _happening(event, tournament, since)
    for answer in question_store.told(session, user.account_id, user.class_id, list(tournaments), MOST):
        yield _answer(answer, user, tournaments, since)


def _is_new(at: dt.datetime, since: dt.datetime | None) -> bool:
    return since is None or at > since


def _results(
    session: Session,
    bots: list[int],
    tournaments: Mapping[int, Concern],
    since: dt.datetime | None,
    *,
    only_new: bool,
) -> Iterator[NewsOut]:
    for row in store.results(session, bots, since, only_new=only_new) if bots else ():
        tournament = tournaments.get(row.tournament_id)
        if tournament is None:
            continue  # too long ago
        yield NewsOut(
            key=f"results-{tournament.name}-{row.bot}",
            kind=NewsKind.RESULTS,
            at=row.at,
            is_new=row.is_new,
            tournament=tournament.name,
            title=tournament.title,
            bot=row.bot,
            won=row.won,
            drawn=row.drawn,
            lost=row.lost,
        )


def _followed(
    session: Session, user: User, since: dt.datetime | None, *, only_new: bool
) -> Iterator[NewsOut]:
    """What everybody may know of the teams that one follows."""
    bots = follows.bot_ids(session, user)
    if not bots:
        return
    for row in careers.results(session, bots, since, only_new=only_new, limit=MOST):
        yield NewsOut(
            key=f"followed-{row.tournament}-{row.bot}",
            kind=NewsKind.RESULTS,
            **row._asdict(),
        )
    for version in follows.submitted(session, bots, MOST):
        yield NewsOut(
            key=f"version-{version.bot}-{version.version}",
            kind=NewsKind.VERSION,
            is_new=_is_new(version.at, since),
            **version._asdict(),
        )


def _is_told(event: Happening, tournament: Concern) -> bool:
    """Whether an event is no secret of a freeze; of those that set a tournament running, the start is."""
    frozen = tournament.freeze_event
    if frozen is not None and event.number > frozen and event.kind not in IN_FREEZE:
        return False
    return event.kind is not EventKind.TOURNAMENT_RUNNING or "matches" in event.data


def _happening(event: Happening, tournament: Concern, since: dt.datetime | None) -> NewsOut:
    text: str | None = event.data.get("text")
    return NewsOut(
        key=f"event-{event.number}",
        kind=NewsKind.TOURNAMENT if text is None else NewsKind.ANNOUNCEMENT,
        at=event.at,
        is_new=_is_new(event.at, since),
        event=event.kind if text is None else None,
        tournament=tournament.name or None,
        title=tournament.title,
        text=text,
    )


def _answer(
    answer: Answer, user: User, tournaments: Mapping[int, Concern], since: dt.datetime | None
) -> NewsOut:
    question = answer.question
    tournament = tournaments.get(question.tournament_id or 0, _NOWHERE)
    own = question.team_id == user.account_id
    return NewsOut(
        key=f"answer-{answer.id}",
        kind=NewsKind.ANSWER,
        at=answer.at,
        is_new=_is_new(answer.at, since),
        tournament=tournament.name or None,
        title=tournament.title,
        text=answer.text,
        question=question.id,
        asked=question.text,
        asker=question.team.name if own or answer.names_asker else None,
        own=own,
        to_all=answer.to_all,
    )
