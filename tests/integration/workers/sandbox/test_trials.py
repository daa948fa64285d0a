"""When a level of confinement is held not to work, for as long as a process runs."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from workers.core.contract import Limits
from workers.core.errors import LaunchError, LodgingError, NoConfinementError
from workers.sandbox import levels
from workers.sandbox.confinement import Confined, Startable
from workers.sandbox.process_group import ProcessGroup


class Failing:
    """A level at which launches fail in the ways of a list, and those after it as stands last in it."""

    name = "failing"

    def __init__(self, *ways: LaunchError | str) -> None:
        self._ways = ways
        self.launched = 0

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start what stands next, under no confinement; see `Confinement.launch`."""
        del program
        way = self._ways[min(self.launched, len(self._ways) - 1)]
        self.launched += 1
        if isinstance(way, LaunchError):
            raise way
        return ProcessGroup().launch(("/bin/sh", "-c", way), limits, writable=writable)


FAILED, KILLED, FINE = LaunchError("it ended with status 1"), "kill -9 $$", f"echo {levels.WORD}"


@pytest.mark.usefixtures("own_slots")
@pytest.mark.parametrize(
    ("ways", "launched", "trouble"),
    [
        ([FAILED, FINE], 2, ""),
        ([KILLED, FAILED, FINE], 3, ""),
        ([FAILED], 3, "it ended with status 1"),
        ([KILLED], 3, "a program that it was tried with ended with status -9"),
        ([NoConfinementError("there is no program bwrap")], 1, "there is no program bwrap"),
    ],
)
def test_a_level_is_held_not_to_work_when_every_trial_says_so(
    ways: list[LaunchError | str], launched: int, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One trial may have met what lasts a moment; what all three met is believed, and not tried any more."""
    level = Failing(*ways)
    monkeypatch.setitem(levels.LEVELS, "failing", lambda _: level)
    assert (levels.trouble_with("failing") or "", level.launched) == (trouble, launched)
    assert (levels.trouble_with("failing") or "", level.launched) == (trouble, launched)
    levels.trouble_with.cache_clear()


@pytest.mark.usefixtures("own_slots")
@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM])
def test_want_that_is_told_in_words_is_not_held_against_a_level(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is started with a sandbox ends for it with a message alone, and the level is there later."""
    level = Failing(LaunchError(f"bwrap: Creating new namespace failed: {os.strerror(number)}"), FINE)
    monkeypatch.setitem(levels.LEVELS, "failing", lambda _: level)
    with pytest.raises(LodgingError, match="no room to try failing"):
        levels.trouble_with("failing")
    assert levels.trouble_with("failing") is None
    levels.trouble_with.cache_clear()
