"""How worker hosts come to be believed, and are believed no more."""

from __future__ import annotations

import datetime as dt
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from arena.coordinator import enrolment
from arena.core.clock import utc_now
from arena.core.errors import InvalidError, NotFoundError, UnavailableError
from arena.core.folder import DataFolder
from arena.core.settings import Settings
from arena.store import worker_keys
from arena.store.models import Event, WorkerKey
from tests.integration.arena.world import World
from workers.core.enrolment import ARENA, OWN
from workers.core.signing import new_key, read_key


def _enrolled(world: World) -> dict[str, str]:
    with world.database.reading() as session:
        return worker_keys.enrolled(session)


def test_a_code_is_good_for_a_day(world: World) -> None:
    """After that it enrols nobody; neither does a name that is none."""
    with world.database.transaction() as session:
        text, code = enrolment.make_code(session, world.staff)
        with pytest.raises(InvalidError):
            enrolment.enrol(session, text, "\n", new_key().public)
        code.expires_at -= dt.timedelta(days=1, seconds=1)
        session.flush()
        with pytest.raises(NotFoundError):
            enrolment.enrol(session, text, "pc-7", new_key().public)


def test_the_arenas_own_machine_is_enrolled_by_its_folder(world: World) -> None:
    """Doing it again changes nothing; a new key takes the place of the old one; only the owner reads it."""
    folder = DataFolder(world.settings.data_dir).worker_keys
    for _ in range(2):
        with world.database.transaction() as session:
            enrolment.enrol_here(session, world.settings)
    own = read_key(folder / OWN).public
    assert _enrolled(world) == {own: socket.gethostname()}
    public = read_key(world.settings.signing_key_file).public
    assert (folder / ARENA).read_text() == f"{public} {socket.gethostname()}\n"
    for secret in (folder / OWN, world.settings.signing_key_file):
        assert secret.stat().st_mode & 0o777 == 0o600
    (folder / OWN).unlink()
    with world.database.transaction() as session:
        enrolment.enrol_here(session, world.settings)
    assert _enrolled(world) == {read_key(folder / OWN).public: socket.gethostname()}
    assert own not in _enrolled(world)
    assert _told(world) == ["host.enrolled", "host.revoked", "host.enrolled"]


def _told(world: World) -> list[str]:
    with world.database.reading() as session:
        kinds = [str(each.kind) for each in session.scalars(select(Event).order_by(Event.id))]
    return [each for each in kinds if each.startswith("host.")]


def test_the_arenas_own_machine_stays_revoked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting the arena does not undo it, also under another name, until its key is removed."""

    def start() -> bool:
        with world.database.transaction() as session:
            return enrolment.enrol_here(session, world.settings)

    assert start()
    with world.database.transaction() as session:
        enrolment.revoke(session, world.staff, socket.gethostname())
    for name in (socket.gethostname(), "another-name"):
        monkeypatch.setattr(socket, "gethostname", lambda name=name: name)
        assert (start(), _enrolled(world)) == (False, {})
    key = DataFolder(world.settings.data_dir).worker_keys / OWN
    key.unlink()
    assert (start(), _enrolled(world)) == (True, {read_key(key).public: "another-name"})
    assert _told(world) == ["host.enrolled", "host.revoked", "host.enrolled"]


def test_the_arenas_own_machine_may_be_renamed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its key is believed under the new name, of which whoever had it is believed no more; all is told."""
    with world.database.transaction() as session:
        enrolment.enrol_here(session, world.settings)
    world.enrol("pc-7")
    monkeypatch.setattr(socket, "gethostname", lambda: "pc-7")
    with world.database.transaction() as session:
        assert enrolment.enrol_here(session, world.settings)
    own = read_key(DataFolder(world.settings.data_dir).worker_keys / OWN).public
    assert _enrolled(world) == {own: "pc-7"}
    assert _told(world) == [*["host.enrolled"] * 2, *["host.revoked"] * 2, "host.enrolled"]


def test_a_host_has_one_good_key(world: World) -> None:
    """Also where two were enrolled at the same moment; of those that were revoked there may be more."""
    for _ in range(2):
        world.enrol("pc-7")
        with world.database.transaction() as session:
            enrolment.revoke(session, world.staff, "pc-7")
    with world.database.transaction() as session:
        session.add(WorkerKey(host="pc-7", public=new_key().public, enrolled_at=utc_now()))
    with pytest.raises(IntegrityError), world.database.transaction() as session:
        session.add(WorkerKey(host="pc-7", public=new_key().public, enrolled_at=utc_now()))


def test_a_signing_key_that_is_gone_is_made_by_nobody_but_the_preparation(world: World) -> None:
    """Another would be unknown to all hosts: a coordinator does not start, and says what to do."""
    environment = os.environ | {
        "ARENA_DATA_DIR": str(world.settings.data_dir),
        "ARENA_DATABASE_URL": world.settings.database_url,
    }
    command = [sys.executable, "-m", "arena.coordinator"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "signing-key cannot be read (No such file or directory): put it back" in done.stderr
    assert not world.settings.signing_key_file.exists()


def test_a_host_is_told_what_its_workers_need(tmp_path: Path) -> None:
    """Where the arena was told it; what cannot be read now is no fault of who asks, nor is it told."""
    assert enrolment.told(Settings(data_dir=tmp_path)) == {}
    file = tmp_path / "worker.env"
    settings = Settings(data_dir=tmp_path, worker_settings_file=file)
    file.write_text("ARENA_BROKER_URL=redis://worker:secret@h/0\n")
    assert enrolment.told(settings) == {"ARENA_BROKER_URL": "redis://worker:secret@h/0"}
    file.unlink()
    with pytest.raises(UnavailableError) as refusal:
        enrolment.told(settings)
    assert str(file) not in str(refusal.value)
