"""Wheels that tests make, and a folder for environments that every user may read."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.integration.workers.workshops import python_words
from workers.programs.environment_builds import build, read_list
from workers.programs.environments import Environment
from workers.programs.runtimes.toolchains import PATH
from workers.sandbox.levels import ByTrust

UV = Path(__file__).parents[1] / ".uv" / "bin"
"""Where `make setup` has put uv."""


def wheel(folder: Path, name: str, version: str, files: dict[str, str], *, tag: str = "py3-none-any") -> Path:
    """A wheel with these files; its list of them is empty, as installers do not ask for more."""
    info = f"{name}-{version}.dist-info"
    told = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    names = [*files, *told, f"{info}/RECORD"]
    path = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inside, text in (
            files | told | {f"{info}/RECORD": "".join(f"{each},,\n" for each in names)}
        ).items():
            archive.writestr(inside, text)
    return path


def numpy_wheel(folder: Path) -> str:
    """A wheel made of the NumPy that these tests run with; the line of a list that names it.

    Skips the test where bots' interpreter is another Python than ours, which this NumPy was not built for.
    """
    told = subprocess.run(
        [*python_words(), "-c", "import sys; print(sys.implementation.cache_tag)"],
        capture_output=True,
        text=True,
        check=True,
    )
    if (theirs := told.stdout.strip()) != sys.implementation.cache_tag:
        pytest.skip(f"this NumPy is for {sys.implementation.cache_tag}, and bots are run by {theirs}")
    found = importlib.metadata.distribution("numpy")
    tags = [
        line.split()[1] for line in (found.read_text("WHEEL") or "").splitlines() if line.startswith("Tag")
    ]
    with zipfile.ZipFile(folder / f"numpy-{found.version}-{tags[0]}.whl", "w") as archive:
        for file in found.files or ():
            inside, path = str(file), Path(str(found.locate_file(file)))
            if not inside.startswith("..") and path.is_file() and not inside.endswith(".pyc"):
                archive.write(path, inside)
    return f"numpy=={found.version}"


class Shelf(NamedTuple):
    """Where wheels and environments of a test are."""

    wheels: Path
    environments: Path

    def build(self, name: str, *lines: str) -> Environment:
        """Build an environment from the wheels here, as `arena env build` does."""
        return build(name, read_list(lines), wheels=self.wheels, python=python_words(), confinement=ByTrust())


@pytest.fixture
def shelf(environment: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """No wheel and no environment yet; what lays out wheels is found, or the test is skipped."""
    require_installer(monkeypatch)
    folder = Path(tempfile.mkdtemp(prefix="arena-test-"))
    folder.chmod(0o755)
    made = Shelf(folder / "wheels", folder / "environments")
    made.wheels.mkdir()
    environment(environments_dir=str(made.environments))
    yield made
    for path in folder.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


def require_installer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have uv found where `make setup` has put it."""
    monkeypatch.setenv("PATH", f"{UV}:{PATH}:{Path(sys.executable).parent}")
    if shutil.which("uv") is None:
        pytest.skip("`make setup` was not run: there is no uv")
