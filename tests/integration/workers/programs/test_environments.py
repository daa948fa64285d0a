"""Environments of Python bots: built from wheels without a network, and used where bots run."""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.reference import command
from tests.integration.workers.sandbox.conftest import RUNNERS, Ran, Runner, runner
from tests.integration.workers.workshops import Bench, bench, python_words
from tests.packages import Shelf, numpy_wheel, shelf, wheel
from workers.core.contract import BotRef, GameSpec, Limits, MatchSpec, TimeControl
from workers.core.errors import PackagesError, UnsupportedError
from workers.play.match import play_match
from workers.programs.environment_builds import MOST, read_list, remove
from workers.programs.environments import Environment, environments, find, offered, trouble_with
from workers.programs.runtimes.toolchains import PATH
from workers.sandbox.confinement import Confined, Program, Startable, as_program
from workers.sandbox.levels import ByTrust

__all__ = ["bench", "runner", "shelf"]

NUMPY_BOT = """
import numpy
from arena_bot import run

class Bot:
    name = "numeric"

    def choose(self, request):
        square = numpy.random.default_rng(len(request.legal)).random((64, 64))
        return request.legal[int(numpy.linalg.svd(square)[1][0]) % len(request.legal)]

run(Bot())
"""
HOSTILE = """
import os, sys
import tiny
print(tiny.WORD)
site = os.path.dirname(tiny.__file__)
ways = {
    "append": lambda: open(tiny.__file__, "a"),
    "make": lambda: open(os.path.join(site, "other.py"), "w"),
    "mode": lambda: os.chmod(tiny.__file__, 0o777),
    "remove": lambda: os.unlink(tiny.__file__),
    "rename": lambda: os.rename(tiny.__file__, tiny.__file__ + "2"),
    "link": lambda: os.symlink("/etc/passwd", os.path.join(site, "link.py")),
    "see": lambda: os.listdir(os.environ["PYTHONPATH"].replace("/mine/", "/theirs/").split(":")[-1]),
    "read": lambda: open(sys.argv[1]),
}
for name, way in ways.items():
    try:
        way()
    except OSError:
        continue
    print("could", name)
"""


def tiny(shelf: Shelf, version: str, word: str) -> None:
    """A package of one module."""
    wheel(shelf.wheels, "tiny", version, {"tiny.py": f"WORD = {word!r}\n"})


def used(runner: Runner, made: Environment, code: str, *arguments: str, limits: Limits | None = None) -> Ran:
    """What a program of that environment says."""
    words = (*python_words(), "-c", code, *arguments)
    return runner.command(Program(words, packages=made.site, reserve_mb=512), limits)


def test_an_environment_is_built_once_known_by_what_is_in_it_and_removed(shelf: Shelf) -> None:
    """The same packages are the same environment; others of its name stand beside it until removed."""
    tiny(shelf, "1.0", "one")
    tiny(shelf, "2.0", "two")
    first = shelf.build("small", "tiny==1.0")
    assert (first.packages, first.is_current, environments()) == (("tiny==1.0",), True, [first])
    assert shelf.build("small", "tiny==1.0") == first
    hashed = hashlib.sha256((shelf.wheels / "tiny-1.0-py3-none-any.whl").read_bytes()).hexdigest()
    assert shelf.build("other", f"tiny==1.0 \\\n  --hash=sha256:{hashed}").digest == first.digest
    second = shelf.build("small", "tiny==2.0")
    assert [(each.digest, each.is_current) for each in environments() if each.name == "small"] == [
        (second.digest, True),
        (first.digest, False),
    ]
    assert (find("small"), find("small", first.digest)) == (second, first)
    assert set(offered(ByTrust(), python_words())) == {each.word for each in environments()}
    assert remove("small", second.digest) == [second]
    assert find("small") == first
    assert {each.name for each in remove("small")} == {"small"}
    with pytest.raises(UnsupportedError, match="no environment small on this host; there are: other"):
        find("small")
    with pytest.raises(PackagesError, match="no environment small on this host; there are: other"):
        remove("small")


def test_pip_and_uv_make_the_same(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """What of a package tells how it came here is not looked at."""
    asked = subprocess.run([python_words()[0], "-m", "pip", "--version"], capture_output=True, check=False)
    if b"No module named pip" in asked.stderr:
        pytest.skip("the bots' interpreter has no pip")
    tiny(shelf, "1.0", "one")
    by_uv = shelf.build("uv", "tiny==1.0")
    monkeypatch.setenv("PATH", PATH)
    if shutil.which("uv") is not None:
        pytest.skip("uv is installed for all users")
    assert shelf.build("pip", "tiny==1.0").digest == by_uv.digest


@pytest.mark.parametrize("uv", [True, False])
def test_nothing_is_run_that_lies_where_one_is_built(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, uv: bool
) -> None:
    """A folder may have modules called as those that Python, pip or compiling the packages import."""
    tiny(shelf, "1.0", "one")
    for name in ("pip", "platform", "compileall", "json", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'a').write({name!r})\n")
    monkeypatch.chdir(tmp_path)
    if not uv:
        monkeypatch.setenv("PATH", PATH)
    with contextlib.suppress(*([] if uv else [PackagesError])):  # there need be no pip
        shelf.build("small", "tiny==1.0")
    assert not (tmp_path / "was-run").exists()


def test_what_else_lies_there_hides_no_environment(shelf: Shelf) -> None:
    """Files, links in a circle and what was never finished are passed over, and one more can be built."""
    tiny(shelf, "1.0", "one")
    made = shelf.build("small", "tiny==1.0")
    top = shelf.environments
    (top / "notes").write_text("a file called as an environment could be")
    (top / ".building-x" / "site").mkdir(parents=True)
    (top / "circle").symlink_to("circle")
    for name, about in (("half", None), ("torn", '{"python": "CPython 3.11"'), ("odd", "[" * 100_000)):
        (folder := top / name / made.digest / "site").mkdir(parents=True)
        if about is not None:
            (folder.parent / "environment.json").write_text(about)
    (top / "small" / ("f" * 16)).write_text("a file called as a digest")
    assert environments() == [made]
    (top / "small" / "current").unlink()
    (top / "small" / "current").symlink_to("current")
    assert [each.is_current for each in environments()] == [False]
    with pytest.raises(UnsupportedError, match="build it again"):
        find("small")
    assert shelf.build("small", "tiny==1.0").is_current
    with pytest.raises(PackagesError, match=r"cannot be kept in .* exists"):
        shelf.build("notes", "tiny==1.0")
    assert environments() == [made]


def test_a_folder_that_is_named_from_here_holds_environments(
    shelf: Shelf, environment: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are built, and found in the sandbox, where another folder is the working one."""
    monkeypatch.chdir(shelf.wheels.parent)
    environment(environments_dir="environments")
    tiny(shelf, "1.0", "one")
    assert shelf.build("small", "tiny==1.0").folder.is_absolute()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tiny", "does not say which version"),
        ("tiny>=1", "does not say which version"),
        ("tiny==1.*", "does not say which version"),
        ("tiny @ https://example.org/tiny.whl", "does not say which version"),
        ("--index-url=https://example.org", "does not say which version"),
        ("-e .", "does not say which version"),
        ("./tiny.whl", "does not say which version"),
        ("# nothing", "name the packages"),
    ],
)
def test_a_list_says_which_versions_and_nothing_else(line: str, message: str) -> None:
    """What could bring anything else than a wheel of an index or a folder is refused."""
    with pytest.raises(PackagesError, match=message):
        read_list([line])


def test_what_cannot_be_built_leaves_nothing(shelf: Shelf) -> None:
    """No such version, sources alone, another Python's wheel, a wrong hash, a module that does not start."""
    tiny(shelf, "1.0", "one")
    (shelf.wheels / "sources-1.0.tar.gz").write_bytes(b"no wheel")
    wheel(shelf.wheels, "foreign", "1.0", {"foreign.py": ""}, tag="cp27-cp27m-win32")
    wheel(shelf.wheels, "broken", "1.0", {"broken.py": "import surprise\n"})
    wheel(shelf.wheels, "greedy", "1.0", {"greedy.py": "block = bytearray(2**30)\n"})
    wrong = f"tiny==1.0 --hash=sha256:{'0' * 64}"
    for line in ("tiny==9", "sources==1.0", "foreign==1.0", wrong, "broken==1.0", "greedy==1.0"):
        with pytest.raises(PackagesError, match=r"only wheels are taken|cannot be imported where bots run"):
            shelf.build("small", line)
    with pytest.raises(PackagesError, match="is no name of an environment"):
        shelf.build("../small", "tiny==1.0")
    with pytest.raises(PackagesError, match="a condition that does not hold"):
        shelf.build("small", "tiny==1.0 ; python_version < '3'")
    assert environments() == []
    assert [path.name for path in shelf.environments.iterdir()] == [".lock"]


def test_a_host_has_few_environments(shelf: Shelf) -> None:
    """As each makes the queues more that a worker looks into."""
    tiny(shelf, "1.0", "one")
    for number in range(MOST):
        about = shelf.environments / f"e{number}" / f"{number:016x}"
        (about / "site").mkdir(parents=True)
        (about / "environment.json").write_text('{"python": "CPython 2.7", "packages": ["old==1"]}')
    with pytest.raises(PackagesError, match="environments on this host already"):
        shelf.build("small", "tiny==1.0")
    (about / "environment.json").write_text("[")
    assert len(environments()) == MOST - 1


def test_an_environment_of_another_python_is_not_offered(shelf: Shelf, bench: Bench) -> None:
    """What to do is said; a bot that needs it is not played here."""
    tiny(shelf, "1.0", "one")
    made = shelf.build("small", "tiny==1.0")
    made.folder.joinpath("environment.json").chmod(0o644)
    made.folder.joinpath("environment.json").write_text(
        '{"python": "CPython 2.7", "packages": ["tiny==1.0"]}'
    )
    old = find("small")
    assert "built for CPython 2.7" in str(trouble_with(old, ByTrust(), python_words()))
    assert offered(ByTrust(), python_words()) == {}
    with pytest.raises(UnsupportedError, match=r"arena env build small tiny==1\.0"):
        bench.workshop.program(_bot(bench, "import tiny"))


def _bot(bench: Bench, code: str, environment: str = "small") -> str:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("main.py", code)
        archive.writestr("bot.toml", f'environment = "{environment}"\n')
    return bench.put("bot.zip", buffer.getvalue())


def test_a_bot_changes_no_environment_and_sees_no_other(shelf: Shelf, runner: Runner) -> None:
    """At each level it imports its packages, and whatever it tries with the files is refused."""
    tiny(shelf, "1.0", "mine")
    tiny(shelf, "2.0", "theirs")
    mine, theirs = shelf.build("mine", "tiny==1.0"), shelf.build("theirs", "tiny==2.0")
    ran = used(runner, mine, HOSTILE, str(theirs.site / "tiny.py"))
    assert (ran.status, ran.out) == (0, "mine\n"), ran.err
    assert used(runner, theirs, "import tiny; print(tiny.WORD)").out == "theirs\n"
    assert sorted(path.name for path in mine.site.iterdir() if path.suffix == ".py") == ["tiny.py"]


def test_which_environment_a_bot_gets_is_said_with_its_work(shelf: Shelf, bench: Bench) -> None:
    """By its digest, else it is the current one; what it was is part of the tools' version."""
    tiny(shelf, "1.0", "one")
    tiny(shelf, "2.0", "two")
    first, second = shelf.build("small", "tiny==1.0"), shelf.build("small", "tiny==2.0")
    sha = _bot(bench, "import tiny")
    assert bench.workshop.program(sha).packages == second.site
    assert bench.workshop.program(sha, exactly={"small": first.digest}).packages == first.site
    assert f"tiny==2.0 ({second.digest})" in bench.workshop.build(sha).version
    with pytest.raises(UnsupportedError, match="not the one that is asked for"):
        bench.workshop.program(sha, exactly={"small": "0" * 16})
    with pytest.raises(UnsupportedError, match="no environment none"):
        bench.workshop.program(_bot(bench, "import tiny", "none"))


@pytest.mark.parametrize(
    "runner",
    [pytest.param(each, marks=[pytest.mark.long] * (each[0] != RUNNERS[0][0])) for each in RUNNERS],
    indirect=True,
    ids=str,
)
def test_numpy_computes_with_one_thread_at_each_level_and_plays_a_match(
    shelf: Shelf, runner: Runner, bench: Bench
) -> None:
    """Its compiled modules are loaded and its libraries start no threads, within 256 MiB."""
    made = shelf.build("numpy", numpy_wheel(shelf.wheels))
    code = (
        "import numpy, threading, os; a = numpy.ones((400, 400)); b = a @ a; print(int(b[0, 0]));"
        "print(*(os.environ[each] for each in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS')))"
    )
    ran = used(runner, made, code, limits=Limits(memory_mb=256, processes=1))
    assert (ran.status, ran.out) == (0, "400\n1 1\n"), ran.err
    program = bench.workshop.program(_bot(bench, NUMPY_BOT, "numpy"))
    spec = MatchSpec(
        match="1",
        game=GameSpec(name="reversed_reversi", params={"size": 4}),
        bots=(BotRef(name="numeric"), BotRef(name="random")),
        time=TimeControl(move_ms=600_000, startup_ms=600_000),
    )
    other = Program(command("random"), trusted=True)
    result = play_match(spec, (program, other), confinement=_Split(runner))
    assert (result.forfeits, result.seats[0].bot_name) == ((), "numeric")
    assert len(result.moves) > 4


class _Split:
    """Bots in that confinement, our own as they are."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        inner = ByTrust() if as_program(program).trusted else self._runner.confinement
        return inner.launch(program, limits, writable=writable)
