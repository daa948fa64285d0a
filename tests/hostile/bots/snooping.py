"""Bots that look for what is not theirs."""

from __future__ import annotations

import fcntl
import os
import pwd
from collections.abc import Iterator
from pathlib import Path

from tests.hostile.bots.kit import attack, breach, given, note, refused

FOLDERS_OF_OTHERS = ("/root", "/home", "/var", "/var/lib", "/var/log", "/var/cache", "/srv", "/mnt", "/boot")
FILES_OF_OTHERS = (
    "/etc/shadow",
    "/etc/passwd",
    "/etc/hosts",
    "/etc/hostname",
    "/etc/machine-id",
    "/proc/1/environ",
    "/proc/1/cmdline",
    "/proc/1/maps",
    "/proc/kcore",
    "/proc/kallsyms",
    "/proc/sys/kernel/core_pattern",
    "/proc/sysvipc/shm",
    "/proc/net/unix",
    "/proc/net/tcp",
    "/proc/mounts",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/fs/cgroup/cgroup.procs",
    "/dev/mem",
    "/dev/kmsg",
    "/dev/sda",
    "/dev/vda",
    "/dev/fuse",
    "/dev/kvm",
    "/dev/ptmx",
    "/dev/tty",
)
TOLD = {"PATH", "LANG", "LC_CTYPE", "HOME", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_"}
THREADS = "_NUM_THREADS", "_MAXIMUM_THREADS"
"""What numerical libraries are told ends so, and is 1."""
SECRET = "SECRET"


def content(path: object) -> bytes:
    """The beginning of a file; nothing in it is as good as a refusal."""
    data = Path(str(path)).read_bytes() if not Path(str(path)).is_char_device() else _device(path)
    if not data:
        raise OSError("nothing in it")
    return data[:100]


def _device(path: object) -> bytes:
    descriptor = os.open(str(path), os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    os.close(descriptor)
    return b"could be opened"


def entries(folder: object) -> list[str]:
    """What is in a folder; nothing in it is as good as a refusal."""
    found = sorted(os.listdir(str(folder)))  # noqa: PTH208  (names)
    if not found:
        raise OSError("nothing in it")
    return found


@attack()
def environment() -> None:
    """Looks for variables that are nobody's business."""
    for name, value in os.environ.items():
        is_of_threads = name.endswith(THREADS) and value == "1"
        if name not in TOLD and not name.startswith("PYTHON") and not is_of_threads:
            breach("a variable", name)
        if SECRET in value:
            breach("a secret variable", name)
    note("looked through the environment")


@attack()
def open_descriptors() -> None:
    """Looks for files that were open when it was born."""
    for number in range(3, 4096):
        refused(f"descriptor {number}", fcntl.fcntl, number, fcntl.F_GETFD) if number < 64 else quietly(
            number
        )


def quietly(number: int) -> None:
    """Try one of many descriptors, without a word if it is closed."""
    try:
        fcntl.fcntl(number, fcntl.F_GETFD)
    except OSError:
        return
    breach(f"descriptor {number}")


@attack()
def own_pipes() -> None:
    """Reads from its stdout, writes to its stdin."""
    refused("reading what it wrote", os.read, 1, 1)
    refused("writing what it will read", os.write, 0, b"x")


@attack()
def files_of_others() -> None:
    """Reads what belongs to the host."""
    for path in FILES_OF_OTHERS:
        refused(path, content, path)
    for path in FOLDERS_OF_OTHERS:
        refused(path, entries, path)


@attack()
def told_secrets() -> None:
    """Reads files that others left readable to all: the worker's, its opponent's, another bot's."""
    for path in given("secrets"):
        refused(path, content, path)
        refused(f"{path} through its root", content, f"/proc/self/root{path}")
        refused(f"{path} through a parent", content, f"/usr/../{path}")
        refused(f"the folder of {path}", entries, Path(path).parent)
    for path in given("secrets"):
        refused(f"{path} for writing", os.open, path, os.O_WRONLY)
        refused(f"{path} to remove", os.unlink, path)
        refused(f"{path} to move", os.rename, path, f"{path}.moved")
        refused(f"{path} to link", os.link, path, f"{path}.linked")
        refused(f"{path} to shorten", os.truncate, path, 0)
        refused(f"{path} to forbid", os.chmod, path, 0o777)
        refused(f"{path} to own", os.chown, path, os.getuid(), os.getgid())
        refused(f"{path} to touch", os.utime, path, (1, 1))
        refused(f"{path} to mark", os.setxattr, path, "user.hostile", b"x")


@attack()
def links_in_its_upload() -> None:
    """Follows links that came with its own files, and makes new ones."""
    own = Path(given("own"))
    for link in ("secret-link", "folder-link/passwd"):
        refused(link, content, own / link)
    refused("writing among its files", (own / "new").write_bytes, b"x")
    refused("changing itself", os.open, str(own / "main.py"), os.O_WRONLY)
    refused("removing itself", os.unlink, own / "main.py")
    refused("opening itself to all", os.chmod, own, 0o777)
    home = Path(os.environ.get("HOME", "/"))
    for path in given("secrets"):
        refused(f"a link to {path}", linked, home / "link", path)


def linked(link: Path, target: str) -> bytes:
    """What a link leads to."""
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    return content(link)


def others() -> Iterator[int]:
    """Numbers of processes that are none of its own family."""
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit() and int(name) not in {1, 2, os.getpid(), os.getppid()}:
            yield int(name)


@attack()
def processes_of_others() -> None:
    """Looks for other processes, and into them."""
    try:
        for pid in others():
            breach("another process", pid)
    except OSError as error:
        note(f"refused: {error}")
    for pid in (given("worker"), os.getppid(), 1):
        for name in ("environ", "cmdline", "maps", "mem", "status", "stat", "wchan", "fd", "root", "cwd"):
            path = f"/proc/{pid}/{name}"
            refused(path, (entries if name in {"fd", "root", "cwd"} else content), path)


@attack()
def names_of_users() -> None:
    """Looks for the people of this host."""
    refused("the name of its own user", named)


def named() -> str:
    """Its user's name, if there is a list of them."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError as error:
        raise OSError("nobody") from error


@attack()
def out_of_its_root() -> None:
    """Climbs up from where it is."""
    refused("chroot", os.chroot, ".")
    climbing = "../" * 40
    for path in ("root", "home", "var/lib", "etc/shadow"):
        refused(path, entries, climbing + path)
    for path in given("secrets"):
        refused(path, content, climbing + path.lstrip("/"))
