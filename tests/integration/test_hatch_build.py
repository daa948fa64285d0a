"""How what is written in C is compiled."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path
from types import ModuleType

import pytest

HOOK = "hatchling.builders.hooks.plugin.interface"
ROOT = Path(__file__).parents[2]
COMPILER = """
import sys
from pathlib import Path
words = sys.argv[1:]
Path(words[words.index("-o") + 1]).write_text("\\n".join(words))
"""


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build, for which the program that runs it need not be there."""
    interface = ModuleType(HOOK)
    interface.BuildHookInterface = object  # type: ignore[attr-defined]  # it stands for that one
    monkeypatch.setitem(sys.modules, HOOK, interface)
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_mathematics_are_linked_after_what_needs_them(
    build: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A linker that drops libraries which nothing before them needs keeps this one."""
    script = tmp_path / "compiler.py"
    script.write_text(COMPILER)
    monkeypatch.setenv("CC", shlex.join([sys.executable, str(script)]))
    source = tmp_path / "module.c"
    made = build.compiled(source)
    assert made is not None
    words = made.read_text().split("\n")
    assert words.index("-lm") > words.index(str(source))
