"""The check of the vendored files notices every way in which they can differ from their manifest."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from deploy.check_vendored import VENDOR, faults, main


@pytest.fixture
def vendor(tmp_path: Path) -> Path:
    """A copy of the vendored files."""
    return shutil.copytree(VENDOR, tmp_path / "vendor")


def test_the_vendored_files_are_as_listed() -> None:
    """The files of this checkout pass."""
    assert main() == 0


def test_a_changed_file(vendor: Path) -> None:
    """One added byte is noticed."""
    with (vendor / "pico" / "pico.min.css").open("ab") as file:
        file.write(b" ")
    (fault,) = faults(vendor)
    assert fault.startswith("pico/pico.min.css: changed")
    assert main(vendor) == 1


def test_a_missing_file(vendor: Path) -> None:
    """A listed file that is gone is noticed, a licence too."""
    (vendor / "pico" / "LICENSE.md").unlink()
    assert faults(vendor) == ["pico/LICENSE.md: listed in manifest.json but missing"]
    assert main(vendor) == 1


def test_an_unlisted_file(vendor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that the manifest does not know is noticed and named."""
    (vendor / "pico" / "extra.js").write_text("")
    assert main(vendor) == 1
    assert capsys.readouterr().err == "pico/extra.js: not listed in manifest.json\n"
