"""Which paths a bot sees, and copies for it of those that its user cannot read."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import stat
import sys
from pathlib import Path
from typing import NamedTuple

from workers.core.errors import LaunchError
from workers.core.settings import get_settings
from workers.sandbox.confinement import Command
from workers.sandbox.environment import SDK

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
"""Programs and libraries of the system, which every bot may read."""

SYSTEM_FILES = tuple(map(Path, ("/etc/ld.so.cache", "/etc/alternatives")))
OTHERS = tuple(map(Path, ("/proc", "/sys", "/dev")))
MAX_BYTES = 64 * 1024 * 1024
VIRTUAL = "pyvenv.cfg"
"""What a virtual environment of Python is known by."""


class View(NamedTuple):
    """A path that the bot is to see, and where what it finds there is kept."""

    path: Path
    source: Path


def views(paths: tuple[Path, ...], uid: int | None, folder: Path, packages: Path | None = None) -> list[View]:
    """What a program sees besides the system: `paths`, of which the first is its executable, and `packages`.

    An interpreter brings what is around it, also by its own word; not so an executable among the other paths,
    as these are a bot's, which could name any folder of the host.

    What `uid` (None: our user) cannot read is copied to `folder`, but for the packages, which are too large.

    Raises:
        LaunchError: the program is not there, or a path cannot be shown.
    """
    shown: list[View] = []
    executable, *own = paths
    is_own = any(map(_existing(executable).is_relative_to, (path.resolve() for path in own)))
    wanted = dict.fromkeys((*([executable] if is_own else _of_interpreter(executable)), *own, SDK))
    for path in wanted:
        if any(path.is_relative_to(system) for system in (*SYSTEM, *OTHERS)):
            continue
        if not wanted.keys().isdisjoint(path.parents):  # so a program stays beside the files of its folder
            continue
        if len(path.parts) < 3:
            raise LaunchError(f"{path} is too much of the host to show to a bot; put its files in a folder")
        shown.append(View(path, _source(path.resolve(), uid, folder / str(len(shown)))))
    if packages is not None:
        if uid is not None and not is_reachable(packages):
            raise LaunchError(
                f"the users that bots run as do not get to the packages in {packages}; open the folders above"
                " to everybody, or have them elsewhere (ARENA_ENVIRONMENTS_DIR)"
            )
        shown.append(View(packages, packages.resolve()))
    return shown


def runnable(command: Command, uid: int | None) -> Command:
    """`command`, with the interpreter of bots in place of our own where `uid` cannot run ours."""
    own = os.path.realpath(sys.executable)
    if uid is None or os.path.realpath(command[0]) != own:
        return command
    another = _virtual(Path(command[0])) not in {None, _virtual(Path(sys.executable))}
    if another or _is_open(Path(own)):
        return command
    return (*shlex.split(get_settings().bot_python), *command[1:])


def moved(command: Command, seen: list[View]) -> Command:
    """`command` for where nothing can be shown at another path than its own."""

    def translated(word: str) -> str:
        for view in seen:
            if word.startswith("/") and Path(word).is_relative_to(view.path):
                return str(view.source / Path(word).relative_to(view.path))
        return word

    return tuple(map(translated, command))


def _of_interpreter(executable: Path) -> list[Path]:
    """The program itself, and what an interpreter outside of the system's folders needs around it.

    That of a virtual environment needs the environment, and the interpreter that this was made of also by the
    path that is written there, which may lead through links.
    """
    real = _existing(executable)
    if (prefix := _prefix(real)) is None:
        return [executable, real]
    virtual = _virtual(executable)
    return [executable, real, prefix, *([virtual, *_base_of(virtual, prefix)] if virtual else [])]


def _existing(executable: Path) -> Path:
    real = Path(os.path.realpath(executable))
    if not os.access(real, os.X_OK) or not real.is_file():
        raise LaunchError(f"cannot start {executable}: there is no such program")
    return real


def _prefix(real: Path) -> Path | None:
    """Where an interpreter is installed; None of a program that is none."""
    prefix = real.parent.parent
    return prefix if (prefix / "lib" / real.name).is_dir() else None


def _virtual(executable: Path) -> Path | None:
    """The virtual environment whose interpreter that is: a link in it, to one that is installed elsewhere.

    Beside any other program the file that says so may be anybody's.
    """
    folder, real = executable.parent.parent, Path(os.path.realpath(executable))
    if not (folder / VIRTUAL).is_file() or real.is_relative_to(folder.resolve()):
        return None
    return None if _prefix(real) is None else folder


def _base_of(virtual: Path, prefix: Path) -> list[Path]:
    """What a virtual environment calls the place of its interpreter, if that is the same folder as `prefix`.

    Whoever wrote the environment could name any folder of the host.
    """
    with contextlib.suppress(OSError, ValueError):  # it cannot be read, or has what no path has
        for line in (virtual / VIRTUAL).read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition("=")
            base = Path(value.strip()).parent
            if name.strip() == "home" and base.is_absolute() and base.resolve() == prefix:
                return [base]
    return []


def _source(path: Path, uid: int | None, copy: Path) -> Path:
    if uid is None or any(map(path.is_relative_to, SYSTEM)) or _is_open(path):
        return path
    if sum(file.lstat().st_size for file in _files(path)) > MAX_BYTES:
        raise LaunchError(
            f"{path} cannot be read by the users that bots run as, and is too big to be copied for them; "
            "make it and the folders above it readable for everybody, or name another with ARENA_BOT_PYTHON"
        )
    _copy(path, copy)
    return copy


def _is_open(path: Path) -> bool:
    """Whether everybody can read a path and all below it."""
    return is_reachable(path) and _all_readable(path)


def is_reachable(path: Path) -> bool:
    """Whether everybody gets to a path."""
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.resolve().parents)


def _all_readable(top: Path) -> bool:
    mode = top.stat().st_mode
    if not stat.S_ISDIR(mode):
        return bool(mode & stat.S_IROTH)
    if not mode & stat.S_IROTH or not mode & stat.S_IXOTH:
        return False
    return all(path.is_symlink() or _all_readable(path) for path in top.iterdir())


def _files(top: Path) -> list[Path]:
    return [top] if top.is_file() else [path for path in top.rglob("*") if path.is_file()]


def _copy(source: Path, target: Path) -> None:
    """Copy files, folders and links, as links; nothing else can be in a bot's folder to any use."""
    if source.is_symlink():
        target.symlink_to(source.readlink())
    elif source.is_dir():
        target.mkdir()
        for path in source.iterdir():
            _copy(path, target / path.name)
        target.chmod(0o755)
    elif source.is_file():
        shutil.copyfile(source, target)
        target.chmod(0o755 if source.stat().st_mode & stat.S_IXUSR else 0o644)
