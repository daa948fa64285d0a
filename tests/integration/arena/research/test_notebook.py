"""The notebook of the documentation, from its first cell to its last."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[4] / "docs" / "research.ipynb"

pytest.importorskip("pandas", reason="the notebook shows data frames")
pytest.importorskip("gymnasium", reason="needs bot-arena[environments]")


@pytest.mark.long
def test_the_notebook_runs(tmp_path: Path) -> None:
    """Its cells run one after another as in a kernel, and what they assert holds; it keeps no outputs."""
    cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    script = "\n\n".join("".join(cell["source"]) for cell in cells)
    environment = {"PATH": "", "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Worth(value='lost', plies=7)" in done.stdout
    assert (tmp_path / "plies.parquet").is_dir()
