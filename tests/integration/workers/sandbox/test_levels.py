"""What a program can and cannot do at each level, and what the worker learns of it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.hostile.bots import channels, system
from tests.integration.workers.sandbox.conftest import SECONDS, Runner, python, said_on
from tests.waiting import eventually
from workers.core.contract import Limits
from workers.core.errors import LaunchError, LodgingError, NoConfinementError
from workers.core.scratch import remove_tree, work_folder
from workers.programs.runtimes.languages import PYTHON
from workers.programs.runtimes.toolchains import version_of
from workers.sandbox import levels, slots, tree
from workers.sandbox.bubblewrap import Bubblewrap
from workers.sandbox.cgroups import NO_CGROUPS
from workers.sandbox.confinement import Confined, Program, as_program
from workers.sandbox.environment import ONE_CORE
from workers.sandbox.levels import ByTrust, best_level, find_confinement
from workers.sandbox.process_group import ProcessGroup

ENDS = [("raise SystemExit(7)", 7), ("raise SystemExit(200)", 200), ("os.kill(os.getpid(), 11)", -11)]

DENIED = {
    "socket": "import socket; socket.socket(socket.AF_INET)",
    "unix": "import socket; socket.socket(socket.AF_UNIX)",
    "datagram pair": "import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "flock": "import fcntl; fcntl.flock(open(sys.executable), fcntl.LOCK_SH)",
    "lockf": "import fcntl; fcntl.lockf(open(sys.executable), fcntl.LOCK_SH)",
    "memfd": "os.memfd_create('x')",
    "affinity": "os.sched_setaffinity(0, {0})",
    "priority": "os.setpriority(os.PRIO_PROCESS, 0, 1)",
    "the host's passwords": "open('/etc/shadow')",
    "the host's users": "open('/etc/passwd')",
    "other processes": "open('/proc/1/cmdline')",
    "itself": "open('/proc/self/environ')",
    "a home": "os.listdir('/root')",
    "the temporary folder of others": "assert os.listdir('/tmp') == []; open('/var/tmp/x', 'w')",
    "the system's folder": "open('/usr/x', 'w')",
    "its own folder's parent": "open('/x', 'w')",
    "more of a file than allowed": "open('x', 'wb').write(bytes(2 << 20))",
    "the first process": "os.kill(1, 0) if os.getppid() != 1 else os.kill(os.getppid(), 64) or 1 / 0",
    "limits": "import resource; resource.prlimit(os.getppid(), resource.RLIMIT_CORE)",
}


@pytest.mark.parametrize(("code", "status"), ENDS)
def test_a_program_s_end_is_told(runner: Runner, code: str, status: int) -> None:
    """An exit status is itself, and a signal is its number with a minus."""
    assert runner.run(f"import os; {code}").status == status


@pytest.mark.parametrize("what", DENIED)
def test_what_a_bot_may_not(runner: Runner, what: str) -> None:
    """Each attempt fails in the bot, which lives on to say so."""
    code = f"import os, sys\ntry:\n    {DENIED[what]}\nexcept BaseException as error:\n    print('no', error)"
    ran = runner.run(code, Limits(file_mb=1))
    assert ran.status == 0, ran.err
    assert ran.out.startswith("no ")


def test_a_bot_inherits_three_descriptors_and_nothing_of_the_environment(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A descriptor that leaks on our side and a secret variable do not reach it."""
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    leak = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(leak, True)
    ran = runner.run(
        "import json, os\nheld = []\nfor number in range(300):\n    try:\n        os.fstat(number)\n"
        "        held.append(number)\n    except OSError: pass\n"
        "print(json.dumps([held, sorted(os.environ), os.getcwd() == os.environ['HOME'], os.listdir('.')]))"
    )
    os.close(leak)
    held, names, at_home, files = json.loads(ran.out)
    assert (held, at_home, files) == ([0, 1, 2], True, [])
    python_s = ["PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONPATH", "PYTHONUTF8"]
    assert names == sorted(["HOME", "LANG", "PATH", *python_s, "TMPDIR", *ONE_CORE])


def test_memory_is_bounded(runner: Runner) -> None:
    """A program that takes more than it may fails, or is killed where its memory is counted."""
    ran = runner.run("x = bytearray(300 << 20); print(len(x))", Limits(memory_mb=128))
    assert ran.out == ""
    assert ran.status in ({-9} if runner.counted else {1})


def test_memory_of_many_processes_is_bounded(runner: Runner) -> None:
    """Eight processes cannot have at once what one may not have: no more than fit live to the end."""
    code = (
        "import os\n"
        "wait, go = os.pipe()\n"
        "taken = []\n"
        "for _ in range(8):\n"
        "    told, tell = os.pipe()\n"
        "    if os.fork() == 0:\n"
        "        os.close(go)\n"
        "        x = bytearray(100 << 20); os.write(tell, b'x'); os.read(wait, 1)\n"
        "        print('kept', flush=True); os._exit(0)\n"
        "    os.close(tell)\n"
        "    taken.append(told)\n"
        "for told in taken: os.read(told, 1)\n"
        "os.close(go)\n"
        "for _ in range(8): os.wait()"
    )
    assert runner.run(code, Limits(memory_mb=256)).out.count("kept") < 3


def test_threads_are_allowed_and_bounded(runner: Runner) -> None:
    """A few threads work; hundreds do not start."""
    code = (
        "import threading, time\n"
        "count = 0\n"
        "try:\n"
        "    for _ in range(300):\n"
        "        threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); count += 1\n"
        "except RuntimeError: pass\n"
        "print(count, flush=True); import os; os._exit(0)"
    )
    assert 2 < int(runner.run(code, Limits(processes=16)).out) < 40


def test_a_closed_output_is_seen_while_the_program_runs(runner: Runner) -> None:
    """Nothing of the sandbox holds a bot's pipes open."""
    process = runner.launch("import os, time; os.close(1); time.sleep(600)")
    try:
        assert os.read(process.stdout, 10) == b""
        assert process.wait(0) is None
    finally:
        process.destroy()


def test_a_frozen_program_computes_nothing(runner: Runner) -> None:
    """While it is frozen its processor time stands still; thawed, it goes on; and it can be ended frozen."""
    process = runner.launch("print('on', flush=True)\nwhile True: pass")
    try:
        assert os.read(process.stdout, 10) == b"on\n"
        process.freeze()
        process.freeze()
        eventually(lambda: stands_still(process))
        before = process.cpu_ns()
        process.thaw()
        eventually(lambda: (process.cpu_ns() or 0) > (before or 0))
        assert process.peak_memory()
        process.freeze()
    finally:
        process.destroy()
    assert process.wait(0) == -9


def test_every_process_of_a_frozen_program_stands_still(runner: Runner) -> None:
    """Children and threads are frozen too, where a bot may have them."""
    if not runner.counted or not isinstance(runner.confinement, Bubblewrap):
        pytest.skip("a bot has one process at this level")
    process = runner.launch("import os\nos.fork()\nprint('on', flush=True)\nwhile True: pass")
    try:
        while os.read(process.stdout, 10).count(b"on") < 1:
            pass
        process.freeze()
        eventually(lambda: stands_still(process))
    finally:
        process.destroy()


def stands_still(process: Confined) -> bool:
    """Whether it uses no processor time for a while."""
    before = process.cpu_ns()
    time.sleep(0.3)
    return before is not None and process.cpu_ns() == before


WAITER = """
import threading, time
from tests.hostile.bots.channels import FUTEX, FUTEX_WAIT, PAGE, page_of_the_host
from tests.hostile.bots.system import call_number
import ctypes
def wait(word):
    while True:
        try: call_number(FUTEX, word, FUTEX_WAIT, ctypes.c_uint32.from_address(word).value, 0, 0, 0)
        except OSError: pass
threading.stack_size(1 << 18)
for word in page_of_the_host(): threading.Thread(target=wait, args=(word,), daemon=True).start()
print("on", flush=True)
time.sleep(600)
"""


@pytest.mark.usefixtures("alone_at_a_page")
def test_a_frozen_bot_can_be_woken_by_nobody(runner: Runner, tmp_path: Path) -> None:
    """When `freeze` is over, no thread waits any more where another bot with the same page could wake it."""
    package = tmp_path / "bot" / "tests" / "hostile"
    shutil.copytree(Path(system.__file__).parent, package / "bots")
    main = tmp_path / "bot" / "main.py"
    main.write_text(WAITER)
    words = channels.page_of_the_host()
    process = runner.confinement.launch(Program((*python(), str(main)), (main.parent,)), Limits(processes=32))
    try:
        assert os.read(process.stdout, 3) == b"on\n", said_on(process.stderr)
        eventually(lambda: all(map(channels.wake, words)))
        for _ in range(20):
            time.sleep(0.01)
            process.freeze()
            woken = sum(map(channels.wake, words))
            process.thaw()
            assert woken == 0
        eventually(lambda: all(map(channels.wake, words)))
    finally:
        process.destroy()


def test_a_writable_folder_comes_back_as_ours(runner: Runner, tmp_path: Path) -> None:
    """A stand-in for a compiler starts processes and keeps files where it may; they are ours then."""
    work = work_folder()
    (work / "source").write_text("text")
    try:
        code = (
            "import os, subprocess\nassert open('source').read() == 'text'\n"
            "subprocess.run(['/bin/sh', '-c', 'mkdir -p a/b; echo made > a/b/result'], check=True)\n"
            "os.symlink('/etc/passwd', 'link')\n"
            f"try: open({str(tmp_path / 'x')!r}, 'w')\nexcept OSError: print('no')"
        )
        ran = runner.run(code, writable=work)
        assert (ran.status, ran.out) == (0, "no\n"), ran.err
        assert (work / "a/b/result").read_text() == "made\n"
        assert {path.lstat().st_uid for path in (work, *work.rglob("*"))} == {os.geteuid()}
        assert Path("/etc/passwd").stat().st_uid == 0
    finally:
        remove_tree(work.parent)


def test_no_mount_of_a_sandbox_gives_a_program_another_user(runner: Runner) -> None:
    """Every file system that a bot or a build finds in its namespace is mounted without set-id bits."""
    if not isinstance(runner.confinement, Bubblewrap):
        pytest.skip("this level has no mounts of its own")
    work = work_folder()
    process = runner.confinement.launch(
        (*python(), "-c", "print('on', flush=True); input()"), Limits(), writable=work
    )
    try:
        assert os.read(process.stdout, 3) == b"on\n", said_on(process.stderr)
        bot = max(tree.descendants(process.pid))
        mounts = [line.split() for line in Path(f"/proc/{bot}/mountinfo").read_text().splitlines()]
        assert str(work) in {words[4] for words in mounts}
        assert [words[4] for words in mounts if "nosuid" not in words[5].split(",")] == []
    finally:
        process.destroy()
        remove_tree(work.parent)


def test_a_folder_that_others_may_enter_is_not_given_to_a_program(runner: Runner, tmp_path: Path) -> None:
    """What a program may write to lies where only its user and we can get, whatever it does to its modes."""
    with pytest.raises(LaunchError, match="no folder of `work_folder`"):
        runner.run("", writable=tmp_path)
    work = work_folder()
    process = runner.confinement.launch((*python(), "-c", "input()"), Limits(), writable=work)
    try:
        assert work.parent.stat().st_mode & 0o777 in {0o700, 0o710}
        assert work.parent.stat().st_uid == os.geteuid()
        assert work.parent.stat().st_gid == work.stat().st_gid
    finally:
        process.destroy()
    assert work.parent.stat().st_mode & 0o777 == 0o700
    remove_tree(work.parent)


def test_its_own_files_are_shown_even_from_a_private_folder(runner: Runner, tmp_path: Path) -> None:
    """A folder that only we can read is shown read-only to the bot that it belongs to."""
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o700)
    (folder / "main.py").write_text("import other; print(other.WORD)\nopen(other.__file__, 'a')")
    (folder / "other.py").write_text("WORD = 'found'")
    (folder / "other.py").chmod(0o600)
    ran = runner.command((*python(), str(folder / "main.py")))
    assert ran.out == "found\n"
    assert "OSError" in ran.err or "PermissionError" in ran.err


@pytest.mark.parametrize("path", ["/", "/tmp", "/root"])  # noqa: S108  (refused)
def test_too_much_of_the_host_is_not_shown(runner: Runner, path: str) -> None:
    """A folder right below the root is no bot's."""
    with pytest.raises(LaunchError, match="too much"):
        runner.command(Program(python(), (Path(path),)))


def test_a_missing_program_is_our_error(runner: Runner) -> None:
    """Nothing is started, and the message names it."""
    with pytest.raises(LaunchError, match="/no/such/program"):
        runner.command(("/no/such/program",))


@pytest.mark.parametrize("content", [b"\x7fELF and no more", b"#!/no/such/interpreter\n", b"#!/etc/shadow\n"])
def test_a_file_that_is_no_program_is_its_author_s_error(
    runner: Runner, content: bytes, tmp_path: Path
) -> None:
    """It ends as a shell ends for it, and says why, at every level alike."""
    (program := tmp_path / "bot").write_bytes(content)
    program.chmod(0o755)
    ran = runner.command((str(program),))
    assert ran.status in {126, 127}
    assert ran.err


def test_untrusted_programs_are_refused_where_nothing_confines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a level that works only reference bots start; the message says what to do."""
    monkeypatch.setattr(levels, "trouble_with", lambda name: f"no {name} here")
    with pytest.raises(NoConfinementError, match=r"bubblewrap: no bubblewrap here.*doctor.*--unsafe"):
        best_level()
    with pytest.raises(NoConfinementError, match="no landlock here"):
        find_confinement("landlock")
    with pytest.raises(NoConfinementError):
        ByTrust().launch((*python(), "-c", "pass"), Limits())
    trusted = ByTrust().launch(Program((*python(), "-c", "pass"), trusted=True), Limits())
    assert trusted.wait(SECONDS) == 0
    trusted.destroy()
    assert isinstance(find_confinement("none"), ProcessGroup)


@pytest.mark.usefixtures("own_slots")
def test_what_says_nothing_of_a_level_is_not_held_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no bot could be started now none is confined in a weaker way, and later the level is there."""
    levels.trouble_with.cache_clear()
    before = best_level()
    levels.trouble_with.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(slots, "SLOTS", 0)
        for ask in (best_level, find_confinement, lambda: version_of(PYTHON, ByTrust(), python())):
            with pytest.raises(LodgingError, match="all 0 slots of this host are in use"):
                ask()
    with monkeypatch.context() as patch:
        patch.setattr(os, "pipe", _none_left)
        with pytest.raises(LodgingError, match=r"no room to try .* Too many open files"):
            best_level()
    with monkeypatch.context() as patch:
        patch.setattr(levels, "TRIAL", ("/bin/sh", "-c", "read never"))
        patch.setattr(levels, "TRIAL_SECONDS", 0.1)
        with pytest.raises(LodgingError, match=r"no room to try .* has not ended after 0.1 s"):
            best_level()
    assert best_level() == before


def _none_left() -> tuple[int, int]:
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))


def test_a_level_that_there_is_not_is_refused() -> None:
    """The message lists those that there are."""
    with pytest.raises(NoConfinementError, match="bubblewrap, landlock, none"):
        find_confinement("chroot")


def test_only_reference_bots_are_trusted(tmp_path: Path) -> None:
    """A command is trusted if it starts one of ours; what it names by path it may read."""
    (tmp_path / "main.py").touch()
    (tmp_path / "book.bin").touch()
    assert as_program((sys.executable, "-m", "bots.reference.greedy")).trusted
    typed = as_program(
        ("/usr/bin/python3", str(tmp_path / "main.py"), str(tmp_path / "book.bin"), "/no/where")
    )
    assert not typed.trusted
    assert typed.readable == (tmp_path, tmp_path / "book.bin")


def test_a_landlock_without_rules_for_truncation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under it a bot could empty files of its worker's user, whose modes allow that."""
    monkeypatch.setattr("workers.sandbox.rules.version", lambda: 2)
    with pytest.raises(LaunchError, match=r"version 3 \(Linux 6\.2\)"):
        levels.LEVELS["landlock"](NO_CGROUPS).launch(("/bin/true",), Limits())
