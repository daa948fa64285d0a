"""Whether a program that was handed in would run where bots run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from workers.core.errors import ArchiveError
from workers.programs.runtimes.detection import find_source

GCC = shutil.which("gcc")


@pytest.mark.skipif(GCC is None, reason="there is no gcc here")
@pytest.mark.parametrize(("flags", "says"), [(["-static"], None), ([], "shared libraries")])
def test_a_program_must_be_static(tmp_path: Path, flags: list[str], says: str | None) -> None:
    """One program is enough if it needs nothing else; one that needs libraries is refused."""
    (tmp_path / "x.c").write_text("int main(void) { return 0; }")
    subprocess.run([str(GCC), *flags, "x.c", "-o", "bot"], cwd=tmp_path, check=True)
    program = (tmp_path / "bot").read_bytes()
    if says is None:
        assert find_source({"bot": program}).language.name == "static"
        with pytest.raises(ArchiveError, match="damaged"):
            find_source({"bot": program[:60]})
        with pytest.raises(ArchiveError, match="damaged"):
            find_source({"bot": program[:32] + b"\xff" * 8 + program[40:]})
        with pytest.raises(ArchiveError, match="another machine"):
            find_source({"bot": program[:18] + b"\x08\x00" + program[20:]})
    else:
        with pytest.raises(ArchiveError, match=says):
            find_source({"bot": program})
