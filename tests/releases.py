"""The last release of this project, built from its history as its users build it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OWN = ("UV_PROJECT", "VIRTUAL_ENV", "PYTHON", "MAKE", "MFLAGS")
"""What variables begin with that say something of this environment, which the other does not share."""


def last_release() -> str:
    """The commit of the newest tag; where the history came without tags, what gave the project its version.

    Skips the test where there is no history.
    """
    tag = _git("describe", "--tags", "--abbrev=0", "--match", "v*")
    if tag.returncode == 0:
        return tag.stdout.strip()
    return _git("log", "-1", "--format=%H", "-G", "^version = ", "--", "pyproject.toml").stdout.strip()


def build(commit: str, folder: Path) -> Path:
    """Unpack a commit into `folder` and set it up there; returns the folder of its programs."""
    archive = folder.with_suffix(".tar")
    done = _git("archive", "--output", str(archive), commit)
    assert done.returncode == 0, done.stderr
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    archive.unlink()
    environment = {key: value for key, value in os.environ.items() if not key.startswith(OWN)}
    make = shutil.which("make")
    assert make is not None
    done = subprocess.run(
        [make, "setup"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / ".venv" / "bin"


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("the last release is built from git's history, and there is none here")
    ours = ("-c", "safe.directory=*")  # whoever's the checkout is
    return subprocess.run([git, *ours, *words], cwd=ROOT, capture_output=True, text=True, check=False)
