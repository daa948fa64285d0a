"""Databases that tests give back are like new to whoever has them next, or nobody's any more."""

from __future__ import annotations

import psycopg
import pytest

from tests.postgres import PostgresServer


def _rows(url: str) -> dict[str, str]:
    with psycopg.connect(url) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        return {
            name: str(connection.execute(f"SELECT * FROM {name}").fetchall())  # noqa: S608  (names of ours)
            for (name,) in tables
        }


def test_what_was_written_is_gone(postgres: PostgresServer) -> None:
    """Rows and numbers of a database that was given back are those of a new one."""
    url, new = postgres.migrated(), postgres.migrated()
    before, number = _rows(new), 0
    add = "INSERT INTO classes (name, created_at) VALUES ('7a', now()) RETURNING id"
    with psycopg.connect(url) as connection:
        (number,) = connection.execute(add).fetchone() or (0,)
        connection.execute("DELETE FROM alembic_version")
    assert _rows(url) != before
    postgres.give_back(url)
    assert postgres.migrated() == url
    assert _rows(url) == before
    with psycopg.connect(url) as connection:
        assert connection.execute(add).fetchone() == (number,)
    for each in (url, new):
        postgres.give_back(each)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE classes ADD COLUMN more int",
        "ALTER TABLE classes ALTER COLUMN name DROP NOT NULL",
        "CREATE TABLE more (n int)",
        "CREATE SCHEMA more",
        "CREATE INDEX more ON classes (created_at)",
    ],
)
def test_one_with_other_tables_is_not_used_again(postgres: PostgresServer, change: str) -> None:
    """Who changes the tables leaves them to nobody."""
    url = postgres.migrated()
    with psycopg.connect(url) as connection:
        connection.execute(change)
    postgres.give_back(url)
    others = [postgres.migrated() for _ in range(2)]
    assert url not in others
    for each in others:
        postgres.give_back(each)
