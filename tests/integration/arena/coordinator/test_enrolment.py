"""How worker hosts come to be believed, and are believed no more."""

from __future__ import annotations

import datetime as dt
import socket
from pathlib import Path

import pytest

from arena.coordinator import enrolment
from arena.core.errors import InvalidError, NotFoundError, UnavailableError
from arena.core.folder import DataFolder
from arena.core.settings import Settings
from arena.store import worker_keys
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
    assert (folder / ARENA).read_text().strip() == read_key(world.settings.signing_key_file).public
    for secret in (folder / OWN, world.settings.signing_key_file):
        assert secret.stat().st_mode & 0o777 == 0o600
    (folder / OWN).unlink()
    with world.database.transaction() as session:
        enrolment.enrol_here(session, world.settings)
    assert _enrolled(world) == {read_key(folder / OWN).public: socket.gethostname()}
    assert own not in _enrolled(world)


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
