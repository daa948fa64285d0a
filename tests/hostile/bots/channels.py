"""Two bots of one owner in one match: the writer leaves a secret by every channel, the reader looks for it.

The writer moves first, and stays alive, frozen or not, while the reader looks. Both know all that an owner
could have told them, except for the secret: names, keys, and which files of the host they share.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.hostile.bots.kit import REFUSALS, attack, breach, given, note
from tests.hostile.bots.system import X86, call, call_number

KEY = 0x48_4F_53_54
NAME = "hostile-meeting-place"
FOLDERS = [".", "/", "/dev/mqueue", "/run", "/run/lock", "/var/lock", "/home", "/proc"]
TEMPORARY = ["/tmp", "/var/tmp", "/dev/shm"]  # noqa: S108  (where bots meet)
SHARED_FILES = ["/usr/bin/env", "/usr/bin", "/usr/lib", "/bin/sh", "/", "/usr", "/dev/null", "/dev/zero"]
BYTES = 64
IPC_CREAT = 0o1000
F_GETLK, F_SETLK, F_OFD_GETLK, F_OFD_SETLK = 5, 6, 36, 37
F_RDLCK, F_WRLCK, F_UNLCK = 0, 1, 2
USER_KEYRING = -4

FUTEX, FUTEX_WAIT, FUTEX_WAKE = ((202, 98)[not X86], 0, 1)
PAGE, WORDS, LISTEN_SECONDS = 4096, 8, 100
PAGE_OF = "/usr/bin/env"
"""A file of the host's that every bot can map."""

kept: list[object] = []
"""What the writer must not lose before the reader has looked."""
signalled: list[int] = []


def tried(what: str, deed: Callable[..., object], *arguments: object) -> object:
    """Do something that may well be refused; what it gave, or None."""
    try:
        value = deed(*arguments)
    except REFUSALS as error:
        note(f"refused {what}: {error!r:.120}")
        return None
    note(f"tried {what}: {value!r:.200}")
    return value


def shared_files() -> Iterator[tuple[str, int]]:
    """What both bots can open for reading, its name and descriptor."""
    for path in (*SHARED_FILES, *TEMPORARY, *given("shared")):
        with contextlib.suppress(OSError):
            yield path, os.open(path, os.O_RDONLY)


# --- the writer ----------------------------------------------------------------------------------------


@attack()
def writer() -> None:
    """Leaves its secret wherever it can."""
    secret = given("secret")
    for folder in (*FOLDERS, *TEMPORARY, *given("folders")):
        place = Path(folder) / NAME
        tried(f"file in {folder}", place.write_text, secret)
        tried(f"folder in {folder}", os.mkdir, f"{place}-{secret}")
        tried(f"socket in {folder}", offer, f"{place}.socket", secret)
        tried(f"pipe in {folder}", offer_pipe, f"{place}.pipe", secret)
    tried("abstract socket", offer, f"\0{NAME}", secret)
    tried("port", offer_port, secret)
    tried("name of a pair", name_a_pair)
    tried("shmget", leave_shared, secret)
    tried("msgget", leave_message, secret)
    tried("semget", call, "semget", KEY, 1, IPC_CREAT | 0o666)
    tried("mq_open", call, "mq_open", NAME.encode(), os.O_RDWR | os.O_CREAT, 0o666, 0)
    tried("add_key", call, "add_key", b"user", NAME.encode(), secret.encode(), len(secret), USER_KEYRING)
    tried("name of its process", Path("/proc/self/comm").write_text, secret[:15])
    tried("prctl", ctypes.CDLL(None).prctl, 15, secret[:15].encode(), 0, 0, 0)
    tried("a pipe full of it", lambda: os.write(kept_pipe()[1], secret.encode()))
    for path, descriptor in shared_files():
        kept.append(descriptor)
        tried(f"flock {path}", fcntl.flock, descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for how in (F_SETLK, F_OFD_SETLK):
            tried(f"lock {how} of {path}", fcntl.fcntl, descriptor, how, lock(F_RDLCK))
        tried(f"times of {path}", os.utime, path, (KEY, KEY))
        tried(f"mode of {path}", os.chmod, path, 0o701)
        tried(f"mark on {path}", os.setxattr, path, "user.hostile", secret.encode())
    for target in (-1, 0):
        tried(f"signals to {target}", signal_all, target)
    woken = tried("waking", lambda: sum(wake(word) for word in page_of_the_host()))
    if woken:
        breach("somebody was woken", woken)


def kept_pipe() -> tuple[int, int]:
    """A pipe that stays open."""
    pair = os.pipe()
    kept.append(pair)
    return pair


def lock(kind: int) -> bytes:
    """A lock on a whole file, as the kernel is told of it."""
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, 0, 0, 0)


def signal_all(target: int) -> None:
    """Signal all that can be reached; a handler keeps this bot alive."""
    signal.signal(signal.SIGUSR1, lambda *_: None)
    os.kill(target, signal.SIGUSR1)


def serve(listener: socket.socket, secret: str) -> None:
    """Tell everybody who calls."""
    kept.append(listener)
    while True:
        caller, _ = listener.accept()
        caller.sendall(secret.encode())
        caller.close()


def offer(address: str, secret: str) -> None:
    """Wait for callers at a socket of the host."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    threading.Thread(target=serve, args=(listener, secret), daemon=True).start()


def offer_port(secret: str) -> None:
    """Wait for callers at a port of the loopback."""
    listener = socket.create_server(("127.0.0.1", given("meeting_port")))
    threading.Thread(target=serve, args=(listener, secret), daemon=True).start()


def name_a_pair() -> None:
    """Give one end of a connected pair a name, which nobody else can then have."""
    pair = socket.socketpair()
    kept.append(pair)
    pair[0].bind(f"\0{NAME}-pair")


def offer_pipe(path: str, secret: str) -> None:
    """Leave a named pipe with the secret in it."""
    os.mkfifo(path)
    end = os.open(path, os.O_RDWR)
    os.write(end, secret.encode())
    kept.append(end)


def leave_shared(secret: str) -> None:
    """Leave the secret in System V memory."""
    number = call("shmget", KEY, 4096, IPC_CREAT | 0o666)
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    ctypes.memmove(libc.shmat(number, None, 0), secret.encode(), len(secret))


def leave_message(secret: str) -> None:
    """Leave the secret in a System V queue."""
    number = call("msgget", KEY, IPC_CREAT | 0o666)
    ctypes.CDLL(None).msgsnd(number, struct.pack("q", 1) + secret.encode(), len(secret), 0o4000)


# --- the reader ----------------------------------------------------------------------------------------


signal.signal(signal.SIGUSR1, lambda number, _: signalled.append(number))


@attack()
def reader() -> None:
    """Looks for what the writer left."""
    for folder in (*FOLDERS, *TEMPORARY, *given("folders")):
        place = Path(folder) / NAME
        tried(f"file in {folder}", place.read_text)
        tried(f"names in {folder}", names_in, folder)
        tried(f"socket in {folder}", ask, f"{place}.socket")
        tried(f"pipe in {folder}", ask_pipe, f"{place}.pipe")
    tried("abstract socket", ask, f"\0{NAME}")
    tried("port", ask_port)
    look_for_names()
    look_at_processes()
    look_at_files()
    if signalled:
        breach("the writer's signal", signalled)
    if any(woken):
        breach("the writer woke it", woken)


def names_in(folder: str) -> list[str]:
    """What is in a folder under the name on which both agreed."""
    return [name for name in os.listdir(folder) if NAME in name]  # noqa: PTH208


def look_for_names() -> None:
    """Look for what the kernel keeps under a name or a key."""
    try:
        name_a_pair()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            breach("the name of the writer's socket", error)
        note(f"refused the name of a pair: {error}")
    tried("shmget", look_at_shared)
    tried("msgget", look_for_message)
    if tried("semget", call, "semget", KEY, 1, 0) is not None:
        breach("the writer's semaphore")
    if tried("mq_open", call, "mq_open", NAME.encode(), os.O_RDONLY, 0, 0) is not None:
        breach("the writer's queue")
    if tried("request_key", call, "keyctl", 10, USER_KEYRING, b"user", NAME.encode(), 0) is not None:
        breach("the writer's key")


def look_at_files() -> None:
    """Look at the locks, times and marks of the files that both can read."""
    for path, descriptor in shared_files():
        look_at_locks(path, descriptor)
        if Path(path).stat().st_mtime == KEY:
            breach(f"the writer's time on {path}")
        tried(f"mark on {path}", os.getxattr, path, "user.hostile")


def look_at_locks(path: str, descriptor: int) -> None:
    """Whether somebody has locked a file of the host."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        breach(f"the writer's flock of {path}", error)
    except OSError as error:
        note(f"refused flock {path}: {error}")
    for how in (F_GETLK, F_OFD_GETLK):
        found = tried(f"lock {how} of {path}", fcntl.fcntl, descriptor, how, lock(F_WRLCK))
        if isinstance(found, bytes) and struct.unpack_from("h", found)[0] != F_UNLCK:
            breach(f"the writer's lock of {path}", found)


def ask(address: str) -> bytes:
    """What a socket of the host says."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(1)
        caller.connect(address)
        return caller.recv(BYTES)


def ask_port() -> bytes:
    """What a port of the loopback says."""
    with socket.create_connection(("127.0.0.1", given("meeting_port")), 1) as caller:
        return caller.recv(BYTES)


def ask_pipe(path: str) -> bytes:
    """What is in a named pipe."""
    return os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), BYTES)


def look_at_shared() -> bytes:
    """What is in the System V memory."""
    number = call("shmget", KEY, 4096, 0)
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    return ctypes.string_at(libc.shmat(number, None, 0), BYTES)


def look_for_message() -> bytes:
    """What is in the System V queue."""
    buffer = ctypes.create_string_buffer(BYTES + 8)
    if ctypes.CDLL(None).msgrcv(call("msgget", KEY, 0), buffer, BYTES, 0, 0o4000) < 0:
        raise OSError("no message")
    return buffer.raw


def look_at_processes() -> None:
    """Say what the names, arguments and open files of all other processes are."""
    found = tried("processes", os.listdir, "/proc")
    for name in found if isinstance(found, list) else ():
        if not name.isdigit() or int(name) == os.getpid():
            continue
        for part in ("comm", "cmdline", "environ"):
            tried(f"{part} of {name}", Path(f"/proc/{name}/{part}").read_bytes)
        numbers = tried(f"descriptors of {name}", os.listdir, f"/proc/{name}/fd")
        for number in numbers if isinstance(numbers, list) else ():
            tried(f"descriptor {number} of {name}", ask_pipe, f"/proc/{name}/fd/{number}")


# --- waiting on one page -------------------------------------------------------------------------------

woken = [0] * WORDS
"""Which of the words on a page of the host somebody has woken this bot for."""


def page_of_the_host() -> list[int]:
    """The addresses of a few words in a page of a program that every process maps."""
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    descriptor = os.open(PAGE_OF, os.O_RDONLY)
    page = libc.mmap(None, ctypes.c_size_t(PAGE), 1, 1, descriptor, ctypes.c_long(0))
    return [page + PAGE // WORDS * number for number in range(WORDS)]


def wake(word: int) -> int:
    """Wake one who waits at that address, whatever process it is; how many there were."""
    return call_number(FUTEX, word, FUTEX_WAKE, 1, 0, 0, 0)


def wait(number: int, word: int) -> None:
    """Wait until somebody wakes this thread."""
    value = ctypes.c_uint32.from_address(word).value
    while not woken[number]:
        with contextlib.suppress(OSError):
            call_number(FUTEX, word, FUTEX_WAIT, value, 0, 0, 0)
            woken[number] = 1


def listen() -> None:
    """Wait at all words, each in a thread of its own."""
    threading.stack_size(1 << 18)
    for number, word in enumerate(page_of_the_host()):
        threading.Thread(target=wait, args=(number, word), daemon=True).start()


@attack()
def caller() -> None:
    """Wakes whoever waits at the words that are ones in its secret, until each has been woken."""
    until = time.monotonic() + LISTEN_SECONDS
    left = [word for word, bit in zip(page_of_the_host(), given("secret"), strict=True) if bit == "1"]
    while left and time.monotonic() < until:
        left = [word for word in left if not wake(word)]
        time.sleep(0.01)


@attack()
def listener() -> None:
    """Says for which words it was woken."""
    until = time.monotonic() + LISTEN_SECONDS
    while not any(woken) and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.5)
    note(f"heard {''.join(map(str, woken))}")


if sys.argv[1:] and sys.argv[1] in {"channels.reader", "channels.listener"}:
    listen()  # before its first turn, so that it waits while the other thinks
