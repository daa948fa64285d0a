"""Submissions: versions by content, names by owner."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.core.errors import ForbiddenError, InvalidError, NotFoundError
from arena.people import users
from arena.store.models import BotVersion, User
from arena.submissions import versions
from tests.integration.arena.world import World
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive

CODE = b"print('hello')\n"


@pytest.fixture
def archives(tmp_path: Path) -> ArchiveStore:
    """An empty archive store."""
    folder = tmp_path / "archives"
    folder.mkdir()
    return ArchiveStore(folder.as_uri())


def _submit(
    world: World,
    archives: ArchiveStore,
    actor: User,
    data: bytes = CODE,
    *,
    name: str = "bot",
    owner: User | None = None,
) -> tuple[BotVersion, bool]:
    with world.database.transaction() as session:
        return versions.submit(
            session, archives, actor, bot_name=name, filename="my bot.py", data=data, owner=owner
        )


def test_versions_are_numbered_by_content(world: World, archives: ArchiveStore) -> None:
    """New content is a new version; content that was there before is the version that it was."""
    team = world.team("team")
    first, created = _submit(world, archives, team)
    assert (first.number, created) == (1, True)
    assert archives.get(first.archive) == canonical_archive("bot.py", CODE)
    second, _ = _submit(world, archives, team, b"print(2)\n")
    again, created = _submit(world, archives, team)
    assert (second.number, again.number, created) == (2, 1, False)
    with world.database.reading() as session:
        bot = versions.get(session, "bot")
        assert versions.get_version(session, bot).number == 2
        assert versions.get_version(session, bot, 1).archive == first.archive
        assert versions.list_bots(session, 0, 10)[1] == 1
        assert versions.list_bots(session, 0, 10, world.staff) == ([], 0)


def test_a_bot_belongs_to_its_first_submitter(world: World, archives: ArchiveStore) -> None:
    """Another team cannot submit under the same name; the staff can, for the owner."""
    team, other = world.team("team"), world.team("other")
    _submit(world, archives, team)
    with pytest.raises(ForbiddenError, match="belongs to 'team'"):
        _submit(world, archives, other, b"print(2)\n")
    version, _ = _submit(world, archives, world.staff, b"print(3)\n")
    assert (version.number, version.bot.owner_id) == (2, team.id)
    with pytest.raises(ForbiddenError):
        _submit(world, archives, world.staff, b"print(4)\n", owner=other)


def test_only_the_staff_submits_for_others(world: World, archives: ArchiveStore) -> None:
    """The staff may name an owner; a team may name nobody but itself."""
    team, other = world.team("team"), world.team("other")
    version, _ = _submit(world, archives, world.staff, owner=team)
    assert version.bot.owner_id == team.id
    assert _submit(world, archives, team, owner=team)[1] is False
    with pytest.raises(ForbiddenError, match="only the staff"):
        _submit(world, archives, team, name="new", owner=other)


def test_others_write_while_an_archive_is_made(
    world: World, archives: ArchiveStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checking and packing files takes long and holds no lock, not even in a session that has read before."""

    def canonical(filename: str, data: bytes) -> bytes:
        world.team("meanwhile")
        return canonical_archive(filename, data)

    monkeypatch.setattr(versions, "canonical_archive", canonical)
    with world.database.transaction() as session:
        staff = users.get(session, "staff")
        versions.submit(session, archives, staff, bot_name="bot", filename="main.py", data=CODE)
    with world.database.reading() as session:
        assert users.get(session, "meanwhile")
        assert versions.get(session, "bot").owner_id == world.staff.id


@pytest.mark.parametrize(("name", "data"), [("bot", b""), ("no good", CODE), ("bot", b"x" * (5 << 20))])
def test_what_cannot_be_taken_leaves_nothing(
    world: World, archives: ArchiveStore, name: str, data: bytes
) -> None:
    """A refused submission makes no bot and no version."""
    with pytest.raises(InvalidError):
        _submit(world, archives, world.staff, data, name=name)
    with world.database.reading() as session, pytest.raises(NotFoundError):
        versions.get(session, name)


@pytest.mark.parametrize("number", [0, -1, 7, 2**40, 2**70])
def test_versions_that_are_not_there(world: World, archives: ArchiveStore, number: int) -> None:
    """A version number that does not exist is not found, whatever its size."""
    _submit(world, archives, world.staff)
    with world.database.reading() as session, pytest.raises(NotFoundError, match="no version"):
        versions.get_version(session, versions.get(session, "bot"), number)


def test_a_bot_may_have_no_version_yet(world: World) -> None:
    """A bot without versions has no newest one."""
    with world.database.transaction() as session:
        bot = world.bot(session, "empty", versions=0)
        with pytest.raises(NotFoundError, match="no version yet"):
            versions.get_version(session, bot)
