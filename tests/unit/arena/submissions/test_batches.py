"""Uploads with the bots of a class: what is a part, whose it may be, and what hostile ones come to."""

from __future__ import annotations

import io
import struct
import time
import zipfile
import zlib
from collections.abc import Mapping, Sequence

import pytest

from arena.core.games import UploadError
from arena.submissions import batches
from arena.submissions.batches import Part, pack, take_apart
from arena.submissions.uploads import File
from workers.core.errors import Flaw


def _zip(files: Mapping[str, bytes | str], compression: int = zipfile.ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return buffer.getvalue()


def _foreign(names: Mapping[bytes, bytes], extra: bytes = b"") -> bytes:
    """A zip whose names are written in these very bytes, as a program on DOS or Windows leaves them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for at, content in enumerate(names.values()):
            info = zipfile.ZipInfo("x" * 3 + f"{at:03}" + "x" * (len(list(names)[at]) - 6))
            info.create_system, info.extra = 0, extra
            archive.writestr(info, content)
    data = buffer.getvalue()
    for at, name in enumerate(names):
        data = data.replace(b"xxx" + f"{at:03}".encode() + b"x" * (len(name) - 6), name)
    return data


def _parts(data: bytes, *teams: str) -> dict[str, Part]:
    return {part.label: part for part in take_apart(data, lambda name: name in teams)}


def test_a_file_a_zip_or_a_folder_for_each_team() -> None:
    """What lies at the top is of one team each, and a folder around all does not count."""
    files: dict[str, bytes | str] = {
        "7a/red.py": "1",
        "7a/blue/main.py": "2",
        "7a/blue/lib/a.py": "3",
        "7a/green.zip": _zip({"main.py": "4"}),
        "7a/__MACOSX/._red.py": "",
        "7a/blue/.DS_Store": "",
        "7a/._green.zip": "",
    }
    parts = _parts(_zip(files), "red", "blue")
    assert {label: part.names for label, part in parts.items()} == {
        "red.py": ("red",),
        "blue": ("blue",),
        "green.zip": ("green",),
    }
    assert parts["red.py"].file() == File("red.py", b"1")
    assert parts["blue"].file().name == "blue.zip"
    with zipfile.ZipFile(io.BytesIO(parts["blue"].file().data)) as archive:
        assert archive.namelist() == ["main.py", "lib/a.py"]


def test_a_folder_of_one_team_is_no_wrapper() -> None:
    """A single folder that is a team's, or a bot, is a part, and not what lies around the parts."""
    assert list(_parts(_zip({"red/one.py": "", "red/two.py": ""}), "red")) == ["red"]
    assert list(_parts(_zip({"any/main.py": "", "any/two.py": ""}))) == ["any"]
    assert list(_parts(_zip({"any/one.py": "", "any/two.py": ""}))) == ["one.py", "two.py"]


def test_folders_around_a_bot_do_not_count() -> None:
    """However deep a team has put its files, the bot begins where the first of them lies."""
    part = _parts(_zip({"red/src/bot/main.py": "1", "red/src/bot/lib/a.py": "2", "blue.py": ""}))["red"]
    with zipfile.ZipFile(io.BytesIO(part.file().data)) as archive:
        assert archive.namelist() == ["main.py", "lib/a.py"]


def test_what_moodle_exports() -> None:
    """Folders and flat files, with the group before the name; what was typed into a box is passed over."""
    parts = _parts(
        _zip(
            {
                "Group A-Bob Smith_1234_assignsubmission_file_/red.zip": _zip({"main.py": "1"}),
                "王小明_77_assignsubmission_file/main.py": "2",
                "Eve_5_assignsubmission_file_main.py": "3",
                "Eve_5_assignsubmission_file_lib.py": "4",
                "Eve_5_assignsubmission_onlinetext_/onlinetext.html": "<p>",
            }
        )
    )
    assert {label: part.names for label, part in parts.items()} == {
        "Group A-Bob Smith_1234": ("Group A-Bob Smith", "Group A", "Bob Smith"),
        "王小明_77": ("王小明",),
        "Eve_5": ("Eve",),
    }
    assert parts["Group A-Bob Smith_1234"].file().name == "red.zip"
    assert parts["王小明_77"].file() == File("main.py", b"2")
    assert (parts["Eve_5"].file().name, parts["Eve_5"].count) == ("Eve_5.zip", 2)


def test_what_canvas_exports() -> None:
    """All files of somebody are one part, also of who was late; beside a zip a picture does not count."""
    parts = _parts(
        _zip(
            {
                "smithbob_340934_208490284_BobsWork.zip": _zip({"main.py": "1"}),
                "smithbob_340934_208490285_Screenshot.png": b"\x89PNG",
                "wellslane_LATE_334244_394803489_main.py": "2",
            }
        )
    )
    assert {label: part.names[0] for label, part in parts.items()} == {
        "smithbob_340934": "smithbob",
        "wellslane_334244": "wellslane",
    }
    assert parts["smithbob_340934"].file().name == "BobsWork.zip"
    assert parts["wellslane_334244"].file() == File("main.py", b"2")


@pytest.mark.parametrize("encoding", ["utf-8", "cp950"])
def test_names_in_utf8_and_in_the_big5_of_windows(encoding: str) -> None:
    r"""Nothing in the zip says how names are written; a byte of 功 in Big5 is a \\, and divides nothing."""
    names = {"成功隊員們.py".encode(encoding): b"1", "第二隊伍\\main.py".encode(encoding): b"2"}
    assert list(_parts(_foreign(names))) == ["成功隊員們.py", "第二隊伍"]


def test_a_name_of_its_own_in_utf8() -> None:
    """Programs that write names twice are believed where the second one is of the first."""
    old, new = b"??????.py", "功夫.py"
    body = struct.pack("<BI", 1, zlib.crc32(old)) + new.encode()
    extra = struct.pack("<HH", batches.UNICODE_PATH, len(body)) + body
    assert list(_parts(_foreign({old: b"1"}, extra))) == [new]
    assert list(_parts(_foreign({b"!!!!!!.py": b"1"}, extra))) == ["!!!!!!.py"]


@pytest.mark.parametrize("name", ["../../etc/red.py", "/red.py", "red/../../x.py", "C:/red.py"])
def test_names_that_lead_out_are_faults_of_their_part(name: str) -> None:
    """Nothing is read by such a name, and the other parts are as they were."""
    parts = _parts(_zip({name: "1", "blue.py": "2"}))
    assert parts["blue.py"].file().data == b"2"
    (bad,) = (part for label, part in parts.items() if label != "blue.py")
    with pytest.raises(UploadError) as refused:
        bad.file()
    assert refused.value.flaw is Flaw.NAME


def test_links_are_no_files() -> None:
    """A link in the zip is told as what it is."""
    info = zipfile.ZipInfo("red/main.py")
    info.external_attr = 0o120777 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, "/etc/passwd")
        archive.writestr("blue.py", "1")
    with pytest.raises(UploadError, match="link"):
        _parts(buffer.getvalue())["red"].file()


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What swells too much is a fault of its part; and all of an upload swells so far only."""
    zeros = bytes(40 * 1024 * 1024)
    data = _zip({"red.py": zeros, "blue.py": "1"}, zipfile.ZIP_DEFLATED)
    parts = _parts(data)
    with pytest.raises(UploadError) as refused:
        parts["red.py"].file()
    assert refused.value.flaw is Flaw.TOO_LARGE
    monkeypatch.setattr(batches, "MAX_BATCH_UNPACKED", 5)
    parts = _parts(_zip({"red.py": "1234", "blue.py": "12"}))
    assert parts["blue.py"].file().data == b"12"
    with pytest.raises(UploadError):
        parts["red.py"].file()


def test_there_are_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many files, too many parts and too many bytes are refused as a whole, before they are read."""
    three = _zip({"a.py": "1", "b.py": "2", "c.py": "3"})
    for name in ("MAX_PARTS", "MAX_BATCH_FILES", "MAX_HEADERS"):
        with monkeypatch.context() as patch:
            patch.setattr(batches, name, 2)
            with pytest.raises(UploadError) as refused:
                take_apart(three, lambda _: False)
            assert refused.value.flaw is Flaw.TOO_LARGE
    monkeypatch.setattr(batches, "MAX_BATCH_BYTES", 10)
    with pytest.raises(UploadError) as refused:
        pack([File("red.py", bytes(11))])
    assert refused.value.flaw is Flaw.TOO_LARGE


def _with_extra(names: Sequence[str], extra: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo(name)
            info.extra = extra
            archive.writestr(info, b"1")
    return buffer.getvalue()


FIELD = struct.pack("<HHBI", 0x7075, 6, 1, 0) + b"a"


@pytest.mark.parametrize(
    "data",
    [
        _zip({"a/" * 30_000 + "bot.py": "1"}),
        _zip({"-" * 60_000 + "_1_assignsubmission_file/bot.py": "1"}),
        _with_extra(["x" * 60_000 + ".py"], FIELD * 6000),
    ],
    ids=["folders", "hyphens", "fields"],
)
def test_a_name_without_an_end_keeps_nobody_waiting(data: bytes) -> None:
    """What would take minutes, or all memory, to be compared with names of teams is refused at once."""
    began = time.thread_time()
    with pytest.raises(UploadError) as refused:
        take_apart(data, lambda _: False)
    assert refused.value.flaw is Flaw.NAME
    assert time.thread_time() - began < 1.0


def test_a_name_in_a_field_of_its_own_is_looked_for_once() -> None:
    """Many fields that are of another name cost little, and change none."""
    began = time.thread_time()
    names = [f"{number}{'x' * 1000}.py" for number in range(100)]
    parts = _parts(_with_extra(names, FIELD * 6000))
    assert sorted(part.names[0] for part in parts.values()) == sorted(name[:-3] for name in names)
    assert time.thread_time() - began < 3.0


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no zip at all", _zip({}), _zip({".DS_Store": ""})])
def test_what_is_nothing_is_refused(data: bytes) -> None:
    """An upload without a bot is no upload."""
    with pytest.raises(UploadError):
        take_apart(data, lambda _: False)


def test_files_of_a_form_become_one_zip() -> None:
    """A folder and a zip come to the same; the bot of one team keeps the name that it was sent by."""
    folder = [
        File("7a/red/main.py", b"1"),
        File("7a/blue.py", b"2"),
        File("7a/.git/HEAD", b""),
        File("", b""),
    ]
    assert list(_parts(pack(folder), "red")) == ["blue.py", "red"]
    whole = _zip({"red.py": "1", "blue.py": "2"})
    assert pack([File("7a.zip", whole)]) == whole
    assert list(_parts(pack([File("red.zip", _zip({"main.py": "1", "lib.py": "2"}))]))) == ["red.zip"]
    assert list(_parts(pack([File("red.py", b"1")]))) == ["red.py"]
    for files, flaw in (([], Flaw.EMPTY), ([File("a.py", b""), File("a.py", b"")], Flaw.NAME)):
        with pytest.raises(UploadError) as refused:
            pack(files)
        assert refused.value.flaw is flaw


def test_labels_can_be_seen_and_are_of_one_part_each() -> None:
    """What cannot be printed, or is too long, does not make two parts look like one."""
    long = "x" * 200
    parts = take_apart(_zip({f"{long}1.py": "", f"{long}2.py": "", "a\u202eb.py": ""}), lambda _: False)
    labels = [part.label for part in parts]
    assert len(set(labels)) == 3
    assert all(label.isprintable() for label in labels)
