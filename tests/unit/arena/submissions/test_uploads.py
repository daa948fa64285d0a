"""From the files of a form to what is submitted."""

from __future__ import annotations

import io
import zipfile

import pytest

from arena.core.games import UploadError
from arena.submissions.uploads import File, bundled, suggested_name
from workers.core.errors import Flaw


def _names(file: File) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        return archive.namelist()


def test_one_file_stays_as_it_is() -> None:
    """Neither a chooser that was left empty nor what systems leave in folders makes a zip of it."""
    files = [File("", b""), File("comet/main.py", b"x"), File("comet/.DS_Store", b"junk")]
    assert bundled(files) == File("main.py", b"x")
    assert bundled([]) == File("", b"")


def test_several_files_become_a_zip() -> None:
    """They keep their folders, whichever way those are written, and the zip is called like the folder."""
    file = bundled([File("comet\\main.py", b"x"), File("comet/lib/a.py", b"y"), File("comet/.git/HEAD", b"")])
    assert (file.name, _names(file)) == ("comet.zip", ["comet/main.py", "comet/lib/a.py"])


def test_the_same_name_twice_is_refused() -> None:
    """Which of the two would count could not be told."""
    with pytest.raises(UploadError, match="sent twice") as refused:
        bundled([File("main.py", b"x"), File("main.py", b"y")])
    assert refused.value.flaw is Flaw.NAME


def test_a_name_is_suggested() -> None:
    """By `bot.toml` where there is one that can be read, else by the file or folder, or the team."""
    manifest = bundled([File("main.py", b"x = 1"), File("bot.toml", b'name = "meteor"')])
    assert suggested_name(manifest, "red") == "meteor"
    assert suggested_name(File("My_Comet.py", b"x = 1"), "red") == "my-comet"
    assert suggested_name(File("moon.zip", b"no zip"), "red") == "moon"
    assert suggested_name(File("Main.java", b""), "red") == "red"
