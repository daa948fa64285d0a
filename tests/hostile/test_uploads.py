"""Uploads that reach for what is not theirs: when they are unpacked, and when they are built."""

from __future__ import annotations

import io
import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from tests.hostile.harness import SECRET, Site, Way
from tests.hostile.host import look
from workers.core.errors import ArchiveError, BuildError
from workers.core.scratch import remove_tree, work_folder
from workers.programs.archive_cache import ArchiveCache
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive
from workers.programs.builds import BUILD_LIMITS, BuildCache
from workers.programs.tools import run_to_end
from workers.sandbox.confinement import Program

OUTSIDE = ("../main.py", "/tmp/main.py", "a/../../main.py", "..\\main.py", "C:\\main.py")  # noqa: S108
KINDS = {"link": stat.S_IFLNK, "pipe": stat.S_IFIFO, "device": stat.S_IFCHR, "socket": stat.S_IFSOCK}


def zipped(*entries: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    """A zip of a bot and those entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.py", b"print()\n")
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_file_outside_of_its_folder_is_refused(name: str) -> None:
    """No name in an upload leads out of the folder that it is unpacked to."""
    with pytest.raises(ArchiveError):
        canonical_archive("bot.zip", zipped((name, b"print()\n")))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_plain_file_is_refused(kind: str) -> None:
    """A link to the host's files, and whatever else is no file, is not taken."""
    entry = zipfile.ZipInfo("book")
    entry.create_system = 3
    entry.external_attr = (KINDS[kind] | 0o777) << 16
    with pytest.raises(ArchiveError):
        canonical_archive("bot.zip", zipped((entry, b"/etc/passwd")))


def test_a_small_zip_of_a_large_file_is_refused() -> None:
    """What swells a thousandfold is not taken."""
    with pytest.raises(ArchiveError):
        canonical_archive("bot.zip", zipped(("book", bytes(20_000_000))))


LEAVES_ODD_NAMES = """
import ctypes, os, time
for name in (b"\\xff\\xfe", b") R 1", b"VmHWM: 1"):
    ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    os.wait()
"""


def test_what_a_build_leaves_is_ended_whatever_it_is_called(way: Way, place: Site) -> None:
    """Orphans whose names are no text, or look like what the kernel says, take no place for ever."""
    work = work_folder()
    before = look(place.uids, place.place)
    program = Program(("/usr/bin/python3", "-c", LEAVES_ODD_NAMES))
    ran = run_to_end(way.confinement(), program, BUILD_LIMITS, 60, writable=work, most_bytes=2**20)
    assert (ran.status, ran.stopped) == (0, ""), ran
    assert look(place.uids, place.place).left_since(before) == {}
    remove_tree(work.parent)


SOURCES = {
    "include": '#include "{secret}"\nint main(void) {{ return 0; }}\n',
    "assembly": 'asm(".section .rodata\\n.incbin \\"{secret}\\"\\n");\nint main(void) {{ return 0; }}\n',
    "itself": "#include __FILE__\n#include __FILE__\nint main(void) {{ return 0; }}\n",
    "large": "char data[1 << 30] = {{1}};\nint main(void) {{ return 0; }}\n",
}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler here")
@pytest.mark.parametrize("trick", SOURCES)
def test_a_build_sees_no_more_than_a_match(trick: str, way: Way, place: Site, tmp_path: Path) -> None:
    """The compiler puts nothing of the host into a program or a message, and does not fill the disk."""
    code = SOURCES[trick].format(secret=place.secrets[0])
    store = ArchiveStore(f"file://{tmp_path / 'store'}")
    sha = store.put(canonical_archive("bot.c", code.encode()))
    built = place.place / "built"
    workshop = BuildCache(
        ArchiveCache(store, tmp_path / "cache"), built, way.confinement, ("/usr/bin/python3",)
    )
    before = look(place.uids, place.place)
    with pytest.raises(BuildError) as refused:
        workshop.build(sha)
    said = refused.value.said
    assert SECRET not in said.head + said.tail + str(refused.value)
    assert [path for path in built.iterdir() if path.suffix != ".lock"] == []
    shutil.rmtree(built)
    assert look(place.uids, place.place).left_since(before) == {}
