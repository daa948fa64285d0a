"""Databases as they were before a migration, so that a test can see what it makes of old rows.

Each function goes back over one migration, or several with one subject, and first over all that came after.
"""

from __future__ import annotations

from sqlalchemy import text

from arena.store.database import Database
from arena.store.migrations.versions.rev_0005_pair_counts import down_revision as before_pair_counts
from arena.store.migrations.versions.rev_0006_formats import down_revision as before_formats
from arena.store.migrations.versions.rev_0009_played_games import down_revision as before_played
from arena.store.migrations.versions.rev_0011_match_counts import down_revision as before_counts
from arena.store.migrations.versions.rev_0014_events_by_kind import down_revision as before_events_by_kind
from arena.store.migrations.versions.rev_0018_signing_in import down_revision as before_signing_in
from arena.store.migrations.versions.rev_0022_passkeys import down_revision as before_passkeys
from arena.store.migrations.versions.rev_0023_identities import down_revision as before_identities
from arena.store.migrations.versions.rev_0024_news_and_questions import down_revision as before_news
from arena.store.migrations.versions.rev_0027_grading import down_revision as before_grading
from arena.store.migrations.versions.rev_0042_solve_positions import down_revision as before_positions
from arena.store.migrations.versions.rev_0043_trainings import down_revision as before_trainings
from arena.store.migrations.versions.rev_0044_accuracy import down_revision as before_accuracy
from arena.store.migrations.versions.rev_0045_erased_walkovers import down_revision as before_walkovers
from arena.store.migrations.versions.rev_0046_concealed_seeds import down_revision as before_concealed
from arena.store.migrations.versions.rev_0047_languages_of_processes import down_revision as before_languages
from arena.store.models.frozen import COPIED

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


def undo_languages(database: Database) -> None:
    """Take the database back to what it was before each process said what it runs."""
    with database.transaction() as session:
        session.execute(text("ALTER TABLE worker_processes DROP COLUMN languages"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_languages})


def undo_concealed_seeds(database: Database) -> None:
    """Take the database back to what it was before tournaments concealed their seed."""
    undo_languages(database)
    with database.transaction() as session:
        for table in ("tournaments", "frozen_tournaments"):
            session.execute(text(f"ALTER TABLE {table} DROP COLUMN conceals_seed"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_concealed})


def undo_erased_walkovers(database: Database) -> None:
    """Take the database back to what it was before walkovers of erased people were looked through."""
    undo_concealed_seeds(database)
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_walkovers})


def undo_accuracy(database: Database) -> None:
    """Take the database back to what it was before it was kept what moves have cost."""
    undo_erased_walkovers(database)
    columns = [("analyses", "accuracy"), ("analyses", "idle")]
    columns += [(table, "analysed_for") for table in ("tournaments", "frozen_tournaments")]
    with database.transaction() as session:
        for table, column in columns:
            session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_accuracy})


def undo_trainings(database: Database) -> None:
    """Take the database back to what it was before trainings."""
    undo_accuracy(database)
    with database.transaction() as session:
        for table in ("training_parts", "training_chunks", "trainings"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_trainings})


def undo_solve_positions(database: Database) -> None:
    """Take the database back to what it was before solves had positions."""
    undo_trainings(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE solves DROP COLUMN position"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_positions})


def undo_solves(database: Database) -> None:
    """Take the database back to what it was before solves, but for its version."""
    undo_solve_positions(database)
    with database.transaction() as session:
        for table in ("solve_proofs", "solve_bounds", "solve_leaves", "solves"):
            session.execute(text(f"DROP TABLE {table}"))


def undo_environments(database: Database) -> None:
    """Take the database back to what it was before environments, but for its version and a width."""
    undo_solves(database)
    with database.transaction() as session:
        session.execute(text("DROP TABLE environments"))


def undo_repeats(database: Database) -> None:
    """Take the database back to what it was before matches were repeated, but for its version."""
    undo_environments(database)
    with database.transaction() as session:
        session.execute(text("DROP TABLE repeats"))
        for table in ("worker_keys", "enrolment_codes"):
            session.execute(text(f"ALTER TABLE {table} DROP COLUMN repeat_share"))


def undo_set_aside(database: Database) -> None:
    """Take the database back to what it was before hosts had keys, but for its version."""
    undo_repeats(database)
    with database.transaction() as session:
        for table in ("set_aside", "worker_keys", "enrolment_codes"):
            session.execute(text(f"DROP TABLE {table}"))
        for table in ("matches", "frozen_matches", "checks", "experiment_chunks", "scrimmage_games"):
            session.execute(text(f"ALTER TABLE {table} DROP COLUMN beat"))


def undo_events_by_user(database: Database) -> None:
    """Take the database back to what it was before events were found by user, but for its version."""
    undo_set_aside(database)
    with database.transaction() as session:
        session.execute(text("DROP INDEX ix_events_user_id_at"))


def undo_watching(database: Database) -> None:
    """Take the database back to what it was before anybody led and drains had an end, but for its version."""
    undo_events_by_user(database)
    with database.transaction() as session:
        for table in ("leaders", "counters"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("ALTER TABLE hosts DROP COLUMN drain_until"))


def undo_erased_people(database: Database) -> None:
    """Take the database back to what it was before people's data was erased, but for its version."""
    undo_watching(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE users DROP COLUMN erased_at"))


def undo_courses(database: Database) -> None:
    """Take the database back to what it was before experiments had a course, but for its version."""
    undo_erased_people(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE experiments DROP COLUMN course"))


def undo_follows(database: Database) -> None:
    """Take the database back to what it was before teams were followed, but for its version."""
    undo_courses(database)
    with database.transaction() as session:
        session.execute(text("DROP TABLE follows"))


def undo_analyses(database: Database) -> None:
    """Take the database back to what it was before games were analysed, but for its version."""
    undo_follows(database)
    with database.transaction() as session:
        session.execute(text("DROP TABLE analyses"))


def undo_pending_entries(database: Database) -> None:
    """Take the database back to what it was before bots waited to be entered, but for its version."""
    undo_analyses(database)
    with database.transaction() as session:
        session.execute(text("DROP TABLE pending_entries"))


def undo_play(database: Database) -> None:
    """Take the database back to what it was before people played, but for its version."""
    undo_pending_entries(database)
    with database.transaction() as session:
        for table in ("play_turns", "play_games"):
            session.execute(text(f"DROP TABLE {table}"))


def undo_staff(database: Database) -> None:
    """Take the database back to what it was before hosts were drained, but for its version."""
    undo_play(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE hosts DROP COLUMN draining_at"))
        for name in ("version", "doing", "draining"):
            session.execute(text(f"ALTER TABLE worker_processes DROP COLUMN {name}"))


def undo_grading(database: Database) -> None:
    """Take the database back to what it was before use was added up, and before grades and seasons."""
    undo_staff(database)
    with database.transaction() as session:
        for table in GRADING_TABLES:
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("DROP INDEX ix_events_act"))
        session.execute(text("ALTER TABLE events DROP COLUMN act"))
        for table in ("entries", "frozen_entries"):
            for column in ("answers", "extensions", "slowest_ns", "forfeits_by"):
                session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_grading})


def undo_scrimmages(database: Database) -> None:
    """Take the database back to what it was before there were scrimmages, but for its version."""
    undo_grading(database)
    with database.transaction() as session:
        for table in ("scrimmage_results", "scrimmage_games", "scrimmages"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("ALTER TABLE bots DROP COLUMN takes_scrimmages"))
        session.execute(text("ALTER TABLE classes DROP COLUMN has_scrimmages"))


def undo_news(database: Database) -> None:
    """Take the database back to what it was before there were questions, and before anybody read news."""
    undo_scrimmages(database)
    with database.transaction() as session:
        for table in ("answers", "questions"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("DROP INDEX ix_events_class_id"))
        session.execute(text("ALTER TABLE events DROP COLUMN class_id"))
        session.execute(text("ALTER TABLE users DROP COLUMN news_seen_at"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_news})


def undo_identities(database: Database) -> None:
    """Take the database back to what it was before people signed in at a school's provider."""
    undo_news(database)
    with database.transaction() as session:
        for table in ("identities", "openid_requests"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_identities})


def undo_passkeys(database: Database) -> None:
    """Take the database back to what it was before there were passkeys."""
    undo_identities(database)
    with database.transaction() as session:
        for table in ("passkeys", "passkey_challenges"):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_passkeys})


def undo_freeze(database: Database) -> None:
    """Take the database back to what it was before tournaments were frozen, but for its version."""
    undo_passkeys(database)
    with database.transaction() as session:
        for name in ("timetable", *(f"frozen_{each}" for each in COPIED if each != "opening_totals")):
            session.execute(text(f"DROP TABLE {name}"))
        for name in ("freezes_at", "frozen_at", "freeze_event", "shows_own", "reveal_step"):
            session.execute(text(f"ALTER TABLE tournaments DROP COLUMN {name}"))


def undo_titles(database: Database) -> None:
    """Take the database back to what it was before tournaments had titles."""
    undo_freeze(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE tournaments DROP COLUMN title"))
        for name in ("owner_id", "class_id"):
            session.execute(text(f"DROP INDEX ix_tournaments_{name}"))


def undo_own_place(database: Database) -> None:
    """Take the database back to what it was before tokens had scopes, and entries were found by bots."""
    undo_titles(database)
    with database.transaction() as session:
        session.execute(text("DROP INDEX ix_entries_bot_id"))
        session.execute(text("ALTER TABLE tokens DROP COLUMN scope"))


def undo_signing_in(database: Database) -> None:
    """Take the database back to what it was before anybody signed in on the pages."""
    undo_own_place(database)
    with database.transaction() as session:
        for table in SIGNING_IN_TABLES:
            session.execute(text(f"DROP TABLE {table}"))
        for table, columns in SIGNING_IN.items():
            for column in columns:
                if column in {"class_id", "team_id"} and table == "users":
                    session.execute(text(f"DROP INDEX ix_users_{column}"))
                session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_signing_in})


def undo_sweeps(database: Database) -> None:
    """Take the database back to what it was before sweeps, but for the number of its version."""
    undo_signing_in(database)
    with database.transaction() as session:
        for name in FOUND:
            session.execute(text(f"DROP INDEX ix_matches_{name}"))
        for name in ("owner_id", "sweep_id"):
            session.execute(text(f"DROP INDEX ix_experiments_{name}"))
        for name in ("owner_id", "sweep_id", "cell", "columns", "games", "spent_ns"):
            session.execute(text(f"ALTER TABLE experiments DROP COLUMN {name}"))
        session.execute(text("DROP TABLE sweeps"))


def undo_webhooks(database: Database) -> None:
    """Take the database back to what it was before there were webhooks."""
    undo_sweeps(database)
    with database.transaction() as session:
        for table in ("deliveries", "webhooks"):
            session.execute(text(f"DROP TABLE {table}"))
        for index in ("match_id", "announced"):
            session.execute(text(f"DROP INDEX ix_events_{index}"))


def undo_events_by_kind(database: Database) -> None:
    """Take the database back to what it was before the log was looked through by kind."""
    undo_webhooks(database)
    with database.transaction() as session:
        session.execute(text("CREATE INDEX ix_events_tournament_id ON events (tournament_id)"))
        session.execute(text("DROP INDEX ix_events_tournament_id_id"))
        session.execute(text("DROP INDEX ix_events_tournament_id_kind_match_id"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_events_by_kind})


def undo_match_counts(database: Database) -> None:
    """Take the database back to what it was before tournaments counted their matches."""
    undo_events_by_kind(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE entries DROP COLUMN revision"))
        session.execute(text("ALTER TABLE tournaments DROP COLUMN reuse"))
        for name in ("matches_total", "matches_finished", "matches_cancelled"):
            session.execute(text(f"ALTER TABLE tournaments DROP COLUMN {name}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_counts})


def undo_played(database: Database) -> None:
    """Take the database back to what it was before games that were played were counted apart."""
    undo_match_counts(database)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE worker_processes DROP COLUMN takes"))
        session.execute(text("ALTER TABLE entries DROP COLUMN played"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_played})


def undo_formats(database: Database) -> None:
    """Take the database back to what it was before formats had options."""
    undo_played(database)
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


def undo_pair_counts(database: Database) -> None:
    """Take the database back to what it was before pairs were counted by who moved first."""
    undo_formats(database)
    with database.transaction() as session:
        for table, column in [("experiments", "sprt"), *(("encounters", name) for name in COUNTS)]:
            session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = :one"), {"one": before_pair_counts})
