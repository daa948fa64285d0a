"""An interpreter of a virtual environment as that of a bot."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.workers.sandbox.conftest import Runner, python
from workers.sandbox import staging
from workers.sandbox.confinement import Program
from workers.sandbox.staging import runnable

TELLS = "import inside, sys; print(inside.WORD, sys.prefix)"


@pytest.fixture
def virtual() -> Iterator[Path]:
    """A virtual environment of the bots' interpreter, with a module, in a folder that everybody may read."""
    folder = Path(tempfile.mkdtemp(prefix="arena-test-"))
    folder.chmod(0o755)
    made = folder / "virtual"
    subprocess.run([python()[0], "-m", "venv", "--without-pip", made], check=True)
    (site,) = made.glob("lib/python3.*/site-packages")
    (site / "inside.py").write_text("WORD = 'found'\n")
    yield made
    shutil.rmtree(folder)


def test_its_packages_are_found_at_each_level(runner: Runner, virtual: Path) -> None:
    """Through the links that its interpreter is; and no bot can add to them."""
    interpreter = str(virtual / "bin" / "python")
    ran = runner.command((interpreter, "-c", TELLS))
    assert (ran.status, ran.out) == (0, f"found {virtual}\n"), ran.err
    (site,) = virtual.glob("lib/python3.*/site-packages")
    adds = f"import pathlib; pathlib.Path({str(site)!r}, 'more.py').write_text('')"
    assert runner.command((interpreter, "-c", adds)).status != 0


def test_one_whose_base_is_reached_by_a_link_is_found(runner: Runner, virtual: Path) -> None:
    """As where an installer names a version without its last number."""
    base = virtual.parent / "base"
    base.symlink_to("/usr")
    told = virtual / "pyvenv.cfg"
    lines = told.read_text().splitlines()
    told.write_text(
        "".join(f"home = {base}/bin\n" if line.startswith("home") else f"{line}\n" for line in lines)
    )
    (virtual / "bin" / "python3").unlink()
    (virtual / "bin" / "python3").symlink_to(base / "bin" / Path(os.path.realpath(python()[0])).name)
    ran = runner.command((str(virtual / "bin" / "python3"), "-c", TELLS))
    assert (ran.status, ran.out) == (0, f"found {virtual}\n"), ran.err


def test_a_bot_that_poses_as_one_is_shown_nothing_of_the_host(runner: Runner, virtual: Path) -> None:
    """What a bot's own files call its base is not let into its sandbox."""
    base = virtual.parent / "closed"
    (base / "bin").mkdir(parents=True)
    (base / "word").write_text("secret")
    base.chmod(0o700)
    own = virtual.parent / "own"
    (own / "bin").mkdir(parents=True)
    shutil.copy("/bin/cat", own / "bin" / "bot")
    (own / "pyvenv.cfg").write_text(f"home = {base}/bin\n")
    ran = runner.command(Program((str(own / "bin" / "bot"), str(base / "word")), (own,)))
    assert (ran.status, ran.out) == (1, "")


@pytest.mark.parametrize("link", [False, True])
def test_a_base_is_shown_only_where_the_interpreter_is_installed(
    runner: Runner, virtual: Path, link: bool
) -> None:
    """What anybody can write beside a program, or beside a link to an interpreter, shows nothing else."""
    closed = virtual.parent / "closed"
    (closed / "bin").mkdir(parents=True)
    (closed / "word").write_text("secret")
    (virtual / "pyvenv.cfg").write_text(f"home = {closed}/bin\n")
    program = virtual / "bin" / "python"
    if link:  # as in somebody's own `bin`
        (closed / "bin" / "python").symlink_to(os.path.realpath(program))
    else:
        program.unlink()
        shutil.copy("/bin/cat", program)
    reads = f"print(open({str(closed / 'word')!r}).read())"
    ran = runner.command(
        Program((str(program), "-c", reads) if link else (str(program), str(closed / "word")))
    )
    assert (ran.status, ran.out) == (1, "")


def test_a_program_beside_somebody_s_file_is_shown_alone(runner: Runner, virtual: Path) -> None:
    """One that is no interpreter brings no folder, whatever lies in that."""
    program = virtual / "bin" / "reader"
    shutil.copy("/bin/cat", program)
    ran = runner.command(Program((str(program), str(virtual / "pyvenv.cfg"))))
    assert (ran.status, ran.out) == (1, "")


def test_another_environment_s_interpreter_is_not_replaced_by_the_bots(
    virtual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it is ours that others cannot run: its packages would not be there."""
    monkeypatch.setattr(staging, "_is_open", lambda _: False)
    (virtual / "bin" / "python").unlink()
    (virtual / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    command = (str(virtual / "bin" / "python"), "bot.py")
    assert runnable(command, 64_000) == command
    assert runnable((sys.executable, "bot.py"), 64_000) != (sys.executable, "bot.py")
