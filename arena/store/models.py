"""The tables. Truth about what is to be played and what was played is here and nowhere else.

Times are UTC; measured durations are nanoseconds; points are counted in halves.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, MetaData, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from arena.statistics.intervals import Method
from arena.store.types import UtcDateTime


class Base(DeclarativeBase):
    """All tables, with constraint names that migrations can speak of."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012  (SQLAlchemy reads a plain class attribute)
        dict[str, Any]: JSON,
        list[str]: JSON,
        dt.datetime: UtcDateTime,
    }


class Role(StrEnum):
    """What a user may do; whoever shows no token is the public."""

    ADMIN = "admin"
    TEAM = "team"


class TournamentState(StrEnum):
    """draft → open → running ⇄ paused → finished, or cancelled from any state before finished."""

    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class MatchState(StrEnum):
    """pending → published → running → finished; back to pending when lost; parked after too many losses."""

    PENDING = "pending"
    PUBLISHED = "published"
    RUNNING = "running"
    FINISHED = "finished"
    PARKED = "parked"
    CANCELLED = "cancelled"


class ExperimentState(StrEnum):
    """running → finished; cancelled by the staff, or failed when a chunk was lost too often."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


class ChunkState(StrEnum):
    """pending → published → running → finished; back to pending when lost."""

    PENDING = "pending"
    PUBLISHED = "published"
    RUNNING = "running"
    FINISHED = "finished"


class Leaving(StrEnum):
    """Why an entry takes part no more."""

    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


class VersionState(StrEnum):
    """checking → passed or failed; unchecked when the check could not be done, through no fault of the bot.

    Only a version that has passed may play. Every new check begins with checking.
    """

    CHECKING = "checking"
    PASSED = "passed"
    FAILED = "failed"
    UNCHECKED = "unchecked"


class Leased:
    """Work that is given out, an attempt at a time.

    `token` fences the current attempt: a report that carries another one is refused. `lease_until` is when
    the coordinator stops waiting for a sign of life; `lost` counts the attempts that were given up.
    """

    attempt: Mapped[int] = mapped_column(default=0)
    lost: Mapped[int] = mapped_column(default=0)
    token: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[dt.datetime | None] = mapped_column(index=True)
    host: Mapped[str | None] = mapped_column(String(200))


class User(Base):
    """Somebody with a token: the staff, or a team of the class."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    role: Mapped[Role] = mapped_column(String(10))
    created_at: Mapped[dt.datetime]


class Token(Base):
    """An API token; only the SHA-256 of its text is kept."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[dt.datetime]
    revoked_at: Mapped[dt.datetime | None]

    user: Mapped[User] = relationship(lazy="joined")


class Bot(Base):
    """A program that a user submits, through all its versions."""

    __tablename__ = "bots"

    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    created_at: Mapped[dt.datetime]

    owner: Mapped[User] = relationship(lazy="joined")
    versions: Mapped[list[BotVersion]] = relationship(order_by="BotVersion.number", back_populates="bot")


class BotVersion(Base):
    """One submission of a bot; `archive` is the SHA-256 of the stored zip.

    `games` are the names of those that it was submitted for, and is checked in.
    """

    __tablename__ = "bot_versions"
    __table_args__ = (UniqueConstraint("bot_id", "number"), UniqueConstraint("bot_id", "archive"))

    id: Mapped[int] = mapped_column(primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    number: Mapped[int]
    archive: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    filename: Mapped[str] = mapped_column(String(200))
    language: Mapped[str] = mapped_column(String(20))
    games: Mapped[list[str]]
    state: Mapped[VersionState] = mapped_column(String(10))
    created_at: Mapped[dt.datetime]

    bot: Mapped[Bot] = relationship(lazy="joined", back_populates="versions")
    check: Mapped[Check | None] = relationship(back_populates="version")


class Check(Leased, Base):
    """The submission check of a version: the only one, or the last. `report` is what came of it.

    `needs` are the languages that a host must run to do it, here and wherever work is given out.
    """

    __tablename__ = "checks"

    version_id: Mapped[int] = mapped_column(ForeignKey("bot_versions.id"), primary_key=True)
    state: Mapped[MatchState] = mapped_column(String(10), index=True)
    needs: Mapped[str] = mapped_column(String(40))
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    report: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[dt.datetime]
    recorded_at: Mapped[dt.datetime | None]

    version: Mapped[BotVersion] = relationship(lazy="joined", back_populates="check")


class Host(Base):
    """A worker host by its name: the versions of the languages that it runs, and when it last said so.

    `cores` is how many cores its matches may have, one each; None where processes are kept on no core.
    """

    __tablename__ = "hosts"

    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    languages: Mapped[dict[str, Any]]
    speed: Mapped[float | None]
    seen_at: Mapped[dt.datetime]
    cores: Mapped[int | None]


class WorkerProcess(Base):
    """A process of a host that plays one match at a time, and when it last said so."""

    __tablename__ = "worker_processes"

    host: Mapped[str] = mapped_column(ForeignKey("hosts.name"), primary_key=True)
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    seen_at: Mapped[dt.datetime]


class Tournament(Base):
    """A tournament and everything it was planned with.

    Each cycle has `openings` openings of its own; `opening_moves` are those of all cycles, in their order.
    `options` are those of the format (`arena.plans.FormatOptions`), `standings_order` the names of the
    tie-breaks, none for the usual ones. Rounds 1 to `rounds_paired` have their matches and byes;
    `all_paired` says that no other round comes.
    """

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    state: Mapped[TournamentState] = mapped_column(String(10), index=True)
    format: Mapped[str] = mapped_column(String(30))
    options: Mapped[dict[str, Any]]
    standings_order: Mapped[list[str]]
    game: Mapped[str] = mapped_column(String(40))
    params: Mapped[dict[str, Any]]
    game_version: Mapped[int]
    time: Mapped[dict[str, Any]]
    limits: Mapped[dict[str, Any]]
    openings: Mapped[int]
    opening_plies: Mapped[int]
    opening_moves: Mapped[list[list[str]]] = mapped_column(JSON)
    seed: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[dt.datetime]
    started_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]
    revision: Mapped[int] = mapped_column(default=0)
    rounds_paired: Mapped[int] = mapped_column(default=0)
    all_paired: Mapped[bool] = mapped_column(default=False)

    entries: Mapped[list[Entry]] = relationship(order_by="Entry.number", back_populates="tournament")


class Entry(Base):
    """A bot version in a tournament, with its running totals.

    The totals change in the same transaction that records a result. `score_own` is the sum of the entry's
    own scores (discs), `half_points` its points times two, `bye_half_points` those of them that byes gave.
    It takes part from round `joined_round` on, and from `left_round` on no more; none of its games counts
    when it is `annulled`.
    """

    __tablename__ = "entries"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        UniqueConstraint("tournament_id", "bot_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    number: Mapped[int]
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    version_id: Mapped[int] = mapped_column(ForeignKey("bot_versions.id"))
    joined_round: Mapped[int] = mapped_column(default=1)
    left_round: Mapped[int | None]
    left_as: Mapped[Leaving | None] = mapped_column(String(20))
    annulled: Mapped[bool] = mapped_column(default=False)
    games: Mapped[int] = mapped_column(default=0)
    half_points: Mapped[int] = mapped_column(default=0)
    wins: Mapped[int] = mapped_column(default=0)
    draws: Mapped[int] = mapped_column(default=0)
    losses: Mapped[int] = mapped_column(default=0)
    forfeits: Mapped[int] = mapped_column(default=0)
    score_own: Mapped[int] = mapped_column(BigInteger, default=0)
    score_other: Mapped[int] = mapped_column(BigInteger, default=0)
    wall_ns: Mapped[int] = mapped_column(BigInteger, default=0)
    bye_half_points: Mapped[int] = mapped_column(default=0)

    tournament: Mapped[Tournament] = relationship(back_populates="entries")
    version: Mapped[BotVersion] = relationship(lazy="joined")


class Encounter(Base):
    """The running totals of one ordered pair of entries: what `entry_id` made against `other_id`.

    `first_wins`, `first_draws` and `first_losses` count the games in which `entry_id` sat in seat 0, without
    those that both forfeited.
    """

    __tablename__ = "encounters"

    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), primary_key=True)
    games: Mapped[int] = mapped_column(default=0)
    half_points: Mapped[int] = mapped_column(default=0)
    first_wins: Mapped[int] = mapped_column(default=0)
    first_draws: Mapped[int] = mapped_column(default=0)
    first_losses: Mapped[int] = mapped_column(default=0)


class Bye(Base):
    """What an entry got in a round in which it met nobody; `kind` is one of `arena.pairing.contract.Kind`."""

    __tablename__ = "byes"
    __table_args__ = (UniqueConstraint("tournament_id", "round", "entry_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    round: Mapped[int]
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"))
    half_points: Mapped[int]
    kind: Mapped[str] = mapped_column(String(20))
    phase: Mapped[str] = mapped_column(String(40), default="")


class Match(Leased, Base):
    """One game to be played. `number` counts from 1 in the order of the schedule.

    `phase` is where its round belongs: a group's letter, a stage of a bracket, or nothing.
    """

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        Index("ix_matches_state_tournament_id_number", "state", "tournament_id", "number"),
        Index("ix_matches_tournament_id_round", "tournament_id", "round"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    number: Mapped[int]
    round: Mapped[int]
    phase: Mapped[str] = mapped_column(String(40), default="")
    first_id: Mapped[int] = mapped_column(ForeignKey("entries.id"))
    second_id: Mapped[int] = mapped_column(ForeignKey("entries.id"))
    opening_number: Mapped[int]
    opening: Mapped[list[str]]
    needs: Mapped[str] = mapped_column(String(40))
    state: Mapped[MatchState] = mapped_column(String(10))
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)

    tournament: Mapped[Tournament] = relationship(lazy="joined")
    first: Mapped[Entry] = relationship(foreign_keys=[first_id], lazy="joined")
    second: Mapped[Entry] = relationship(foreign_keys=[second_id], lazy="joined")
    result: Mapped[Result | None] = relationship(back_populates="match")
    voids: Mapped[list[VoidAttempt]] = relationship(order_by="VoidAttempt.attempt")
    superseded: Mapped[list[SupersededResult]] = relationship(order_by="SupersededResult.attempt")


class Ending:
    """How a match ended.

    `kind` is `played`, or `forfeit` where it was decided without a game. `manual_reason` is why the staff
    (the user `decided_by`) or somebody's leaving decided it; no host had a part in that.
    """

    winner: Mapped[int | None]
    reason: Mapped[str] = mapped_column(String(40))
    first_score: Mapped[int]
    second_score: Mapped[int]
    first_half_points: Mapped[int]
    second_half_points: Mapped[int]
    forfeits: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    seats: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    host: Mapped[str] = mapped_column(String(200))
    host_speed: Mapped[float | None]
    recorded_at: Mapped[dt.datetime]
    kind: Mapped[str] = mapped_column(String(20), default="played")
    manual_reason: Mapped[str | None] = mapped_column(Text)
    decided_by: Mapped[int | None]


class Result(Ending, Base):
    """The result of a match: at most one, whatever the number of attempts."""

    __tablename__ = "results"
    __table_args__ = (UniqueConstraint("match_id", "attempt"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    attempt: Mapped[int]

    match: Mapped[Match] = relationship(back_populates="result")


class SupersededResult(Ending, Base):
    """A result that counts no more, with its moves: why, by whom (the arena itself if nobody) and when."""

    __tablename__ = "superseded_results"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    moves: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    why: Mapped[str] = mapped_column(Text)
    superseded_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    superseded_at: Mapped[dt.datetime]


class VoidAttempt(Base):
    """An attempt that does not count, because its host was too busy to tell whose fault its end was."""

    __tablename__ = "void_attempts"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    forfeits: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    seats: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    host: Mapped[str] = mapped_column(String(200))
    recorded_at: Mapped[dt.datetime]


class Move(Base):
    """One ply of a recorded match; for the times see `workers.contract.MoveRecord`."""

    __tablename__ = "moves"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    move: Mapped[str] = mapped_column(String(64))
    asked: Mapped[bool]
    wall_ns: Mapped[int] = mapped_column(BigInteger)
    cpu_ns: Mapped[int | None] = mapped_column(BigInteger)
    extension: Mapped[bool]
    lag_ns: Mapped[int] = mapped_column(BigInteger)
    off_turn_ns: Mapped[int] = mapped_column(BigInteger)
    waited_ns: Mapped[int | None] = mapped_column(BigInteger)
    pressure_ns: Mapped[int | None] = mapped_column(BigInteger)
    steal_ns: Mapped[int | None] = mapped_column(BigInteger)
    lost_ns: Mapped[int] = mapped_column(BigInteger)
    debug: Mapped[str | None] = mapped_column(Text)


class Experiment(Base):
    """Many games between two players, counted: a simulation that the workers play in chunks.

    `spec` says all that a game depends on. `issued` games are in chunks that were made, `done` is the length
    of the recorded prefix and `tally` what it comes to, `ahead` the games recorded behind a gap. `chunk` is
    the size of the next chunk, `chunk_fixed` whether it was asked for. `stopped` says that `done` games were
    enough for an interval of `stop_when_ci` to either side, or to decide the test `sprt`.
    """

    __tablename__ = "experiments"

    id: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[ExperimentState] = mapped_column(String(10), index=True)
    spec: Mapped[dict[str, Any]]
    needs: Mapped[str] = mapped_column(String(40))
    opening_plies: Mapped[int]
    stop_when_ci: Mapped[float | None]
    sprt: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    interval: Mapped[Method] = mapped_column(String(20))
    confidence: Mapped[float]
    chunk: Mapped[int] = mapped_column(BigInteger)
    chunk_fixed: Mapped[bool]
    issued: Mapped[int] = mapped_column(BigInteger, default=0)
    done: Mapped[int] = mapped_column(BigInteger, default=0)
    ahead: Mapped[int] = mapped_column(BigInteger, default=0)
    tally: Mapped[dict[str, Any]]
    stopped: Mapped[bool] = mapped_column(default=False)
    lost: Mapped[int] = mapped_column(default=0)
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    started_at: Mapped[dt.datetime | None]
    recorded_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]


class ExperimentChunk(Leased, Base):
    """Games `start` to ``start + count - 1`` of a running experiment, until they are part of its prefix.

    `blocks` is what came back, kept while a chunk before this one is missing.
    """

    __tablename__ = "experiment_chunks"

    experiment_id: Mapped[int] = mapped_column(ForeignKey("experiments.id"), primary_key=True)
    start: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[ChunkState] = mapped_column(String(10), index=True)
    blocks: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))


class ExperimentGame(Base):
    """One game of an experiment that records its games; scores are by seat."""

    __tablename__ = "experiment_games"

    experiment_id: Mapped[int] = mapped_column(ForeignKey("experiments.id"), primary_key=True)
    index: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    first: Mapped[int]
    winner: Mapped[int | None]
    reason: Mapped[str] = mapped_column(String(40))
    first_score: Mapped[int]
    second_score: Mapped[int]
    plies: Mapped[int]
    moves: Mapped[list[str]]


class Event(Base):
    """What happened and when: the audit log, and later the feed of the live pages."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[dt.datetime]
    kind: Mapped[str] = mapped_column(String(40))
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"), index=True)
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    data: Mapped[dict[str, Any]]

    user: Mapped[User | None] = relationship()
    match: Mapped[Match | None] = relationship()
