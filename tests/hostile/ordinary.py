"""From root to an ordinary user, who gets control groups of its own, and what is to be removed after it."""

from __future__ import annotations

import codecs
import os
import shutil
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from workers.sandbox.cgroups import find_host, remove_group


def as_user(uid: int, deed: Callable[[], int]) -> int:
    """Do something in a process of that user, and remove what it was given; the process's exit status."""
    for name in ("unicode_escape", "cp437"):  # a standard library in a home folder cannot be read afterwards
        codecs.lookup(name)
    own = Path(tempfile.mkdtemp(prefix="ah-user-"))
    own.chmod(0o711)
    os.chown(own, uid, uid)
    groups = [hierarchy.parent / f"arena-hostile-{os.getpid()}" for hierarchy in find_host().hierarchies]
    try:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = _become(uid, own, groups, deed)
            except BaseException:  # noqa: BLE001  (this copy of the process must not go on)
                traceback.print_exc()
            finally:
                os._exit(status)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        for group in groups:
            remove_group(group)
        shutil.rmtree(own, ignore_errors=True)


def _become(uid: int, own: Path, groups: list[Path], deed: Callable[[], int]) -> int:
    for group in groups:
        group.mkdir()
        for path in (group, group / "cgroup.procs"):
            os.chown(path, uid, uid)
        (group / "cgroup.procs").write_text(str(os.getpid()))
    find_host.cache_clear()
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    tempfile.tempdir = str(own)
    return deed()
