"""Queries for erasing a person's data: what is deleted, and where names stand within other values."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from sqlalchemy import Text, cast, delete, exists, inspect, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from arena.core.names import BOT_PREFIX
from arena.core.terms import HERO_NAMES, OVER, Leaving
from arena.store import play
from arena.store.models import (
    FROZEN,
    Base,
    Bot,
    BotVersion,
    Entry,
    Event,
    Experiment,
    Follow,
    Grade,
    GradeRelease,
    Grading,
    Identity,
    JoinCode,
    Match,
    OpenIdRequest,
    Passkey,
    PasskeyChallenge,
    PendingEntry,
    PlayGame,
    PlayTurn,
    Question,
    Scrimmage,
    SignInLink,
    Sweep,
    Token,
    Tournament,
    User,
    WebSession,
)
from arena.store.models.event_types import MatchDecided
from arena.store.models.people import organisers
from arena.store.models.question_events import AnswerPublished
from arena.theory.pairing.contract import FormatName

OWN: tuple[InstrumentedAttribute[Any], ...] = (
    *(WebSession.user_id, Token.user_id, SignInLink.user_id, Passkey.user_id, PasskeyChallenge.user_id),
    *(Identity.user_id, OpenIdRequest.user_id, JoinCode.team_id, Follow.user_id, Follow.team_id),
    PendingEntry.user_id,
)
"""What a row that refers to a user by it is deleted with them, in an order in which it can be."""
NAMED: tuple[InstrumentedAttribute[Any], ...] = (
    *(Event.data, Experiment.spec, Sweep.plan, PlayGame.seats, PlayTurn.spec),
    *(Grade.told, Grading.scheme, GradeRelease.scheme),
)
"""The columns of JSON in which people and bots are named."""
OF_PEOPLE, OF_BOTS = frozenset({"user", "team", "owner", "asker", "what"}), frozenset({"bot"})
"""By these keys they name them. What follows `bot:` is a bot too, and a `name` beside an `archive`."""
NOTHING = "—"
"""What stands in the place of what somebody wrote."""
GONE = "left the tournament"
"""What stands in the place of who left, where matches were decided by that."""
VARIED = re.compile(rf"{BOT_PREFIX}\{{(\w+)\}}")
"""The name of a value of a sweep that bots are called by."""
AT_ONCE = 100


class Names(NamedTuple):
    """What people and bots are called from now on, by what they were called."""

    people: Mapping[str, str]
    bots: Mapping[str, str]

    def of_bot(self, text: str) -> str:
        """Another name for that of a bot, which a version may follow."""
        name, at, version = text.partition("@")
        return self.bots.get(name, name) + at + version


def bots(session: Session, user: User) -> Sequence[Bot]:
    """The bots of a user, the oldest first."""
    return session.scalars(select(Bot).where(Bot.owner_id == user.id).order_by(Bot.id)).unique().all()


def unfinished(session: Session, bots: Collection[int]) -> Sequence[str]:
    """The names of the tournaments that these bots are entered in and that are not over."""
    entered = select(Entry.tournament_id).where(Entry.bot_id.in_(bots))
    query = select(Tournament.name).where(Tournament.id.in_(entered), Tournament.state.not_in(OVER))
    return session.scalars(query.order_by(Tournament.id)).all()


def archives_of(session: Session, bots: Collection[int]) -> Sequence[str]:
    """The hashes of the archives that nothing but these bots refers to."""
    others = select(BotVersion.archive).where(BotVersion.bot_id.not_in(bots))
    sparring = select(Scrimmage.archive).where(Scrimmage.archive.is_not(None))
    query = select(BotVersion.archive).where(BotVersion.bot_id.in_(bots)).distinct()
    query = query.where(BotVersion.archive.not_in(others), BotVersion.archive.not_in(sparring))
    return session.scalars(query.order_by(BotVersion.archive)).all()


def forget(session: Session, user: User, bots: Collection[int]) -> None:
    """Delete all that is a person's own and no result, and take what they wrote out of what they asked."""
    for column in OWN:
        session.execute(delete(column.class_).where(column == user.id))
    session.execute(delete(organisers).where(organisers.c.user_id == user.id))
    session.execute(delete(PendingEntry).where(PendingEntry.bot_id.in_(bots)))
    play.delete_of(session, user)
    session.execute(update(Question).where(Question.user_id == user.id).values(text=NOTHING))
    _forget_asked(session, user)
    _forget_left(session, bots)
    session.execute(update(BotVersion).where(BotVersion.bot_id.in_(bots)).values(filename="bot.zip"))


def _forget_asked(session: Session, user: User) -> None:
    """Take their questions out of the events that told all of an answer."""
    theirs = select(Question.id).where(Question.user_id == user.id)
    query = select(Event).where(Event.kind == AnswerPublished.KIND)
    for told in session.scalars(query.where(Event.data["question"].as_integer().in_(theirs))):
        told.data = {**told.data, "asked": NOTHING}


def _forget_left(session: Session, bots: Collection[int]) -> None:
    """Take who left out of what was decided by that in these bots' matches, and out of what tells of it."""
    entered = select(Entry.id).where(Entry.bot_id.in_(bots))
    theirs = select(Match.id).where(or_(Match.first_id.in_(entered), Match.second_id.in_(entered)))
    for tables, name in product((Base.metadata.tables, FROZEN), ("results", "superseded_results")):
        results = tables[name]
        named = results.c.match_id.in_(theirs), results.c.reason.in_(list(Leaving))
        session.execute(update(results).where(*named).values(manual_reason=GONE))
    query = select(Event).where(Event.kind == MatchDecided.KIND, Event.match_id.in_(theirs))
    for told in session.scalars(query.where(Event.data["reason"].as_string().in_(list(Leaving)))):
        told.data = {**told.data, "why": GONE}


def rename_heroes(session: Session, names: Names) -> None:
    """Let gauntlets that have not begun, which know their heroes by names, know them by their new ones."""
    waiting = select(Tournament).where(Tournament.format == FormatName.GAUNTLET)
    for cup in session.scalars(waiting.where(Tournament.started_at.is_(None))):
        heroes = [names.bots.get(hero, hero) for hero in cup.options.get(HERO_NAMES, ())]
        if heroes != cup.options.get(HERO_NAMES, []):
            cup.options = {**cup.options, HERO_NAMES: heroes}
            cup.revision += 1


def tell_anew(session: Session, user: User, bots: Collection[int]) -> None:
    """Let what is told of tournaments be told anew, of frozen ones to the public, too.

    Those are the tournaments of a user's bots, and those about which the user or team has asked something.
    """
    entered = select(Entry.tournament_id).where(Entry.bot_id.in_(bots))
    asked = select(Question.tournament_id).where(
        or_(Question.user_id == user.id, Question.team_id == user.id)
    )
    about = or_(Tournament.id.in_(entered), Tournament.id.in_(asked))
    named = session.scalars(select(Tournament.id).where(about)).all()
    for tables in (Base.metadata.tables, FROZEN):
        cups, entries = tables["tournaments"], tables["entries"]
        session.execute(update(cups).where(cups.c.id.in_(named)).values(revision=cups.c.revision + 1))
        now = select(cups.c.revision).where(cups.c.id == entries.c.tournament_id).scalar_subquery()
        session.execute(update(entries).where(entries.c.bot_id.in_(bots)).values(revision=now))


def is_free(session: Session, name: str, bots: Collection[str]) -> bool:
    """Whether nobody is called that, and no bot one of these."""
    people = exists().where(User.name == name)
    return not session.scalar(select(or_(people, exists().where(Bot.name.in_(bots)))))


def rename(session: Session, names: Names) -> None:
    """Put other names in the place of some where these stand within a row."""
    known = sorted({*names.people, *names.bots})
    for column, some in product(NAMED, _batched(known)):
        text = cast(column, Text)
        written = {json.dumps(name, ensure_ascii=ascii_)[1:-1] for name in some for ascii_ in (True, False)}
        key = inspect(column.class_).primary_key
        query = select(*key, column).where(or_(*(text.contains(each, autoescape=True) for each in written)))
        for *number, told in session.execute(query).all():
            of_bots = OF_BOTS | frozenset(VARIED.findall(json.dumps(told)))
            changed = _renamed(told, names, of_bots)
            if changed != told:
                place = [part == value for part, value in zip(key, number, strict=True)]
                session.execute(update(column.class_).where(*place).values({column.key: changed}))


def _batched(names: Sequence[str]) -> list[Sequence[str]]:
    """Some at a time, as a database bears in one question."""
    return [names[at : at + AT_ONCE] for at in range(0, len(names), AT_ONCE)]


def _renamed(told: Any, names: Names, of_bots: frozenset[str], key: str = "") -> Any:
    if isinstance(told, dict):
        own = "name" if told.get("archive") else None
        return {
            name: names.of_bot(value) if name == own else _renamed(value, names, of_bots, name)
            for name, value in told.items()
        }
    if isinstance(told, list):
        return [_renamed(value, names, of_bots, key) for value in told]
    if not isinstance(told, str):
        return told
    if key in OF_PEOPLE:
        return names.people.get(told, told)
    if told.startswith(BOT_PREFIX):
        return BOT_PREFIX + names.of_bot(told.removeprefix(BOT_PREFIX))
    return names.of_bot(told) if key in of_bots else told
