"""The database: migrations, transactions, snapshots."""

from __future__ import annotations

import datetime as dt
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, select, text

from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import Role, Scope
from arena.events import news
from arena.people import users
from arena.store.database import Database, _write_ahead
from arena.store.migrations.versions.rev_0005_pair_counts import down_revision as before_pair_counts
from arena.store.migrations.versions.rev_0006_formats import down_revision as before_formats
from arena.store.migrations.versions.rev_0009_played_games import down_revision as before_played
from arena.store.migrations.versions.rev_0011_match_counts import down_revision as before_counts
from arena.store.migrations.versions.rev_0014_events_by_kind import down_revision as before_events_by_kind
from arena.store.migrations.versions.rev_0016_sweeps import down_revision as before_sweeps
from arena.store.migrations.versions.rev_0018_signing_in import down_revision as before_signing_in
from arena.store.migrations.versions.rev_0022_passkeys import down_revision as before_passkeys
from arena.store.migrations.versions.rev_0023_identities import down_revision as before_identities
from arena.store.migrations.versions.rev_0024_news_and_questions import down_revision as before_news
from arena.store.migrations.versions.rev_0027_grading import down_revision as before_grading
from arena.store.models import Base, Encounter, Entry, OpeningTotal, Tournament, User
from arena.store.models.frozen import COPIED
from arena.submissions import versions
from arena.tournaments import amendments, audit, freezing
from tests.integration.arena.conftest import PATIENCE_SECONDS
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import World, issue_matches, play

COUNTS = ("first_wins", "first_draws", "first_losses")
FORMATS = {
    "tournaments": ("options", "standings_order", "rounds_paired", "all_paired"),
    "entries": ("joined_round", "bye_half_points", "annulled", "left_round", "left_as"),
    "matches": ("phase",),
    "results": ("kind", "manual_reason", "decided_by"),
}
"""The columns that came with the formats."""
SIGNING_IN_TABLES = (
    *("class_organisers", "web_sessions", "join_codes", "sign_in_links", "sign_in_attempts", "classes"),
)
SIGNING_IN = {
    "users": ("class_id", "team_id", "is_leader", "password_hash", "left_at"),
    "tokens": ("name", "expires_at"),
    "tournaments": ("class_id", "owner_id"),
}
"""The tables and columns that came with signing in on the pages."""

GRADING_TABLES = (
    *("grades", "grade_releases", "gradings", "season_tournaments", "seasons"),
    *("opening_totals", "frozen_opening_totals"),
)
"""The tables that came with grades, seasons and further totals."""
FOUND = ("first_id_number", "second_id_number", "first_id_second_id")
"""The columns of the indexes by which matches are found."""


def _user(name: str) -> User:
    return User(name=name, role=Role.TEAM, created_at=utc_now())


def test_migrated_database_equals_the_models(database: Database) -> None:
    """The migrations lead to exactly the tables that the models describe, on both databases."""
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_two_processes_may_migrate_at_once(empty_url: str) -> None:
    """Of several that migrate the same empty database at once, one does it and all succeed."""
    databases = [Database(empty_url, patience_seconds=PATIENCE_SECONDS) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(Database.migrate, databases))
    assert "tournaments" in inspect(databases[0].engine).get_table_names()
    for database in databases:
        database.close()


def test_migrating_from_another_folder_works(
    tmp_path: Path, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The revisions are found wherever the process stands, and doing it again changes nothing."""
    monkeypatch.chdir(tmp_path)
    database = Database(empty_url)
    database.migrate()
    database.migrate()
    database.close()


def test_an_exception_takes_everything_back(database: Database) -> None:
    """A transaction that an exception leaves has changed nothing."""

    def fail() -> None:
        with database.transaction() as session:
            session.add(_user("ghost"))
            session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with database.reading() as session:
        assert session.scalars(select(User)).all() == []


def test_reading_sees_one_snapshot(database: Database) -> None:
    """What is committed meanwhile does not show in a reading transaction, and does in the next."""
    with database.reading() as session:
        assert session.scalars(select(User)).all() == []
        with database.transaction() as writer:
            writer.add(_user("late"))
        assert session.scalars(select(User)).all() == []
    with database.reading() as session:
        assert [user.name for user in session.scalars(select(User))] == ["late"]


def test_writers_wait_for_each_other(database: Database) -> None:
    """Many threads that write at once all succeed."""
    barrier = threading.Barrier(8)

    def write(number: int) -> None:
        barrier.wait()
        with database.transaction() as session:
            session.add(_user(f"user{number}"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    with database.reading() as session:
        assert len(session.scalars(select(User)).all()) == 8


@pytest.mark.parametrize(
    ("code", "asked"), [(sqlite3.SQLITE_BUSY, 3), (sqlite3.SQLITE_BUSY_RECOVERY, 3), (sqlite3.SQLITE_FULL, 1)]
)
def test_only_what_others_do_is_waited_for(code: int, asked: int) -> None:
    """Another process's step is waited for; whatever else is wrong with the file is told at once."""
    error = sqlite3.OperationalError("no")
    error.sqlite_errorcode = code
    cursor = Mock(execute=Mock(side_effect=[error, error, None]))
    with pytest.raises(sqlite3.OperationalError) if asked == 1 else nullcontext():
        _write_ahead(cursor, PATIENCE_SECONDS)
    assert cursor.execute.call_count == asked


def test_moments_come_back_in_utc(database: Database) -> None:
    """A stored moment is the same moment when read, with its zone."""
    now = utc_now()
    with database.transaction() as session:
        user = _user("clock")
        user.created_at = now
        session.add(user)
    with database.reading() as session:
        read = session.scalars(select(User)).one().created_at
        assert read == now
        assert read.utcoffset() is not None


def test_pair_counts_are_made_of_the_games_recorded_before(database: Database) -> None:
    """Coming up to the counts counts the old games by who moved first, as recording does."""
    world = World(database, Settings(data_dir=Path("unused")))
    world.tournament(bots=3, openings=2, opening_plies=2)
    with database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for number, message in enumerate(messages):
        world.record(message, play(message.spec, forfeits=(0, 1) if number == 0 else ()))
    counts = _counts(database)
    assert sum(map(sum, counts.values())) == len(messages) - 1
    _undo_formats(database)
    with database.transaction() as session:
        for table, column in [("experiments", "sprt"), *(("encounters", name) for name in COUNTS)]:
            session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_pair_counts})
    database.migrate()
    assert _counts(database) == counts


def test_what_has_begun_before_the_formats_has_all_its_rounds(database: Database) -> None:
    """Coming up to the formats, a running tournament has every round, and an open one none."""
    world = World(database, Settings(data_dir=Path("unused")))
    world.tournament("begun", bots=4)
    world.tournament("open", bots=4, start=False)
    _undo_formats(database)
    database.migrate()
    with database.reading() as session:
        begun, opened = world.get(session, "begun"), world.get(session, "open")
        assert (begun.rounds_paired, begun.all_paired, begun.options) == (3, True, {})
        assert (opened.rounds_paired, opened.all_paired, opened.standings_order) == (0, False, [])
        assert {(entry.joined_round, entry.left_as, entry.annulled) for entry in begun.entries} == {
            (1, None, False)
        }


def test_scores_of_games_that_nobody_played_leave_the_totals(database: Database) -> None:
    """Coming up to the games played, the totals are those that the results add up to now."""
    world = World(database, Settings(data_dir=Path("unused")))
    world.tournament(bots=4)
    with database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for message in messages[:3]:
        world.record(message, play(message.spec))
    with database.transaction() as session:
        bot = versions.get(session, "cup-bot1")
        amendments.withdraw(session, world.staff, world.get(session), bot, "gone")
    before = _played(database)
    assert {games - played for _, games, played, *_ in before} > {0}
    with database.transaction() as session:
        old = "UPDATE entries SET score_own = score_own + 16 * (games - played) WHERE number > 1"
        session.execute(text(old.replace("score_own", "score_other")))
        session.execute(text(old.replace("> 1", "= 1")))
    _undo_played(database)
    database.migrate()
    with database.reading() as session:
        assert audit.verify(session, world.get(session)) == []
    assert _played(database) == before


def _played(database: Database) -> list[tuple[int, ...]]:
    with database.reading() as session:
        rows = session.scalars(select(Entry).order_by(Entry.id)).unique().all()
        return [(row.number, row.games, row.played, row.score_own, row.score_other) for row in rows]


def test_matches_that_there_were_before_are_counted(database: Database) -> None:
    """Coming up to the counts of matches, they are those of the matches that every tournament has."""
    world = World(database, Settings(data_dir=Path("unused")))
    for name, bots in (("other", 3), ("cup", 4)):
        world.tournament(name, bots=bots)
    with database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for message in messages:
        world.record(message)
    with database.transaction() as session:
        bot = versions.get(session, "cup-bot1")
        amendments.disqualify(session, world.staff, world.get(session), bot, "cheated", annul=True)
    before = _match_counts(database)
    assert before == {"other": (3, 3, 0), "cup": (6, 3, 3)}
    _undo_match_counts(database)
    database.migrate()
    assert _match_counts(database) == before


def test_what_was_used_before_is_counted(database: Database) -> None:
    """Coming up to the totals of use and openings, also in a freeze, they are those of the games."""
    world = World(database, Settings(data_dir=Path("unused")))
    world.tournament(bots=4, openings=2, opening_plies=2)
    with database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for at, message in enumerate(messages[:6]):
        world.record(message, play(message.spec, seed=at, forfeits=[0] if at == 1 else []))
    with database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)
        bot = versions.get(session, "cup-bot1")
        amendments.withdraw(session, world.staff, world.get(session), bot, "gone")
    before = _used(database)
    assert before[0] != before[1]
    database._frozen.dispose()  # its connections have views of the tables
    _undo_grading(database)
    database.migrate()
    assert _used(database) == before
    with database.reading() as session:
        assert audit.verify(session, world.get(session)) == []


def _used(database: Database) -> list[Any]:
    """The totals as they are, and as the public is shown them."""
    told = []
    for reading in (database.reading, database.frozen):
        with reading() as session:
            entries = session.scalars(select(Entry).order_by(Entry.id)).unique().all()
            rows: list[Any] = [
                (row.number, row.answers, row.extensions, row.slowest_ns, row.forfeits_by) for row in entries
            ]
            openings = session.scalars(select(OpeningTotal).order_by(OpeningTotal.number))
            rows += [(each.first_wins, each.first_draws, each.first_losses) for each in openings]
            told.append(rows)
    return told


def _undo_grading(database: Database) -> None:
    """Take the database back to what it was before use was added up, and before grades and seasons."""
    _undo_staff(database)
    with database.transaction() as session:
        for table in GRADING_TABLES:
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("DROP INDEX ix_events_act"))
        session.execute(text("ALTER TABLE events DROP COLUMN act"))
        for table in ("entries", "frozen_entries"):
            for column in ("answers", "extensions", "slowest_ns", "forfeits_by"):
                session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_grading})


def test_tokens_of_before_are_good_after(database: Database) -> None:
    """Coming up to signing in, whoever was there is what they were, and their tokens are good."""
    world = World(database, Settings(data_dir=Path("unused")))
    with database.transaction() as session:
        _, token = users.create_user(session, "team", Role.TEAM)
    _undo_signing_in(database)
    database.migrate()
    with database.reading() as session:
        staff, team = (users.authenticate(session, text) for text in (world.staff_token, token))
        assert (staff.role, team.role) == (Role.ADMIN, Role.TEAM)
        assert users.tokens(session, staff)[0].scope == Scope.ALL
        assert (team.is_leader, team.team_id, team.password_hash, team.left_at) == (False, None, None, None)


def _match_counts(database: Database) -> dict[str, tuple[int, ...]]:
    with database.reading() as session:
        cups = session.scalars(select(Tournament)).all()
        return {cup.name: (cup.matches_total, cup.matches_finished, cup.matches_cancelled) for cup in cups}


def _undo_freeze(database: Database) -> None:
    """Take the database back to what it was before tournaments were frozen, but for its version."""
    with database.transaction() as session:
        for name in ("timetable", *(f"frozen_{each}" for each in COPIED if each != "opening_totals")):
            session.execute(text(f"DROP TABLE {name}"))
        for name in ("freezes_at", "frozen_at", "freeze_event", "shows_own", "reveal_step"):
            session.execute(text(f"ALTER TABLE tournaments DROP COLUMN {name}"))


def _undo_titles(database: Database) -> None:
    """Take the database back to what it was before tournaments had titles."""
    with database.transaction() as session:
        session.execute(text("ALTER TABLE tournaments DROP COLUMN title"))
        for name in ("owner_id", "class_id"):
            session.execute(text(f"DROP INDEX ix_tournaments_{name}"))


def _undo_own_place(database: Database) -> None:
    """Take the database back to what it was before tokens had scopes, and entries were found by bots."""
    with database.transaction() as session:
        session.execute(text("DROP INDEX ix_entries_bot_id"))
        session.execute(text("ALTER TABLE tokens DROP COLUMN scope"))


def _undo_signing_in(database: Database) -> None:
    """Take the database back to what it was before anybody signed in on the pages."""
    _undo_passkeys(database)
    _undo_freeze(database)
    _undo_titles(database)
    _undo_own_place(database)
    with database.transaction() as session:
        for table in SIGNING_IN_TABLES:
            session.execute(text(f"DROP TABLE {table}"))
        for table, columns in SIGNING_IN.items():
            for column in columns:
                if column in {"class_id", "team_id"} and table == "users":
                    session.execute(text(f"DROP INDEX ix_users_{column}"))
                session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_signing_in})


def _undo_scrimmages(database: Database) -> None:
    """Take the database back to what it was before there were scrimmages, but for its version."""
    _undo_grading(database)
    with database.transaction() as session:
        for table in ("scrimmage_results", "scrimmage_games", "scrimmages"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("ALTER TABLE bots DROP COLUMN takes_scrimmages"))
        session.execute(text("ALTER TABLE classes DROP COLUMN has_scrimmages"))


def _undo_staff(database: Database) -> None:
    """Take the database back to what it was before hosts were drained, but for its version."""
    with database.transaction() as session:
        for table in (
            *("analyses", "play_turns", "play_games", "pending_entries", "follows", "leaders", "counters"),
            *("set_aside", "worker_keys", "enrolment_codes", "repeats"),
        ):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("ALTER TABLE experiments DROP COLUMN course"))
        for table in ("matches", "frozen_matches", "checks", "experiment_chunks", "scrimmage_games"):
            session.execute(text(f"ALTER TABLE {table} DROP COLUMN beat"))
        session.execute(text("DROP INDEX ix_events_user_id_at"))
        session.execute(text("ALTER TABLE users DROP COLUMN erased_at"))
        for name in ("draining_at", "drain_until"):
            session.execute(text(f"ALTER TABLE hosts DROP COLUMN {name}"))
        for name in ("version", "doing", "draining"):
            session.execute(text(f"ALTER TABLE worker_processes DROP COLUMN {name}"))


def _undo_passkeys(database: Database) -> None:
    """Take the database back to what it was before there were passkeys."""
    _undo_identities(database)
    with database.transaction() as session:
        for table in ("passkeys", "passkey_challenges"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_passkeys})


def _undo_identities(database: Database) -> None:
    """Take the database back to what it was before people signed in at a school's provider."""
    _undo_news(database)
    with database.transaction() as session:
        for table in ("identities", "openid_requests"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_identities})


def _undo_news(database: Database) -> None:
    """Take the database back to what it was before there were questions, and before anybody read news."""
    _undo_scrimmages(database)
    with database.transaction() as session:
        for table in ("answers", "questions"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("DROP INDEX ix_events_class_id"))
        session.execute(text("ALTER TABLE events DROP COLUMN class_id"))
        session.execute(text("ALTER TABLE users DROP COLUMN news_seen_at"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_news})


def test_nothing_of_before_is_news(database: Database) -> None:
    """Coming up to the news, who is there has seen all of before, and who comes later too."""
    world = World(database, Settings(data_dir=Path("unused")))
    team = world.team("red")
    _undo_news(database)
    with database.transaction() as session:
        session.execute(text("UPDATE users SET created_at = '2020-01-01 00:00:00+00'"))
    database.migrate()
    with database.transaction() as session:
        old, new = users.get(session, team.name), users.create_user(session, "late", Role.TEAM)[0]
        assert news.mark_of(old) > new.created_at - dt.timedelta(hours=1)
        assert news.mark_of(new) == new.created_at


def _undo_webhooks(database: Database) -> None:
    """Take the database back to what it was before there were webhooks."""
    _undo_sweeps(database)
    with database.transaction() as session:
        for table in ("deliveries", "webhooks"):
            session.execute(text(f"DROP TABLE {table}"))
        for index in ("match_id", "announced"):
            session.execute(text(f"DROP INDEX ix_events_{index}"))


def _undo_events_by_kind(database: Database) -> None:
    """Take the database back to what it was before the log was looked through by kind."""
    _undo_webhooks(database)
    with database.transaction() as session:
        session.execute(text("CREATE INDEX ix_events_tournament_id ON events (tournament_id)"))
        session.execute(text("DROP INDEX ix_events_tournament_id_id"))
        session.execute(text("DROP INDEX ix_events_tournament_id_kind_match_id"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_events_by_kind})


def test_experiments_that_there_were_before_sweeps_say_how_many_games_they_have(database: Database) -> None:
    """Coming up to the sweeps, an experiment has the games of its spec, no sweep, and is the staff's."""
    lab = Lab(World(database, Settings(data_dir=Path("unused"))))
    lab.create(games=1234)
    _undo_sweeps(database)
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_sweeps})
    database.migrate()
    found = lab.get()
    assert (found.games, found.spent_ns, found.sweep_id, found.owner_id) == (1234, 0, None, None)


def _undo_sweeps(database: Database) -> None:
    """Take the database back to what it was before sweeps, but for the number of its version."""
    _undo_signing_in(database)
    with database.transaction() as session:
        for name in FOUND:
            session.execute(text(f"DROP INDEX ix_matches_{name}"))
        for name in ("owner_id", "sweep_id"):
            session.execute(text(f"DROP INDEX ix_experiments_{name}"))
        for name in ("owner_id", "sweep_id", "cell", "columns", "games", "spent_ns"):
            session.execute(text(f"ALTER TABLE experiments DROP COLUMN {name}"))
        session.execute(text("DROP TABLE sweeps"))


def _undo_match_counts(database: Database) -> None:
    """Take the database back to what it was before tournaments counted their matches."""
    _undo_events_by_kind(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE entries DROP COLUMN revision"))
        session.execute(text("ALTER TABLE tournaments DROP COLUMN reuse"))
        for name in ("matches_total", "matches_finished", "matches_cancelled"):
            session.execute(text(f"ALTER TABLE tournaments DROP COLUMN {name}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_counts})


def _undo_played(database: Database) -> None:
    """Take the database back to what it was before games that were played were counted apart."""
    _undo_match_counts(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE worker_processes DROP COLUMN takes"))
        session.execute(text("ALTER TABLE entries DROP COLUMN played"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_played})


def _undo_formats(database: Database) -> None:
    """Take the database back to what it was before formats had options."""
    _undo_played(database)
    with database.transaction() as session:
        for table in ("byes", "superseded_results", "worker_processes"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("DROP INDEX ix_matches_tournament_id_round"))
        session.execute(text("ALTER TABLE hosts DROP COLUMN cores"))
        session.execute(text("ALTER TABLE checks DROP COLUMN ends_at"))
        for table, columns in FORMATS.items():
            for column in columns:
                session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_formats})


def _counts(database: Database) -> dict[tuple[int, int], tuple[int, ...]]:
    with database.reading() as session:
        rows = session.scalars(select(Encounter)).all()
        return {(row.entry_id, row.other_id): tuple(getattr(row, name) for name in COUNTS) for row in rows}
