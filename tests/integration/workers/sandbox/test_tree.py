"""What is read of processes, whatever they call themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.odd_names import NAME, ODDLY_NAMED
from tests.waiting import eventually
from workers.sandbox import tree


@pytest.mark.skipif(sys.platform != "linux", reason="there is nothing to see elsewhere")
def test_a_name_that_is_no_text_hides_nothing() -> None:
    """When it was started, what it waits for and the memory that it has had are read past its name."""
    with subprocess.Popen([sys.executable, "-c", ODDLY_NAMED], stdin=subprocess.PIPE) as odd:
        born = tree.start_of(odd.pid)
        eventually(lambda: Path(f"/proc/{odd.pid}/comm").read_bytes() == NAME[:15] + b"\n")
        eventually(lambda: tree.sleeps(odd.pid))
        assert tree.start_of(odd.pid) == born > 0
        assert (tree.peak_memory(odd.pid) or 0) > 2**20
