"""The cache of machine code: where it is, when it is used, and what it depends on."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from engines.kernels.jit import sources
from engines.stream import mix

ROOT = Path(__file__).parents[4]

ASKED = """
import warnings
from engines.kernels.arithmetic import U64, mix
warnings.simplefilter("error")
print(int(mix(U64(5))), sum(mix.stats.cache_hits.values()))
"""
"""Prints a number that a compiled function computes, and whether it was found in the cache."""


def asked(environment: Mapping[str, str]) -> list[int]:
    """What a new process prints that sees this environment beside the usual one."""
    seen = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=ROOT,
        env={**seen, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(word) for word in done.stdout.split()]


def test_a_kernel_is_compiled_once_and_then_read(tmp_path: Path) -> None:
    """The first process compiles and keeps the code where it is documented; the second finds it there."""
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    assert asked(environment) == [mix(5), 0]
    (folder,) = (tmp_path / "bot-arena").glob("kernels-*")
    kept = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")}
    assert kept
    assert asked(environment) == [mix(5), 1]
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")} == kept


def test_without_a_cache_it_works_all_the_same(tmp_path: Path) -> None:
    """Where nothing can be written, the code is compiled in every process."""
    (tmp_path / "file").touch()
    assert asked({"XDG_CACHE_HOME": str(tmp_path / "file")}) == [mix(5), 0]


def constants(path: Path) -> Iterator[Path]:
    """The files outside the kernels from which a kernel's file takes a number, by the names' capitals."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and any(alias.name.isupper() for alias in node.names):
            file = ROOT / f"{(node.module or '').replace('.', '/')}.py"
            if file.is_file():
                yield file


def test_what_is_compiled_in_names_the_cache() -> None:
    """Every file that a kernel takes a number from is among those whose change begins a new cache."""
    kernels = ROOT / "engines" / "kernels"
    taken = {file for path in kernels.glob("*.py") for file in constants(path)}
    assert ROOT / "engines" / "games" / "l_game.py" in taken
    assert taken <= {*sources()}
    assert {*kernels.glob("*.py")} <= {*sources()}
