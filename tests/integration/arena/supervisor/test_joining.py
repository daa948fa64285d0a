"""A host that has joined is made to run workers by systemd, as far as that can be done there."""

from __future__ import annotations

import getpass
import os
import pwd
import stat
from pathlib import Path

import pytest

from arena.supervisor import joining
from arena.supervisor.joining import ENVIRONMENT, MORE_QUEUES, NEEDED, Installation, keep_told
from workers.core.enrolment import ARENA, OWN

TOLD = {"ARENA_BROKER_URL": "redis://worker:secret@h:6379/0", "ARENA_ARCHIVE_URL": "s3://arena/archives"}
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root installs services")


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A root folder with systemd's folders, and programs that write down how they were called."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("systemctl", "useradd"):
        program = programs / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/called\n')
        program.chmod(0o755)
    for folder in ("run/systemd/system", "etc/systemd/system", "keys"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setattr(joining, "USER", getpass.getuser())
    return tmp_path


@pytest.fixture
def owner(monkeypatch: pytest.MonkeyPatch) -> pwd.struct_passwd:
    """The user of the workers, who owns the folder with the keys."""
    monkeypatch.setattr(joining, "USER", "daemon")
    return pwd.getpwnam("daemon")


def _installation(computer: Path, slots: int | None = 2) -> Installation:
    keys = computer / "keys"
    return Installation(keys, slots, root=computer, home=keys, programs=Path("/srv/arena/bin"))


def test_units_are_installed_and_started(computer: Path) -> None:
    """With the programs that there are; what the arena has told is for nobody else to read."""
    keep_told(computer / "keys", TOLD, trusted=False)
    done, missing = _installation(computer).run()
    assert (len(done), missing) == (4, [])
    unit = (computer / "etc/systemd/system/arena-worker@.service").read_text()
    assert "ExecStart=/srv/arena/bin/python -P -m workers.host" in unit
    assert "/opt/arena" not in unit
    slots = "arena-worker@1.service arena-worker@2.service arena-checker.service"
    assert (computer / "called").read_text().splitlines() == [
        "systemctl daemon-reload",
        f"systemctl enable arena-workers.target {slots}",
        f"systemctl restart arena-workers.target {slots}",
    ]
    assert stat.S_IMODE((computer / "keys" / ENVIRONMENT).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("asked", "slots", "ended"), [(1, "1", ["2", "3"]), (None, "123", []), (4, "1234", [])]
)
def test_slots_that_there_are_stay_unless_others_are_asked_for(
    computer: Path, asked: int | None, slots: str, ended: list[str]
) -> None:
    """Whoever installs again, as after an upgrade, may say how many there are from then on."""
    keep_told(computer / "keys", TOLD, trusted=False)
    wanted = computer / "etc/systemd/system/arena-workers.target.wants"
    wanted.mkdir()
    for number in (1, 2, 3):
        (wanted / f"arena-worker@{number}.service").touch()
    _installation(computer, asked).run()
    called = (computer / "called").read_text().splitlines()
    units = [f"arena-worker@{number}.service" for number in slots]
    assert called[-1] == " ".join(("systemctl restart arena-workers.target", *units, "arena-checker.service"))
    gone = [f"arena-worker@{number}.service" for number in ended]
    assert [each.split()[3:] for each in called if " disable " in each] == [gone] * bool(gone)


def test_hosts_that_are_trusted_play_others_matches_again(tmp_path: Path) -> None:
    """The units take the queue from what is written when they join; of a laboratory PC nothing is."""
    for trusted in (True, False):
        keep_told(tmp_path, TOLD, trusted=trusted)
        line = f'{MORE_QUEUES}=",repeats,solves,trainings"'
        assert (line in (tmp_path / ENVIRONMENT).read_text().splitlines()) is trusted


def test_what_is_missing_is_said_before_anything_is_done(computer: Path) -> None:
    """All of it at once; nothing is half installed."""
    (computer / "run/systemd/system").rmdir()
    assert "systemd" in _installation(computer).run()[1][-1]
    (computer / "run/systemd/system").mkdir()
    elsewhere = Installation(computer / "keys", 1, root=computer, programs=Path("/root/arena/bin"))
    done, missing = elsewhere.run()
    assert done == []
    wanted = (*NEEDED, "ARENA_KEY_DIR", "/opt/arena")
    assert [word for word, line in zip(wanted, missing, strict=True) if word not in line] == []
    assert not (computer / "called").exists()


def test_the_folder_and_what_it_is_for_are_given_away(computer: Path, owner: pwd.struct_passwd) -> None:
    """To the workers' user; what else lies there, and where that leads, stays whose it is."""
    keys, secret = computer / "keys", computer / "shadow"
    keep_told(keys, TOLD, trusted=False)
    secret.touch()
    for name in (OWN, ARENA):
        (keys / name).touch()
    (keys / "x").symlink_to(secret)
    assert len(_installation(computer).run()[0]) == 4
    assert {path.lstat().st_uid for path in (keys, *(keys / each for each in (OWN, ARENA, ENVIRONMENT)))} == {
        owner.pw_uid
    }
    assert (secret.stat().st_uid, (keys / "x").lstat().st_uid) == (0, 0)


@pytest.mark.parametrize("name", [OWN, ARENA])
@pytest.mark.parametrize("hard", [False, True])
def test_links_in_the_workers_folder_lead_to_nobody_else_s_files(
    computer: Path, owner: pwd.struct_passwd, name: str, *, hard: bool
) -> None:
    """Their user can put them there; installing says so and gives nothing away by them."""
    keys, secret = computer / "keys", computer / "shadow"
    keep_told(keys, TOLD, trusted=False)
    secret.touch()
    if hard:
        (keys / name).hardlink_to(secret)
    else:
        (keys / name).symlink_to(secret)
    _, missing = _installation(computer).run()
    assert missing == [f"{keys / name} is a link: remove it; then `arena worker install` goes on"]
    assert secret.stat().st_uid == 0 != owner.pw_uid


def test_what_fails_is_said_with_what_was_done(computer: Path) -> None:
    """A step that fails ends the installation with its error and the command that goes on."""
    keep_told(computer / "keys", TOLD, trusted=False)
    (computer / "programs" / "systemctl").write_text(
        "#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n"
    )
    done, missing = _installation(computer).run()
    assert len(done) == 3
    assert missing == ["Failed to connect to bus; then `arena worker install` goes on"]
