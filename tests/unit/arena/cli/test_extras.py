"""What to install for a command that lacks a module."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires

import pytest

from arena.cli import main
from arena.cli.shared import extras


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("numpy.linalg", "research"),
        ("celery", "worker"),
        ("kombu", "worker"),
        ("obstore", "s3"),
        ("psycopg.errors", "postgres"),
        ("fastapi", "server"),
        ("starlette", "server"),
        ("markdown_it", "server"),
        ("sse_starlette", "server"),
    ],
)
def test_the_smallest_extra_that_brings_it_is_named(module: str, extra: str) -> None:
    """By the distribution's own metadata, whatever a module is called in its distribution."""
    told = extras.lacking(ModuleNotFoundError(name=module))
    assert told is not None
    assert told.endswith(f"`pip install 'bot-arena[{extra}]'`")


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("arena.store", "server"),
        ("arena.web", "server"),
        ("arena.reproduction", "research"),
        ("arena.theory.rating.fit", "research"),
        ("engines.kernels.grundy", "research"),
        ("workers.host", "worker"),
    ],
)
def test_what_is_left_out_of_ours_has_an_extra(
    monkeypatch: pytest.MonkeyPatch, module: str, extra: str
) -> None:
    """Where the rest of our own is not installed, a room or module of it is missing for want of an extra."""

    def nowhere(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "version", nowhere)
    told = extras.lacking(ModuleNotFoundError(name=module))
    assert told is not None
    assert told.startswith(f"this needs {module}, which is not installed")
    assert told.endswith(f"`pip install 'bot-arena[{extra}]'`")


def test_a_package_without_one_of_its_modules_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is imported from such a package lacks the rest of ours; of a package of others it is a defect."""

    def nowhere(name: str) -> str:
        raise PackageNotFoundError(name)

    assert extras.lacking(ImportError("cannot import name", name="engines.kernels")) is None
    monkeypatch.setattr(extras, "version", nowhere)
    told = extras.lacking(ImportError("cannot import name", name="engines.kernels"))
    assert told is not None
    assert told.endswith("`pip install 'bot-arena[research]'`")
    assert extras.lacking(ImportError("cannot import name", name="numpy")) is None


@pytest.mark.parametrize(
    "module", ["arena.nowhere", "engines.nowhere", "workers.nowhere", "pydantic", "unknown", ""]
)
def test_what_no_extra_brings_is_a_defect(module: str) -> None:
    """No extra is suggested for a module that none of them brings."""
    assert extras.lacking(ModuleNotFoundError(name=module)) is None


def test_every_extra_is_known() -> None:
    """Those of the distribution that bring something, and no others."""
    named = {
        found[1] for line in requires("bot-arena") or () if (found := re.search(r"extra == '(\w+)'", line))
    }
    assert {*extras.EXTRAS} == named - {"all", "parquet"}


def test_a_command_says_it_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the exit code of wrong usage, and no traceback."""

    def build(_: object) -> None:
        raise ModuleNotFoundError(name="numba")

    monkeypatch.setattr("arena.cli.app.build", build)
    with pytest.raises(SystemExit) as ended:
        main(["solve"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("arena: this needs numba, which is not installed: add")
