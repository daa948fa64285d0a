"""Queries for the staff's overview: what is in hand where, what waits, what was lost, what takes up room."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeVarTuple

from sqlalchemy import ColumnElement, ScalarSelect, Select, func, literal, or_, select
from sqlalchemy.orm import Session, aliased, joinedload

from arena.core.errors import Worded
from arena.core.terms import ExperimentState, MatchState, TournamentState
from arena.store.leases import ISSUED, locked
from arena.store.models import (
    Analysis,
    Bot,
    BotVersion,
    Check,
    Entry,
    Event,
    Experiment,
    ExperimentChunk,
    Match,
    Repeat,
    Scrimmage,
    ScrimmageGame,
    SolveLeaf,
    Tournament,
    TrainingChunk,
    User,
)
from arena.store.models.event_types import (
    MatchLost,
    MatchParked,
    MatchRecorded,
    MatchStarted,
    RoundPaired,
    TournamentStuck,
)

LOOKED_THROUGH = 5000
"""So many of the newest events are looked through for how much was recorded of late."""
WAITING = (MatchState.PENDING, *ISSUED)
BEGUN = (TournamentState.RUNNING, TournamentState.PAUSED)
LOST, PARKED = MatchLost.KIND, MatchParked.KIND

Columns = TypeVarTuple("Columns")


class Theirs(NamedTuple):
    """Whose tournaments and teams somebody runs: their own and those of classes."""

    user_id: int
    classes: Collection[int]


def _runs(theirs: Theirs | None) -> tuple[ColumnElement[bool], ...]:
    if theirs is None:
        return ()
    return (or_(Tournament.owner_id == theirs.user_id, Tournament.class_id.in_(theirs.classes)),)


class InHand(NamedTuple):
    """Work that a host has in hand: what its `about` means, follows from the kind."""

    host: str
    about: str
    attempt: int
    tournament: str | None = None
    match: int | None = None
    bots: tuple[str, ...] = ()
    version: int | None = None
    experiment: int | None = None
    start: int | None = None
    scrimmage: int | None = None
    game: int | None = None
    solve: int | None = None
    leaf: int | None = None
    training: int | None = None
    chunk: int | None = None


def matches_in_hand(session: Session, hosts: Collection[str], limit: int) -> list[InHand]:
    """The matches that these hosts play, in the order of their ids."""
    first, second = aliased(Entry), aliased(Entry)
    query = (
        select(
            *(Match.host, Match.id, Match.attempt, Tournament.name, Match.number),
            *(_bot_of(first), _bot_of(second)),
        )
        .join(Tournament, Tournament.id == Match.tournament_id)
        .join(first, first.id == Match.first_id)
        .join(second, second.id == Match.second_id)
        .where(Match.state == MatchState.RUNNING, Match.host.in_(hosts))
    )
    return [
        InHand(host or "", str(number), attempt, tournament=cup, match=match, bots=(one, other))
        for host, number, attempt, cup, match, one, other in session.execute(
            query.order_by(Match.id).limit(limit)
        )
    ]


def analyses_in_hand(session: Session, hosts: Collection[str], limit: int) -> list[InHand]:
    """The games that these hosts analyse."""
    return _of_matches(session, Analysis, hosts, limit)


def repeats_in_hand(session: Session, hosts: Collection[str], limit: int) -> list[InHand]:
    """The matches of laboratory PCs that these hosts play again."""
    return _of_matches(session, Repeat, hosts, limit)


def _of_matches(
    session: Session, work: type[Analysis | Repeat], hosts: Collection[str], limit: int
) -> list[InHand]:
    """What is done to matches that were played, or to private games."""
    query = select(work.host, work.id, work.attempt, Tournament.name, Match.number)
    query = query.outerjoin(Match, Match.id == work.match_id)
    query = query.outerjoin(Tournament, Tournament.id == Match.tournament_id)
    query = query.where(work.state == MatchState.RUNNING, work.host.in_(hosts))
    return [
        InHand(host or "", str(number), attempt, tournament=cup, match=match)
        for host, number, attempt, cup, match in session.execute(query.order_by(work.id).limit(limit))
    ]


def checks_in_hand(session: Session, hosts: Collection[str], limit: int) -> list[InHand]:
    """The checks that these hosts do."""
    query = select(Check.host, Check.version_id, Check.attempt, Bot.name, BotVersion.number)
    query = query.join(BotVersion, BotVersion.id == Check.version_id).join(Bot, Bot.id == BotVersion.bot_id)
    query = query.where(Check.state == MatchState.RUNNING, Check.host.in_(hosts))
    return [
        InHand(host or "", str(version), attempt, bots=(bot,), version=number)
        for host, version, attempt, bot, number in session.execute(
            query.order_by(Check.version_id).limit(limit)
        )
    ]


def scrimmages_in_hand(session: Session, hosts: Collection[str], limit: int) -> list[InHand]:
    """The games of scrimmages that these hosts play."""
    game = ScrimmageGame
    query = select(game.host, game.id, game.attempt, Bot.name, game.scrimmage_id, game.number)
    query = query.join(Scrimmage, Scrimmage.id == game.scrimmage_id)
    query = query.join(BotVersion, BotVersion.id == Scrimmage.version_id).join(
        Bot, Bot.id == BotVersion.bot_id
    )
    query = query.where(game.state == MatchState.RUNNING, game.host.in_(hosts)).order_by(game.id).limit(limit)
    return [
        InHand(host or "", str(number), attempt, bots=(bot,), scrimmage=scrimmage, game=place)
        for host, number, attempt, bot, scrimmage, place in session.execute(query)
    ]


def chunks_in_hand(session: Session, hosts: Collection[str], limit: int) -> list[InHand]:
    """The chunks that these hosts play."""
    chunk = ExperimentChunk
    query = select(chunk.host, chunk.experiment_id, chunk.attempt, chunk.start)
    query = query.where(chunk.state == MatchState.RUNNING, chunk.host.in_(hosts))
    rows = session.execute(query.order_by(chunk.experiment_id, chunk.start).limit(limit))
    return [
        InHand(host or "", str(number), attempt, experiment=number, start=start)
        for host, number, attempt, start in rows
    ]


def leaves_in_hand(session: Session, hosts: Collection[str], limit: int) -> list[InHand]:
    """The positions of games that are solved which these hosts search."""
    leaf = SolveLeaf
    query = select(leaf.host, leaf.solve_id, leaf.attempt, leaf.number)
    query = query.where(leaf.state == MatchState.RUNNING, leaf.host.in_(hosts))
    rows = session.execute(query.order_by(leaf.solve_id, leaf.number).limit(limit))
    return [
        InHand(host or "", str(solve), attempt, solve=solve, leaf=number)
        for host, solve, attempt, number in rows
    ]


def training_in_hand(session: Session, hosts: Collection[str], limit: int) -> list[InHand]:
    """The chunks of players that are learned which these hosts are at."""
    chunk = TrainingChunk
    query = select(chunk.host, chunk.training_id, chunk.attempt, chunk.number)
    query = query.where(chunk.state == MatchState.RUNNING, chunk.host.in_(hosts))
    rows = session.execute(query.order_by(chunk.training_id, chunk.number).limit(limit))
    return [
        InHand(host or "", str(training), attempt, training=training, chunk=number)
        for host, training, attempt, number in rows
    ]


def _bot_of(entry: type[Entry]) -> ScalarSelect[str]:
    return select(Bot.name).where(Bot.id == entry.bot_id).scalar_subquery()


class Waiting(NamedTuple):
    """How many matches of a tournament with the same needs are in a state."""

    tournament_id: int
    name: str
    title: str | None
    tournament_state: TournamentState
    needs: str
    state: MatchState
    matches: int


def waiting_matches(session: Session, theirs: Theirs | None) -> list[Waiting]:
    """What is to be played of the tournaments that have begun, by tournament, needs and state."""
    about = Tournament.id, Tournament.name, Tournament.title, Tournament.state
    query = select(*about, Match.needs, Match.state, func.count()).join(
        Match, Match.tournament_id == Tournament.id
    )
    query = query.where(Tournament.state.in_(BEGUN), Match.state.in_(WAITING), *_runs(theirs))
    query = query.group_by(*about, Match.needs, Match.state).order_by(Tournament.id, Match.needs)
    return [Waiting(*row) for row in session.execute(query)]


def paired_at(session: Session, tournaments: Collection[int]) -> dict[int, dt.datetime]:
    """When the last round of each of these tournaments was paired."""
    query = select(Event.tournament_id, func.max(Event.at)).where(
        Event.tournament_id.in_(tournaments), Event.kind == RoundPaired.KIND
    )
    return {row[0]: row[1] for row in session.execute(query.group_by(Event.tournament_id)) if row[0]}


def stuck(session: Session, theirs: Theirs | None) -> list[tuple[str, str, Worded]]:
    """Name, title and trouble of the running tournaments whose formats do not know how they go on."""
    query = select(Tournament.name, Tournament.title, Tournament.revision, Event.data).where(*_runs(theirs))
    query = query.join(Event, Event.tournament_id == Tournament.id).order_by(Event.id)
    query = query.where(Tournament.state == TournamentState.RUNNING, Event.kind == TournamentStuck.KIND)
    rows = ((name, title, at, TournamentStuck(**data)) for name, title, at, data in session.execute(query))
    last = {name: (name, title or "", told.said) for name, title, at, told in rows if told.revision == at}
    return list(last.values())


class WaitingLine(NamedTuple):
    """How many checks, or games, with the same needs are in a state, and since when the oldest waits."""

    needs: str
    state: MatchState
    number: int
    oldest: dt.datetime


def waiting_checks(session: Session, theirs: Theirs | None) -> list[WaitingLine]:
    """The checks that are not over, by needs and state."""
    query = select(Check.needs, Check.state, func.count(), func.min(Check.created_at))
    query = query.where(Check.state.in_(WAITING))
    if theirs is not None:
        query = query.join(BotVersion, BotVersion.id == Check.version_id)
        query = query.join(Bot, Bot.id == BotVersion.bot_id).join(User, User.id == Bot.owner_id)
        query = query.where(_owned(theirs))
    return [
        WaitingLine(*row)
        for row in session.execute(query.group_by(Check.needs, Check.state).order_by(Check.needs))
    ]


def waiting_scrimmages(session: Session, theirs: Theirs | None) -> list[WaitingLine]:
    """The games of scrimmages that are not over, by needs and state."""
    game = ScrimmageGame
    query = select(game.needs, game.state, func.count(), func.min(Scrimmage.created_at))
    query = query.join(Scrimmage, Scrimmage.id == game.scrimmage_id).where(game.state.in_(WAITING))
    if theirs is not None:
        query = query.join(User, User.id == game.owner_id).where(User.class_id.in_(theirs.classes))
    grouped = query.group_by(game.needs, game.state).order_by(game.needs)
    return [WaitingLine(*row) for row in session.execute(grouped)]


def waiting_analyses(session: Session, theirs: Theirs | None) -> list[WaitingLine]:
    """The analyses that are not over, by state."""
    query = select(literal(""), Analysis.state, func.count(), func.min(Analysis.created_at))
    query = query.where(Analysis.state.in_(WAITING)).group_by(Analysis.state)
    rows = session.execute(_analysed(query, theirs).order_by(Analysis.state))
    return [WaitingLine(*row) for row in rows]


def parked_analyses(theirs: Theirs | None) -> Select[Analysis]:
    """The analyses that were given up, the latest first."""
    query = select(Analysis).where(Analysis.state == MatchState.PARKED)
    query = query.options(joinedload(Analysis.match))
    return _analysed(query, theirs).order_by(Analysis.created_at.desc(), Analysis.id)


def _analysed(query: Select[*Columns], theirs: Theirs | None) -> Select[*Columns]:
    """Those of the tournaments that somebody runs."""
    if theirs is None:
        return query
    query = query.join(Match, Match.id == Analysis.match_id)
    return query.join(Tournament, Tournament.id == Match.tournament_id).where(*_runs(theirs))


class WaitingExperiment(NamedTuple):
    """An experiment that is not over, how many games it has left, and how many of its chunks are out."""

    number: int
    needs: str
    state: ExperimentState
    games_left: int
    created_at: dt.datetime
    published: int
    running: int


def waiting_experiments(session: Session, limit: int) -> tuple[list[WaitingExperiment], int]:
    """The experiments that are not over, oldest first, and how many there are."""
    open_ = Experiment.state.in_((ExperimentState.WAITING, ExperimentState.RUNNING))
    total = session.scalar(select(func.count()).select_from(Experiment).where(open_)) or 0
    one = Experiment
    query = select(
        *(one.id, one.needs, one.state, one.games - one.done - one.ahead, one.created_at),
        *(_chunks(MatchState.PUBLISHED), _chunks(MatchState.RUNNING)),
    )
    rows = session.execute(query.where(open_).order_by(one.id).limit(limit))
    return [WaitingExperiment(*row) for row in rows], total


def _chunks(state: MatchState) -> ScalarSelect[int]:
    query = select(func.count()).select_from(ExperimentChunk)
    query = query.where(ExperimentChunk.experiment_id == Experiment.id, ExperimentChunk.state == state)
    return query.correlate(Experiment).scalar_subquery()


def recorded_since(
    session: Session, moment: dt.datetime, theirs: Theirs | None
) -> tuple[int, dt.datetime | None]:
    """How many matches were recorded since then, among the newest events, and when the first of them was."""
    newest = select(Event.kind, Event.at, Event.tournament_id).order_by(Event.id.desc())
    lately = newest.limit(LOOKED_THROUGH).subquery()
    query = select(func.count(), func.min(lately.c.at)).where(
        lately.c.kind == MatchRecorded.KIND, lately.c.at >= moment
    )
    if theirs is not None:
        query = query.join(Tournament, Tournament.id == lately.c.tournament_id).where(*_runs(theirs))
    count, first = session.execute(query).one()
    return count, first


def parked_matches(theirs: Theirs | None) -> Select[Match]:
    """The matches that wait for the staff, by tournament and number."""
    query = select(Match).where(Match.state == MatchState.PARKED)
    if theirs is not None:
        query = query.join(Tournament, Tournament.id == Match.tournament_id).where(*_runs(theirs))
    return query.order_by(Match.tournament_id, Match.number)


def lost_matches(theirs: Theirs | None) -> Select[Match]:
    """The matches of tournaments that have begun which were lost and are not parked, the latest first."""
    begun = select(Tournament.id).where(Tournament.state.in_(BEGUN), *_runs(theirs))
    lost = select(Event.match_id).where(Event.tournament_id.in_(begun), Event.kind.in_((LOST, PARKED)))
    query = select(Match).where(Match.id.in_(lost), Match.state != MatchState.PARKED)
    return query.order_by(Match.id.desc())


def parked_by_tournament(session: Session, theirs: Theirs | None) -> list[tuple[str, str, int]]:
    """Name, title and number of parked matches of each tournament that has any."""
    query = select(Tournament.name, Tournament.title, func.count()).join(
        Match, Match.tournament_id == Tournament.id
    )
    query = query.where(Match.state == MatchState.PARKED, *_runs(theirs))
    query = query.group_by(Tournament.id, Tournament.name, Tournament.title).order_by(Tournament.id)
    return [(name, title or "", count) for name, title, count in session.execute(query)]


def lock_parked(session: Session, tournament: Tournament, limit: int) -> Sequence[Match]:
    """A tournament's parked matches by number, locked."""
    query = select(Match).where(Match.tournament_id == tournament.id, Match.state == MatchState.PARKED)
    return session.scalars(locked(query.order_by(Match.id).limit(limit), Match)).unique().all()


def attempts(session: Session, matches: Collection[int]) -> Sequence[Any]:
    """What befell the attempts at these matches: the match's id, the moment, the kind and what was told."""
    kinds = (MatchStarted.KIND, LOST, PARKED)
    query = select(Event.match_id, Event.at, Event.kind, Event.data)
    query = query.where(Event.match_id.in_(matches), Event.kind.in_(kinds)).order_by(Event.id)
    return session.execute(query).all()


def _owned(theirs: Theirs) -> ColumnElement[bool]:
    return or_(Bot.owner_id == theirs.user_id, User.class_id.in_(theirs.classes))


def checks(states: Collection[MatchState], theirs: Theirs | None) -> Select[Check]:
    """The checks in these states: those that are not over, oldest first; others, the latest first."""
    query = select(Check).where(Check.state.in_(states))
    if theirs is not None:
        query = query.join(BotVersion, BotVersion.id == Check.version_id)
        query = query.join(Bot, Bot.id == BotVersion.bot_id).join(User, User.id == Bot.owner_id)
        query = query.where(_owned(theirs))
    if set(states) <= set(WAITING):
        return query.order_by(Check.created_at, Check.version_id)
    return query.order_by(Check.recorded_at.desc().nulls_last(), Check.created_at.desc(), Check.version_id)


def failed_experiments() -> Select[Experiment]:
    """The experiments that were given up, the latest first."""
    query = select(Experiment).where(Experiment.state == ExperimentState.FAILED)
    return query.order_by(Experiment.id.desc())
