"""Uploads: what becomes an archive, and what is refused."""

from __future__ import annotations

import io
import stat
import tempfile
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.core.errors import (
    ArchiveError,
)
from workers.programs import archives
from workers.programs.archive_cache import ArchiveCache
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip with these entries, in this order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # writing a name twice is the point of one case
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def names(archive: bytes) -> list[str]:
    """The names inside a zip."""
    return zipfile.ZipFile(io.BytesIO(archive)).namelist()


def test_one_file_and_a_zip_of_it_are_the_same_archive() -> None:
    """The hash of a submission depends on names and contents only."""
    alone = canonical_archive("My Bot.PY", b"print(1)")
    assert canonical_archive("bot.zip", zipped(("main.py", b"print(1)"))) == alone
    assert names(alone) == ["main.py"]


def test_order_and_compression_do_not_change_the_archive() -> None:
    """Zipping the same files in another way gives the same hash."""
    one = zipped(("main.py", b"a"), ("lib/x.py", b"b"))
    two = zipped(("lib/x.py", b"b"), ("main.py", b"a"), method=zipfile.ZIP_STORED)
    assert canonical_archive("a.zip", one) == canonical_archive("b.zip", two)


def test_a_wrapping_folder_and_litter_are_stripped() -> None:
    """A folder zipped by a desktop works as it is."""
    data = zipped(("bot/main.py", b"a"), ("bot/.DS_Store", b"x"), ("__MACOSX/bot/._main.py", b"x"))
    assert names(canonical_archive("bot.zip", data)) == ["main.py"]


def link() -> zipfile.ZipInfo:
    """An entry that is a symbolic link."""
    info = zipfile.ZipInfo("lib/passwd")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("filename", "data", "says"),
    [
        ("bot.py", b"", "empty"),
        ("bot.exe", b"MZ", "neither a .zip"),
        ("bot.py", b"\x7fELF\x00\xff", "not Python source"),
        ("bot.py", b"print(1)\0", "not Python source"),
        ("bot.py", b"# coding: no-such-encoding\n", "not Python source"),
        ("bot.py", b"# coding: rot13\n", "not Python source"),
        ("bot.py", b"# coding: undefined\n", "not Python source"),
        ("bot.py", b"# coding: Punycode\n-aaaa", "not Python source"),
        ("bot.py", b"# coding: idna\n", "not Python source"),
        ("bot.zip", b"not a zip", "not a readable zip"),
        ("bot.zip", zipped(("other.py", b"")), "no file that starts a bot"),
        ("bot.zip", zipped(("main.py", b""), ("../up.py", b"")), "relative names"),
        ("bot.zip", zipped(("main.py", b""), ("/etc/cron", b"")), "relative names"),
        ("bot.zip", zipped(("main.py", b""), ("a\\b.py", b"")), "relative names"),
        ("bot.zip", zipped(("main.py", b""), ("C:x.py", b"")), "relative names"),
        ("bot.zip", zipped(("main.py", b""), ("a//b.py", b"")), "relative names"),
        ("bot.zip", zipped(("main.py", b""), ("a\nb.py", b"")), "relative names"),
        ("bot.zip", zipped(("main.py", b""), (link(), b"/etc/passwd")), "link"),
        ("bot.zip", zipped(("main.py", b"1"), ("main.py", b"2")), "twice"),
        ("bot.zip", zipped(("main.py", b"1"), ("MAIN.py", b"2")), "twice"),
        ("bot.zip", zipped(("main.py", b"1"), ("é.py", b"2"), ("E\u0301.py", b"3")), "twice"),
        ("bot.zip", zipped(("main.py", b"1"), ("a", b"2"), ("a/b", b"3")), "both as a file"),
        ("bot.zip", zipped(("main.py", b"1"), ("a", b"2"), ("A/b", b"3")), "both as a file"),
        ("bot.zip", zipped(("bot", b"1"), ("bot/main.py", b"2")), "both as a file"),
        ("bot.zip", zipped((".", b"1")), "relative names"),
        ("bot.zip", zipped(("main.py", b""), ("é" * 128, b"")), "too long"),
        ("bot.zip", zipped(("main.py", b""), ("/".join(["x" * 250] * 4), b"")), "too long"),
        ("bot.zip", zipped(("main.py", b""), ("/".join("x" * (archives.MAX_DEPTH + 1)), b"")), "too long"),
        ("bot.zip", zipped(("main.py", b"1"), method=zipfile.ZIP_BZIP2), "rare way"),
        ("bot.zip", zipped(("main.py", b"1"), method=zipfile.ZIP_LZMA), "rare way"),
        ("bot.zip", zipped(*[(f"f{i}", b"") for i in range(archives.MAX_FILES + 1)]), "entries"),
        ("bot.zip", zipped(("main.py", b"\0" * 20_000_000)), "unpacks to more"),
        ("bot.py", b"#" * (archives.MAX_UPLOAD_BYTES + 1), "at most"),
    ],
)
def test_a_bad_upload_is_refused_with_its_reason(filename: str, data: bytes, says: str) -> None:
    """Every rule for uploads has its own clear refusal."""
    with pytest.raises(ArchiveError, match=says):
        canonical_archive(filename, data)


def outcome(data: bytes) -> bytes | None:
    """The archive made of an uploaded zip, or None when it was refused as an upload should be."""
    try:
        return canonical_archive("bot.zip", data)
    except ArchiveError:
        return None


def raw(name: str) -> zipfile.ZipInfo:
    """An entry of exactly this name, which zipfile would otherwise correct."""
    info = zipfile.ZipInfo("x")
    info.filename = name
    return info


PARTS = st.one_of(
    st.sampled_from(
        [".", "..", "", "main.py", "a", "A", "é", "e\u0301", "ß", "SS", "CON", "x" * 255, "é" * 128]
    ),
    st.text(st.characters(codec="utf-8"), max_size=4),
)
NAMES = st.lists(PARTS, min_size=1, max_size=4).map("/".join).filter(bool)


@given(entries=st.lists(st.tuples(NAMES, st.binary(max_size=20)), max_size=6), wrap=st.booleans())
def test_whatever_the_names_an_archive_can_be_unpacked_or_is_refused(
    entries: list[tuple[str, bytes]], wrap: bool
) -> None:
    """Names of any kind end in an archive that is itself canonical and can be unpacked, or in a refusal."""
    found = outcome(
        zipped(
            *((raw(name), content) for name, content in entries), ("bot/main.py" if wrap else "main.py", b"1")
        )
    )
    if found is None:
        return
    assert canonical_archive("bot.zip", found) == found
    with tempfile.TemporaryDirectory() as folder:
        store = ArchiveStore(f"file://{folder}/store")
        unpacked = ArchiveCache(store, Path(folder) / "cache").unpacked(store.put(found))
        files = [path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()]
    assert sorted(files) == sorted(names(found))


GOOD = zipped(("main.py", b"print('hello')" * 9), ("lib/é.py", b"x"))


@given(
    changes=st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=8),
    cut=st.integers(0, len(GOOD)),
)
def test_whatever_the_bytes_nothing_but_a_refusal_comes_out(changes: list[tuple[int, int]], cut: int) -> None:
    """A zip with any bytes changed or missing is taken or refused; nothing else happens."""
    data = bytearray(GOOD)
    for at, value in changes:
        data[at] = value
    outcome(bytes(data))
    outcome(bytes(data[:cut]) or b"PK")


@given(st.binary(min_size=1, max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    """What is no zip at all is refused."""
    assert outcome(data) is None


def test_a_damaged_zip_is_refused() -> None:
    """A wrong checksum is the sender's error, not a crash of ours."""
    data = bytearray(zipped(("main.py", b"print('hello')"), method=zipfile.ZIP_STORED))
    at = data.index(b"hello")
    data[at] ^= 1
    with pytest.raises(ArchiveError, match="cannot be read"):
        canonical_archive("bot.zip", bytes(data))


def test_sizes_are_counted_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that unpacks to more than there is room for is refused while it is being read."""
    monkeypatch.setattr(archives, "MAX_UNPACKED_BYTES", 100_000)
    with pytest.raises(ArchiveError, match="unpacks to more"):
        canonical_archive("bot.zip", zipped(("main.py", b""), ("big", bytes(range(256)) * 400)))
