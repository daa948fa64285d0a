"""Arenas in data folders, for those who work on their databases themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena.administration.backup import backup
from arena.administration.opening import Opened
from arena.coordinator.leases import Verdict
from arena.core.folder import DataFolder
from arena.core.settings import Settings
from arena.store import copying
from arena.store.database import Database
from arena.store.models import BotVersion
from tests.integration.arena.world import World, issue_matches, play
from workers.programs.archive_store import ArchiveStore

FOLDER = "of-the-world"
Targets = Callable[[str], Database]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings of an arena that has a folder of its own."""
    return Settings(data_dir=tmp_path / FOLDER)


@pytest.fixture
def arena(world: World) -> Opened:
    """An arena with a tournament of which half is recorded, bots in its store, and files in its folder."""
    folder = DataFolder(world.settings.data_dir)
    folder.certificates.mkdir(parents=True)
    (folder.certificates / "ca-key.pem").write_text("a key")
    (folder.reproduction / "nim").mkdir(parents=True)
    (folder.reproduction / "nim" / "report.json").write_text('{"a": "報告"}')
    folder.admin_token.write_text("arena_secret")
    folder.signing_key.write_text("5ec4e7")
    folder.logs.mkdir()
    folder.log_of("api").write_text("a line")
    world.tournament(bots=4, openings=2, opening_plies=2)
    record(world, 5)
    return Opened(folder, world.settings, world.database)


def record(world: World, number: int) -> None:
    """Record the results of the next so many matches, one of them forfeited."""
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": number}))
    results = [
        play(message.spec, seed=at, forfeits=(0,) if at == 1 else ()) for at, message in enumerate(messages)
    ]
    assert [*map(world.record, messages, results)] == [Verdict.TAKEN] * number


def store_archives(world: World) -> list[str]:
    """Put a bot's archive in the store and let every version be of one; the hashes."""
    store = ArchiveStore(world.settings.archive_url)
    with world.database.transaction() as session:
        for version in session.scalars(select(BotVersion)):
            version.archive = store.put(f"bot of version {version.id}".encode())
        return [each.archive for each in session.scalars(select(BotVersion))]


@pytest.fixture
def targets(
    tmp_path: Path, request: pytest.FixtureRequest, environment: Callable[..., None]
) -> Iterator[Targets]:
    """Points the environment to an empty database of a kind, and gives it."""
    made: list[Database] = []

    def make(kind: str) -> Database:
        if kind == "sqlite":
            url = f"sqlite:///{tmp_path}/restored.sqlite3"
        else:
            url = request.getfixturevalue("postgres").empty()
        environment(database_url=url)
        made.append(Database(url))
        return made[-1]

    yield make
    for database in made:
        database.close()
        if database.engine.dialect.name == "postgresql":
            request.getfixturevalue("postgres").drop(
                database.engine.url.render_as_string(hide_password=False)
            )


def rows_of(database: Database) -> dict[str, list[Any]]:
    """All rows of all tables."""
    with database.reading() as session:
        tables = copying.tables(session.connection())
        return {name: list(copying.rows(session, table)) for name, table in tables.items()}


def written(arena: Opened, target: Path) -> Path:
    """A backup of the arena."""
    backup(arena, target, force=False, recordings=True)
    return target
