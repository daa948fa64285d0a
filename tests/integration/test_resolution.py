"""What is declared can be installed on every Python that is promised, from wheels alone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14", "3.15"])
def test_all_extras_are_found_as_wheels(python: str) -> None:
    """Everything is resolved without building; the Dutch system's package where it has wheels."""
    uv = shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
    asked = ("--all-extras", "--only-binary", ":all:", "--python-version", python)
    platform = ("--python-platform", "x86_64-manylinux_2_28")
    command = (uv, "pip", "compile", "--quiet", *asked, *platform, "pyproject.toml")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ("py4swiss==" in done.stdout) == (python != "3.15")
