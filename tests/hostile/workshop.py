"""A build that would let others in, and a match of what it made, while another account of the host looks."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from tests.hostile.bots import kit
from tests.hostile.bots.kit import BREACH, CASES, DONE
from tests.hostile.harness import BOTS, MAIN, Site
from tests.hostile.stranger import CLOSED, Stranger
from workers.core.scratch import remove_tree
from workers.core.settings import get_settings
from workers.play.match import play_match
from workers.programs.archive_cache import ArchiveCache
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive
from workers.programs.builds import BuildCache
from workers.programs.runtimes.languages import LANGUAGES
from workers.sandbox.confinement import Confinement

SLEEP_SECONDS = 10**6 + os.getpid()
"""By which the sleep is known that the build ends with."""
LEAVE = f"""
import os, shutil, subprocess
from tests.hostile.bots.kit import note
from tests.hostile.bots.powers import leave_set_ids

leave_set_ids(".")
shutil.copyfile("play", "bot")
for path in ("opening-book", "bot", ".", "..", "../.."):
    for mode in (0o6777, 0o777):
        try:
            os.chmod(path, mode)
        except OSError as error:
            note(f"refused {{path}} {{mode:o}}: {{error}}")
note({DONE!r})
subprocess.run(["/bin/sh", "-c", "sleep {SLEEP_SECONDS}", os.path.abspath("bot"), os.getcwd()])
"""


class Stored(NamedTuple):
    """A folder that everybody may enter, a store of archives in it, and the bot that is there."""

    folder: Path
    store: ArchiveStore
    sha: str


def stored(place: Site) -> Stored:
    """The upload, where a workshop gets it; before the host is looked at, for a store needs descriptors."""
    folder = place.place / CLOSED
    folder.mkdir()
    folder.chmod(0o755)
    store = ArchiveStore((folder / "store").as_uri())
    return Stored(folder, store, store.put(canonical_archive("bot.zip", _upload(python()))))


def check_stranger(place: Site, bot: Stored, confinement: Confinement, stranger: Stranger) -> None:
    """See that the build makes no set-id files, and that the stranger sees nothing of it and of its bots.

    Raises:
        AssertionError: not so.
    """
    cache = ArchiveCache(bot.store, bot.folder / "cache")
    workshop = BuildCache(cache, bot.folder / "builds", lambda: confinement, tuple(python()))
    with pytest.MonkeyPatch.context() as patch:
        build = f"{shlex.join(python())} leave.py"
        patch.setitem(LANGUAGES, "c", replace(LANGUAGES["c"], build=build, probes=(("uname", "-m"),)))
        with _woken_when_seen(stranger):
            built = workshop.build(bot.sha)
        case = CASES["honest.honest"]
        result = play_match(place.spec(case), (built.program, built.program), confinement=confinement)
    seen, reached = stranger.told()
    remove_tree(bot.folder)
    said = built.said.head + built.said.tail
    assert BREACH not in said, [line for line in said.splitlines() if BREACH in line]
    assert DONE in said, said
    assert result.forfeits == (), result.forfeits
    assert not reached, sorted(reached)
    assert {Path(path).name for path in seen} >= {"bot", "work"}, seen


@contextlib.contextmanager
def _woken_when_seen(stranger: Stranger) -> Iterator[None]:
    """Within the block the build's sleep is ended once the stranger has seen what is made, and where."""
    over = threading.Event()

    def wake() -> None:
        stranger.await_seen("bot", "work")
        while not over.wait(0.02):
            for process in psutil.process_iter(["cmdline"]):
                if process.info["cmdline"] == ["sleep", str(SLEEP_SECONDS)]:
                    process.kill()

    waker = threading.Thread(target=wake)
    waker.start()
    try:
        yield
    finally:
        over.set()
        waker.join()


def python() -> list[str]:
    """What starts a bot in Python, and a build that is one."""
    return shlex.split(get_settings().bot_python)


def _upload(python: list[str]) -> bytes:
    """The build's program, what it needs, and a bot for it to make."""
    buffer = io.BytesIO()
    inside = "/".join(kit.__name__.split(".")[:-1])
    told = json.dumps({"pause_ms": 300})
    play = f"#!{python[0]}\nimport sys\nsys.argv[1:] = 'honest.honest', {told!r}\n{MAIN}"
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in {"main.c": "", "leave.py": LEAVE, "play": play, "opening-book": ""}.items():
            archive.writestr(name, text or name)
        for path in BOTS.glob("*.py"):
            archive.write(path, f"{inside}/{path.name}")
    return buffer.getvalue()
