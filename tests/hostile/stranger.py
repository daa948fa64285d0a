"""Another account of the host, which looks into whatever bots and builds are made of while they run."""

from __future__ import annotations

import contextlib
import os
import select
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from workers.sandbox.kernel import die_with, fork

UID = 61_900
"""Neither a user that bots run as nor one that plays."""
PAUSE_SECONDS = 0.02
CLOSED = "closed"
BARRIERS = ("arena-bots-", CLOSED)
"""How folders are named that others may see, and what is in there too, but go no further."""
OF_A_PROCESS = ("root", "cwd", "exe", "environ", "maps", "fd")


class Stranger:
    """A process of the user `UID`, started by root, that looks around until it is told to stop.

    It sees what `ps` shows to everybody: the arguments of all processes. Paths with one of `marks` in them
    are its business. Whoever has this object after a fork may ask it, under any user.
    """

    PATIENCE_SECONDS = 300

    def __init__(self, *marks: str) -> None:
        stopped, self._stop = os.pipe()
        self._answer, told = os.pipe()
        self._news, tell = os.pipe()
        parent = os.getpid()
        self._pid = fork()
        if self._pid == 0:
            with contextlib.suppress(BaseException):
                os.close(self._stop)  # or it would wait for itself in the end
                os.setgroups([])
                os.setresgid(UID, UID, UID)
                os.setresuid(UID, UID, UID)
                die_with(parent)
                lines = _look_around(marks, stopped, tell)
                with open(told, "w") as file:  # noqa: PTH123  (a descriptor)
                    file.writelines(f"{line}\n" for line in sorted(lines))
                while os.read(stopped, 1):
                    pass
            os._exit(0)
        for end in (told, stopped, tell):
            os.close(end)

    def await_seen(self, *names: str) -> None:
        """Return when it has looked at paths that end with each of these names, or when it is in vain."""
        seen, until = b"", time.monotonic() + self.PATIENCE_SECONDS
        while not {name.encode() for name in names} <= set(seen.split(b"\0")):
            if not select.select([self._news], [], [], max(0.0, until - time.monotonic()))[0]:
                return
            if not (chunk := os.read(self._news, 65536)):
                return
            seen += chunk

    def told(self) -> tuple[set[str], set[str]]:
        """The paths that it has seen named, and what it could do that it must not; it looks no more."""
        os.write(self._stop, b"x")
        with open(self._answer, closefd=False) as file:
            lines = file.read().splitlines()
        seen = {line.removeprefix("seen ") for line in lines if line.startswith("seen ")}
        return seen, {line for line in lines if not line.startswith("seen ")}

    def close(self) -> None:
        """Wait for its end; for the process that started it."""
        for end in (self._stop, self._answer, self._news):
            os.close(end)
        os.waitpid(self._pid, 0)


def _look_around(marks: tuple[str, ...], stopped: int, tell: int) -> set[str]:
    """What it sees; the name of each path is told to `tell` too, with a NUL, once it has been looked at."""
    lines, told = set[str](), set[str]()
    while not select.select([stopped], [], [], PAUSE_SECONDS)[0]:
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
                paths = {word for word in words if word.startswith("/") and any(m in word for m in marks)}
                if paths and folder.stat().st_uid != UID:
                    lines.update(f"seen {path}" for path in paths)
                    lines.update(_reached_by_process(folder))
                    lines.update(line for path in paths for line in _reached(Path(path)))
                    os.write(tell, "".join(f"{Path(path).name}\0" for path in paths - told).encode())
                    told |= paths
    return lines


def _reached_by_process(folder: Path) -> Iterator[str]:
    """What of a process is open to it: its files, by way of `/proc`, its variables, its memory."""
    for name in OF_A_PROCESS:
        with contextlib.suppress(OSError):
            path = folder / name
            if name in {"environ", "maps"}:
                found: object = path.open("rb").read(1)
            else:
                found = list(path.iterdir()) if name == "fd" else path.readlink()
            if found:  # a process that has just ended keeps nothing back
                yield f"{name} of {(folder / 'cmdline').read_bytes()!r}"


def _reached(path: Path) -> Iterator[str]:
    """What of a path beyond a barrier can be looked at or into, or started for its owner's rights."""
    for place in (path, *path.parents):
        depth = next((n for n, part in enumerate(place.parts[::-1]) if part.startswith(BARRIERS)), 0)
        if depth == 0:
            continue
        with contextlib.suppress(OSError):
            list(place.iterdir())
            yield f"names in {place}"
        with contextlib.suppress(OSError):
            place.open("rb").close()
            yield f"contents of {place}"
        with contextlib.suppress(OSError):
            mode = place.stat().st_mode
            if depth > 1:
                yield f"the way to {place}"
            if mode & (stat.S_ISUID | stat.S_ISGID):
                yield f"rights of {place}: {mode:o}"
