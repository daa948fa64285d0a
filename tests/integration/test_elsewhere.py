"""What a student does on Windows, as far as that can be seen here: all that only POSIX has is taken away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.test_installed_where import ARENA

WITHOUT = """
import asyncio, concurrent.futures.process, ctypes, fcntl, getpass, http.server, multiprocessing.util, os
import selectors, shutil, signal, socket, ssl, subprocess, sys, tempfile, types, webbrowser
import zipfile

msvcrt, flock = types.ModuleType("msvcrt"), fcntl.flock
msvcrt.LK_NBLCK = fcntl.LOCK_EX | fcntl.LOCK_NB
msvcrt.locking = lambda descriptor, mode, count: flock(descriptor, mode)
sys.modules["msvcrt"] = msvcrt
for name in ("fcntl", "grp", "pwd", "pty", "resource", "termios", "tty", "uvloop"):
    sys.modules[name] = None
for module, names in {
    os: "chown fchown fork forkpty getegid geteuid getgid getloadavg getpgid getuid killpg mkfifo "
    "memfd_create pidfd_open posix_spawn sched_getaffinity sched_setaffinity setsid setuid statvfs uname "
    "wait4 O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK",
    signal: "SIGALRM SIGCONT SIGHUP SIGPIPE SIGQUIT SIGSTOP SIGUSR1 SIGUSR2 SIGXCPU SIGXFSZ alarm "
    "pthread_kill pthread_sigmask setitimer",
    __import__("select"): "epoll poll",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)

opened, open_it, close_it, shutil._use_fd_functions = {}, os.open, os.close, False

def remember(path, *rest, **more):
    descriptor = open_it(path, *rest, **more)
    opened[descriptor] = os.path.abspath(path)
    return descriptor

def forget(descriptor):
    opened.pop(descriptor, None)
    close_it(descriptor)

def unless_open(change):
    def changed(path, *rest, **more):
        if os.path.abspath(path) in opened.values():
            raise PermissionError(13, "it is open", path)
        return change(path, *rest, **more)
    return changed

os.open, os.close = remember, forget
for name in ("remove", "rename", "replace", "unlink"):
    setattr(os, name, unless_open(getattr(os, name)))
"""
"""Once the standard library has read what it needs, which on Windows is something else.

There what is open is neither renamed nor removed.
"""
BOT = """
from arena_bot import run


class First:
    def choose(self, request):
        return request.legal[0]


run(First())
"""
PLAY = ("match", "run", "--game", "heap_nim", "--param", "heaps=[1,2,3]", "-n", "2")


def run(folder: Path, words: tuple[str, ...], before: str = "") -> subprocess.CompletedProcess[str]:
    """The command line, in a process that has nothing of POSIX."""
    script = f"{WITHOUT}{before}\nfrom arena.cli import main\nmain({list(words)!r})"
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--help",), 0, "Submit bots"),
        (("auth", "status"), 4, "there is no token"),
        (("bot", "submit", "mine.py"), 0, "mine"),
        (("tournament", "list"), 0, ""),
        (("game", "rules", "heap_nim"), 0, "several heaps"),
        ((*PLAY, "@greedy", "@random", "--record", "games.jsonl"), 0, "@greedy"),
        ((*PLAY, "mine.py", "@random", "--unsafe"), 0, "mine"),
        ((*PLAY, "mine.py", "@random", "--unsafe", "--jobs", "2"), 0, "mine"),
        ((*PLAY, "mine.py", "@random"), 2, "bots are confined on Linux only"),
        (("bot", "check", "mine.py"), 1, "built and checked on Linux only"),
        (("bot", "new", "fresh", "--lang", "csharp"), 0, "begin with README.md"),
        (("bot", "test", "mine.py", "--game", "heap_nim", "--unsafe"), 0, "nothing has to be fixed"),
    ],
)
def test_a_student_s_commands(tmp_path: Path, words: tuple[str, ...], code: int, says: str) -> None:
    """They work, or say in one sentence what needs Linux."""
    (tmp_path / "mine.py").write_text(BOT)
    ran = run(tmp_path, words, ARENA if words[0] in {"bot", "tournament"} else "")
    assert ran.returncode == code, ran.stderr
    assert says in (ran.stderr if code else ran.stdout)
    assert "Traceback" not in ran.stderr


def test_a_recorded_game_is_shown_and_replayed(tmp_path: Path) -> None:
    """What was played there is read there, and a bot is asked the same again."""
    (tmp_path / "mine.py").write_text(BOT)
    played = run(tmp_path, (*PLAY, "mine.py", "@random", "--unsafe", "--record", "games.jsonl"))
    assert played.returncode == 0, played.stderr
    shown = run(tmp_path, ("match", "show", "games.jsonl#1"))
    assert (shown.returncode, "mine" in shown.stdout) == (0, True), shown.stderr
    again = run(tmp_path, ("match", "replay", "games.jsonl#1", "--to", "mine.py", "--unsafe"))
    assert (again.returncode, "Traceback" in again.stderr) == (0, False), again.stderr
