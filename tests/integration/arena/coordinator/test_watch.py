"""The watch finds what takes nothing, says why, and is not held up by what is silent."""

from __future__ import annotations

import errno
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DatabaseError, OperationalError

from arena.coordinator import watch as watching
from arena.coordinator.watch import ARCHIVES, BROKER, DATABASE, DETAILS, Trouble, Watch, probes
from arena.store.database import Database
from arena.store.failures import Failure, failure_of
from arena.web.pages.wording import TROUBLES
from tests.memory_broker import MemoryBroker
from tests.small_disk import mounted
from workers.programs.archive_store import ArchiveStore

PATIENCE_SECONDS = 120.0
"""So long is waited for what comes at once where the machine is idle."""


def _look(database: Database, broker: MemoryBroker, folder: Path) -> set[Trouble]:
    watch = Watch(probes(database, broker, ArchiveStore(folder.as_uri())), patience_seconds=PATIENCE_SECONDS)
    watch.look()
    return set(watch.troubles)


def _until(condition: Callable[[], bool], meanwhile: Callable[[], object]) -> None:
    """Do something again and again until a condition holds."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < until
        meanwhile()


def test_what_works_is_no_trouble(database: Database, tmp_path: Path) -> None:
    """Every part takes what is written to it."""
    assert _look(database, MemoryBroker(), tmp_path) == set()


def test_a_broker_without_room_is_told_from_one_that_is_away(database: Database, tmp_path: Path) -> None:
    """Both are trouble, each of its own kind, and what stands still is said."""
    broker = MemoryBroker()
    broker.full = True
    assert _look(database, broker, tmp_path) == {Trouble(BROKER, Failure.FULL)}
    broker.away = True
    (found,) = _look(database, broker, tmp_path)
    assert found == Trouble(BROKER, Failure.AWAY)
    assert "no match is given out" in found.detail


def test_a_database_that_others_have_locked(database: Database, tmp_path: Path) -> None:
    """Reading goes on, and the watch says that nothing can be written."""
    url = database.engine.url
    sqlite = url.get_backend_name() == "sqlite"
    slow = url if sqlite else url.update_query_dict({"connect_timeout": str(round(PATIENCE_SECONDS))})
    impatient = Database(str(slow), connections=1, patience_seconds=0.1)
    other = create_engine(url, isolation_level="AUTOCOMMIT")
    with other.connect() as connection:
        connection.execute(text("BEGIN EXCLUSIVE" if sqlite else "BEGIN"))
        if not sqlite:
            connection.execute(text("LOCK TABLE alembic_version"))
        assert _look(impatient, MemoryBroker(), tmp_path) == {Trouble(DATABASE, Failure.LOCKED)}
        with impatient.reading() as session:
            assert session.execute(text("SELECT count(*) FROM tournaments")).scalar() == 0
        connection.execute(text("ROLLBACK"))
    assert _look(impatient, MemoryBroker(), tmp_path) == set()
    other.dispose()
    impatient.close()


def test_a_database_that_takes_no_writes(database: Database, tmp_path: Path) -> None:
    """It still shows what is there, and nobody is told otherwise."""
    url = database.engine.url
    if url.get_backend_name() == "sqlite":
        read_only = f"sqlite:///file:{url.database}?mode=ro&uri=true"
    else:
        read_only = f"{url}&options=-c%20default_transaction_read_only%3Don"
    looked_at = Database(read_only, connections=1)
    (found,) = _look(looked_at, MemoryBroker(), tmp_path)
    assert found == Trouble(DATABASE, Failure.UNWRITABLE)
    assert "shown" not in found.detail
    with looked_at.reading() as session:
        assert session.execute(text("SELECT count(*) FROM tournaments")).scalar() == 0
    looked_at.close()


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_CORRUPT_INDEX, sqlite3.SQLITE_READONLY_DBMOVED]
)
def test_damage_is_no_silence(code: int) -> None:
    """SQLite tells a disk that fails and a file that is damaged by codes of their own."""
    cause = sqlite3.DatabaseError("no")
    cause.sqlite_errorcode = code
    assert failure_of(DatabaseError("COMMIT", {}, cause)) == Failure.UNWRITABLE


def test_a_database_that_is_gone(tmp_path: Path) -> None:
    """Whatever else a database fails by, it does not do its work."""
    database = Database(f"sqlite:///{tmp_path}/empty.sqlite3", patience_seconds=0.1)
    assert _look(database, MemoryBroker(), tmp_path) == {Trouble(DATABASE, Failure.AWAY)}
    database.close()


def test_want_of_room_is_told_by_the_driver_s_error(tmp_path: Path) -> None:
    """SQLite's own error for a file that may not grow is that of a full disk."""
    engine = create_engine(f"sqlite:///{tmp_path}/small.sqlite3")
    with engine.connect() as connection:
        connection.execute(text("PRAGMA max_page_count = 1"))
        with pytest.raises(OperationalError) as refused:
            connection.execute(text("CREATE TABLE much (text)"))
    assert failure_of(refused.value) == Failure.FULL
    engine.dispose()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of four megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with mounted(folder, "4m"):
        yield folder


def test_a_full_disk(small_disk: Path) -> None:
    """Where nothing more can be written both the database and the archives say so, until there is room."""
    database = Database(f"sqlite:///{small_disk}/arena.sqlite3", patience_seconds=0.1)
    database.migrate()
    archives = small_disk / "archives"
    assert _look(database, MemoryBroker(), archives) == set()
    with closing(sqlite3.connect(small_disk / "arena.sqlite3")) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(512))
    found = _look(database, MemoryBroker(), archives)
    assert found == {Trouble(DATABASE, Failure.FULL), Trouble(ARCHIVES, Failure.FULL)}
    ballast.unlink()
    assert _look(database, MemoryBroker(), archives) == set()
    database.close()


def test_who_is_silent_does_not_hold_up_the_others() -> None:
    """A part that does not answer is in trouble when its time is over, and is asked once until it answers."""
    asked: list[str] = []
    answer = threading.Event()

    def silent() -> None:
        asked.append(DATABASE)
        answer.wait(2 * PATIENCE_SECONDS)

    watch = Watch({DATABASE: silent, BROKER: lambda: asked.append(BROKER)}, patience_seconds=0.1)

    def only_the_broker_answers() -> bool:
        return watch.troubles == (Trouble(DATABASE, Failure.AWAY),) and asked.count(BROKER) >= 3

    _until(only_the_broker_answers, watch.look)
    assert asked.count(DATABASE) == 1
    answer.set()
    _until(lambda: watch.troubles == (), watch.look)


def test_it_keeps_looking_until_it_is_closed() -> None:
    """What begins to fail is found without anybody asking."""
    looked = threading.Event()
    broker = MemoryBroker()

    def ping() -> None:
        looked.set()
        broker.ping()

    watch = Watch({BROKER: ping}, period_seconds=0.01)
    watch.start()
    assert looked.wait(PATIENCE_SECONDS)
    broker.away = True
    _until(lambda: watch.troubles == (Trouble(BROKER, Failure.AWAY),), lambda: time.sleep(0.01))
    watch.close()


def test_it_goes_on_after_a_look_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is room for no thread now, and for none of what is logged, parts are tried again later."""
    begun = threading.Thread.start
    refused: list[str] = []

    def start(thread: threading.Thread) -> None:
        if thread.name == f"watch {BROKER}" and len(refused) < 2:
            refused.append(thread.name)
            raise RuntimeError("can't start new thread")
        begun(thread)

    broker = MemoryBroker()
    broker.away = True
    watch = Watch({BROKER: broker.ping}, period_seconds=0.01)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        patch.setattr(watching, "log", _FullLog())
        watch.start()
        _until(lambda: watch.troubles == (Trouble(BROKER, Failure.AWAY),), lambda: time.sleep(0.01))
        broker.away = False
        _until(lambda: watch.troubles == (), lambda: time.sleep(0.01))
    watch.close()
    assert len(refused) == 2


def test_a_trouble_is_known_although_it_cannot_be_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes no log hides nothing that the watch has found."""
    broker = MemoryBroker()
    broker.away = True
    watch = Watch({BROKER: broker.ping})
    monkeypatch.setattr(watching, "log", _FullLog())
    with pytest.raises(OSError, match="No space"):
        watch.look()
    assert watch.troubles == (Trouble(BROKER, Failure.AWAY),)


class _FullLog:
    """Takes nothing."""

    def error(self, *_: Any, **__: Any) -> None:
        """Fail as a log on a full disk does."""
        raise OSError(errno.ENOSPC, "No space left on device")

    info = exception = error


def test_every_trouble_has_its_words() -> None:
    """What can be found is said, in every language, and nothing else is."""
    assert TROUBLES.keys() == DETAILS.keys()
    assert all(part in {DATABASE, BROKER, ARCHIVES} for part, _ in DETAILS)
