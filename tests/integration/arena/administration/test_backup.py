"""Backups are whole, read from one snapshot, and restored to the row."""

from __future__ import annotations

import datetime as dt
import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import Table, func, select
from sqlalchemy.orm import Session

from arena.administration import restoring
from arena.administration.backup import backup
from arena.administration.bundle import reading
from arena.administration.opening import Opened, opened
from arena.core.errors import UnusableDatabaseError, UnusableError
from arena.core.folder import RESTORING, DataFolder
from arena.experiments import trainings
from arena.schemas.trainings import TrainingPlan
from arena.store import copying, event_log, events
from arena.store.condition import revisions
from arena.store.models import Entry, Event, Result
from arena.store.models.event_types import Announced, ArenaRestored
from arena.supervisor.prepare import check_first_time
from arena.tournaments import audit
from tests.integration.arena.administration.conftest import Targets, record, rows_of, store_archives, written
from tests.integration.arena.learning import PLAN
from tests.integration.arena.world import World
from workers.core.errors import RecordingError
from workers.programs.archive_store import ArchiveStore
from workers.simulation.recordings import RecordingStore


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_row_of_every_table_comes_back(
    arena: Opened, world: World, tmp_path: Path, targets: Targets, kind: str
) -> None:
    """From either database into either: rows, archives, recordings and the folder's files are the same."""
    hashes = store_archives(world)
    part = tmp_path / "part"
    part.write_bytes(b"games" * 1000)
    RecordingStore(world.settings.records_url).put(3, 0, part)
    source = written(arena, tmp_path / "all.zip")
    assert stat.S_IMODE(source.stat().st_mode) == 0o600
    restored = targets(kind)
    folder = DataFolder(tmp_path / "new" / "folder")
    restoring.restore(source, folder)
    before, after = rows_of(world.database), rows_of(restored)
    assert before.keys() == after.keys()
    assert after["events"].pop()[2] == "arena.restored"
    for name, rows in before.items():
        assert after[name] == rows, name
    assert {name for name, rows in before.items() if rows} > {"moves", "results", "events", "tokens"}
    names = {each.relative_to(folder.root).as_posix() for each in folder.root.rglob("*") if each.is_file()}
    assert names == {
        *(f"archives/{sha}.zip" for sha in hashes),
        *("https/ca-key.pem", "reproduction/nim/report.json", "admin-token", "signing-key"),
        *(f"records/{name}" for name in RecordingStore(world.settings.records_url).names()),
    }
    assert stat.S_IMODE(folder.admin_token.stat().st_mode) == 0o600
    assert ArchiveStore((folder.root / "archives").as_uri()).get(hashes[0])


def test_a_folder_of_its_own(arena: Opened, world: World, tmp_path: Path) -> None:
    """Where no database is named, the restored one is a file of the folder, alone, and an arena opens it."""
    source = written(arena, tmp_path / "all.zip")
    folder = DataFolder(tmp_path / "new")
    folder.root.mkdir()
    restoring.restore(source, folder)
    assert {each.name for each in folder.root.iterdir()} == {
        *("arena.sqlite3", "archives", "records", "https", "reproduction", "admin-token", "signing-key"),
    }
    with opened(folder) as restored:
        rows = rows_of(restored.database)
        assert rows["events"].pop()[2] == "arena.restored"
        assert rows == rows_of(world.database)


def test_what_was_restored_goes_on(arena: Opened, world: World, tmp_path: Path, targets: Targets) -> None:
    """New rows get numbers after the old ones, on PostgreSQL too, and the sums stay right."""
    source = written(arena, tmp_path / "all.zip")
    again = targets("postgresql")
    restoring.restore(source, DataFolder(tmp_path / "new"))
    other = World.__new__(World)
    other.__dict__ |= world.__dict__ | {"database": again}
    record(other, 3)
    other.tournament("next", bots=2)
    with again.reading() as session:
        assert count(session) == 8
        assert audit.verify(session, other.get(session)) == []


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_no_event_gets_a_number_that_was_given_since_the_backup(
    arena: Opened,
    world: World,
    tmp_path: Path,
    targets: Targets,
    monkeypatch: pytest.MonkeyPatch,
    *,
    kind: str,
) -> None:
    """Each arena that is made of a backup, also of the same one, goes on far after what others remember."""
    source = written(arena, tmp_path / "all.zip")
    with world.database.reading() as session:
        last = event_log.last_number(session)
    told = list[tuple[int, ArenaRestored, int]]()
    for place, time in enumerate(["2020-01-02T00:00:00+00:00", "2030-01-01T00:00:00+00:00"]):
        now = dt.datetime.fromisoformat(time)
        monkeypatch.setattr(copying, "utc_now", lambda now=now: now)
        restored = targets(kind)
        restoring.restore(source, DataFolder(tmp_path / str(place)))
        with restored.transaction() as session:
            event = session.scalars(select(Event).order_by(Event.id.desc())).first()
            assert event is not None
            assert (event.kind, event.at) == (ArenaRestored.KIND, now)
            following = events.log(session, Announced("on"))
            session.flush()
            told.append((event.id, ArenaRestored(**event.data), following.id))
            lost = [event_log.is_lost(session, last + more) for more in (0, 1, 999_999)]
            assert lost == [False, True, True]
        restored.close()
        (tmp_path / "restored.sqlite3").unlink(missing_ok=True)
    with reading(source) as bundle:
        taken_at = bundle.manifest.taken_at
    seconds = 10 * 365 * 86400 + 3 * 86400
    assert told == [
        (number, ArenaRestored(taken_at, last), number + 1) for number in (last + 1_000_000, seconds)
    ]


def test_a_backup_shows_one_moment(
    arena: Opened, world: World, tmp_path: Path, targets: Targets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result that is recorded between two tables is in neither: what was read before and after adds up."""
    read: list[str] = []
    rows = copying.rows

    def and_record(session: Session, table: Table) -> Iterator[copying.Row]:
        if table.name == Result.__tablename__:
            assert Entry.__tablename__ in read
            record(world, 1)
        read.append(table.name)
        return rows(session, table)

    with monkeypatch.context() as patch:
        patch.setattr(copying, "rows", and_record)
        source = written(arena, tmp_path / "all.zip")
    assert Result.__tablename__ in read
    restored = targets("sqlite")
    restoring.restore(source, DataFolder(tmp_path / "new"))
    with restored.reading() as session, world.database.reading() as now:
        assert audit.verify(session, world.get(session)) == []
        assert (count(session), count(now)) == (5, 6)


def count(session: Session) -> int:
    """How many results are recorded."""
    return session.scalar(select(func.count()).select_from(Result)) or 0


def test_a_missing_archive_is_told_and_the_rest_is_kept(arena: Opened, world: World, tmp_path: Path) -> None:
    """One archive that is away and one that is damaged are named; the others are in the backup."""
    first, second, *others = store_archives(world)
    place = world.settings.data_dir / "archives"
    (place / f"{first}.zip").unlink()
    (place / f"{second}.zip").write_bytes(b"something else")
    manifest = backup(arena, tmp_path / "all.zip", force=False, recordings=False)
    assert set(manifest.missing) == {first, second}
    assert {f"archives/{sha}.zip" for sha in others} <= manifest.members.keys()
    assert manifest.left_out == ("recordings",)


def test_what_trainings_have_in_the_store_is_left_out(
    arena: Opened, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be made again; and what no version refers to is not missing where it goes meanwhile."""
    hashes = store_archives(world)
    store = ArchiveStore(world.settings.archive_url)
    other, gone = store.put(b"of no version yet"), "0" * 64
    with world.database.transaction() as session:
        training = trainings.create(session, world.staff, TrainingPlan(**PLAN))
        training.given = f"{store.put(b'games')} {store.put(b'weights')}"
    there = store.hashes()
    monkeypatch.setattr(ArchiveStore, "hashes", lambda _: there | {gone})
    manifest = backup(arena, tmp_path / "all.zip", force=False, recordings=False)
    archives = {name for name in manifest.members if name.startswith("archives/")}
    assert archives == {f"archives/{sha}.zip" for sha in [*hashes, other]}
    assert manifest.missing == ()


def test_a_recording_that_breaks_off_is_told_and_the_rest_is_kept(
    arena: Opened, world: World, tmp_path: Path, targets: Targets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that vanishes and one that breaks off are named, and no half of either is in the backup."""
    part = tmp_path / "part"
    part.write_bytes(b"games" * 1000)
    store = RecordingStore(world.settings.records_url)
    for start in (0, 8, 16):
        store.put(3, start, part)
    gone, broken, whole = (f"recordings/{name}" for name in store.names())
    get = RecordingStore.get_named

    def give(store: RecordingStore, name: str) -> Iterator[bytes]:
        if gone.endswith(name):
            store.remove(name)
        return break_off() if broken.endswith(name) else get(store, name)

    def break_off() -> Iterator[bytes]:
        yield b"games"
        raise RecordingError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(RecordingStore, "get_named", give)
        manifest = backup(arena, tmp_path / "all.zip", force=False, recordings=True)
    assert {gone, broken} < set(manifest.missing)
    assert [name for name in manifest.members if name.startswith("recordings/")] == [whole]
    targets("sqlite")
    restoring.restore(tmp_path / "all.zip", DataFolder(tmp_path / "new"))


def test_a_store_of_recordings_that_is_away_is_no_missing_part(
    arena: Opened, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backup ends with the store's error, and leaves no file without what was asked for."""
    part = tmp_path / "part"
    part.write_bytes(b"games")
    RecordingStore(world.settings.records_url).put(3, 0, part)
    monkeypatch.setattr(RecordingStore, "get_named", Mock(side_effect=RecordingError("the store is away")))
    with pytest.raises(RecordingError, match="the store is away"):
        written(arena, tmp_path / "all.zip")
    assert not (tmp_path / "all.zip").exists()


def test_a_full_disk_is_said_and_nothing_half_is_left(
    arena: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no room for all of a backup the sentence names its file, and says what to do."""
    target = tmp_path / "backups" / "all.zip"
    target.parent.mkdir()
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(OSError, match=r"all.zip cannot be written whole \(No space left .* make room"):
        written(arena, target)
    assert list(target.parent.iterdir()) == []


def test_nothing_is_replaced_unasked_and_nothing_half_is_left(
    arena: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is there stays as it is, and a backup that fails in its midst leaves no file."""
    target = tmp_path / "backups" / "all.zip"
    target.parent.mkdir()
    target.write_text("before")
    with pytest.raises(UnusableError, match="--force"):
        written(arena, target)
    monkeypatch.setattr(RecordingStore, "names", Mock(side_effect=RecordingError("nothing is given")))
    with pytest.raises(RecordingError):
        backup(arena, target, force=True, recordings=True)
    assert [each.name for each in target.parent.iterdir()] == ["all.zip"]
    assert target.read_text() == "before"


@pytest.mark.parametrize("place", ["copying.fill", "Path.rename"])
def test_a_restore_that_fails_takes_back_what_it_gave(
    arena: Opened,
    world: World,
    tmp_path: Path,
    environment: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    *,
    place: str,
) -> None:
    """No recording and no folder is left, whether rows or the last move fail; archives do no harm."""
    hashes = store_archives(world)
    part = tmp_path / "part"
    part.write_bytes(b"games")
    RecordingStore(world.settings.records_url).put(3, 0, part)
    source = written(arena, tmp_path / "all.zip")
    archives = ArchiveStore((tmp_path / "elsewhere").as_uri())
    records = (tmp_path / "records-elsewhere").as_uri()
    environment(archive_url=(tmp_path / "elsewhere").as_uri(), records_url=records)
    monkeypatch.setattr(f"arena.administration.restoring.{place}", Mock(side_effect=OSError(5, "it broke")))
    with pytest.raises(OSError, match="cannot be written \\(it broke\\)") as failed:
        restoring.restore(source, DataFolder(tmp_path / "new"))
    assert ("is filled already" in str(failed.value)) == (place == "Path.rename")
    assert archives.hashes() == {*hashes}
    assert RecordingStore(records).names() == []
    assert not (tmp_path / "new").exists()


def test_a_store_that_lets_nothing_go_is_asked_once(
    arena: Opened,
    world: World,
    tmp_path: Path,
    environment: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where it is away nobody waits for it once for each part; what failed before is told."""
    part = tmp_path / "part"
    part.write_bytes(b"games")
    for start in (0, 8, 16):
        RecordingStore(world.settings.records_url).put(3, start, part)
    source = written(arena, tmp_path / "all.zip")
    environment(records_url=(tmp_path / "records-elsewhere").as_uri())
    remove = Mock(side_effect=RecordingError("away"))
    monkeypatch.setattr(RecordingStore, "remove", remove)
    monkeypatch.setattr(copying, "fill", Mock(side_effect=OSError(5, "it broke")))
    with pytest.raises(OSError, match="it broke"):
        restoring.restore(source, DataFolder(tmp_path / "new"))
    assert remove.call_count == 1


def test_a_restore_writes_nowhere_but_where_it_was_told_to(
    arena: Opened, world: World, tmp_path: Path, targets: Targets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no room for temporary files it needs none, and leaves none in the folder."""
    part = tmp_path / "part"
    part.write_bytes(b"games")
    RecordingStore(world.settings.records_url).put(3, 0, part)
    source = written(arena, tmp_path / "all.zip")
    targets("sqlite")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    folder = DataFolder(tmp_path / "new")
    restoring.restore(source, folder)
    names = {each.name for each in folder.root.iterdir()}
    assert names == {"archives", "records", "https", "reproduction", "admin-token", "signing-key"}


def test_only_what_is_empty_is_filled(arena: Opened, world: World, tmp_path: Path, targets: Targets) -> None:
    """A folder with anything in it is refused, and so is a database with tables; both stay as they are."""
    source = written(arena, tmp_path / "all.zip")
    used = tmp_path / "used"
    used.mkdir()
    (used / "a").touch()
    restored = targets("sqlite")
    with pytest.raises(UnusableError, match="is not empty"):
        restoring.restore(source, DataFolder(used))
    assert restored.is_empty
    restored.migrate()
    with pytest.raises(UnusableError, match="is not empty"):
        restoring.restore(source, DataFolder(tmp_path / "new"))
    assert not (tmp_path / "new").exists()
    with pytest.raises(UnusableDatabaseError, match="is not empty"):
        world.database.fill(max(revisions()), lambda _: None)


def test_what_a_killed_restore_left_is_told(arena: Opened, tmp_path: Path, targets: Targets) -> None:
    """Neither another restore nor an arena begins in its folder, whatever of it was moved to its place."""
    source, folder = written(arena, tmp_path / "all.zip"), DataFolder(tmp_path / "new")
    restored = targets("sqlite")
    (folder.root / f"{RESTORING}1").mkdir(parents=True)
    with pytest.raises(UnusableError, match="was broken off"):
        restoring.restore(source, folder)
    with pytest.raises(UnusableError, match="was broken off"):
        folder.make()
    with pytest.raises(UnusableError, match="was broken off"):
        check_first_time(restored, folder)
    assert restored.is_empty
    assert [each.name for each in folder.root.iterdir()] == [f"{RESTORING}1"]
