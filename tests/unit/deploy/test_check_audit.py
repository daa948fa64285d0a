"""The audit of the dependencies fails by what is known, and by what could not be asked about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deploy.check_audit import main

GOOD = {"name": "good", "version": "1", "vulns": []}
BAD = {"name": "bad", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1", "3"]}]}
HOPELESS = {"name": "old", "version": "3", "vulns": [{"id": "CVE-2", "fix_versions": []}]}
SKIPPED = {"name": "private", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("dependencies", "strict", "lenient", "told"),
    [
        ([GOOD], 0, 0, ""),
        ([GOOD, BAD], 1, 1, "bad 2: CVE-1, mended in version 2.1 or 3\n"),
        ([HOPELESS], 1, 1, "old 3: CVE-2, mended in version (none)\n"),
        ([GOOD, SKIPPED], 1, 0, "about 1 of 2 dependencies: no network?\n"),
        ([BAD, SKIPPED], 1, 1, "CVE-1"),
        ([], 1, 0, "about any of the dependencies: no network?\n"),
        (None, 1, 0, "about any of the dependencies: no network?\n"),
    ],
)
def test_what_an_audit_comes_to(
    dependencies: list[dict[str, Any]] | None,
    *,
    strict: int,
    lenient: int,
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Known faults always fail; what nobody could be asked about does unless that is allowed."""
    file = tmp_path / "audit.json"
    if dependencies is not None:
        file.write_text(json.dumps({"dependencies": dependencies, "fixes": []}))
    assert main([str(file)]) == strict
    assert told in capsys.readouterr().err
    assert main([str(file), "--as-far-as-known"]) == lenient
    assert told in capsys.readouterr().err
