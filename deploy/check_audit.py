"""Say what an audit of the dependencies found: `python -m deploy.check_audit FILE [--as-far-as-known]`.

`FILE` is what pip-audit wrote as JSON. Fails, naming them, when dependencies have known faults, and when the
public lists could not be asked about some; with `--as-far-as-known` only a line is printed about the latter.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LENIENT = "--as-far-as-known"


def faults(audit: Path) -> list[str]:
    """A line for each known fault of a dependency."""
    return [
        f"{each['name']} {each['version']}: {fault['id']}, mended in version {_mended(fault)}"
        for each in _dependencies(audit)
        for fault in each.get("vulns", ())
    ]


def _mended(fault: Mapping[str, Any]) -> str:
    return " or ".join(fault["fix_versions"]) or "(none)"


def unknown(audit: Path) -> str | None:
    """What could not be asked about; None where all was."""
    dependencies = _dependencies(audit)
    skipped = [each["name"] for each in dependencies if "skip_reason" in each]
    if dependencies and not skipped:
        return None
    of = f"{len(skipped)} of {len(dependencies)}" if dependencies else "any of the"
    return f"the public lists of known faults could not be asked about {of} dependencies: no network?"


def _dependencies(audit: Path) -> list[dict[str, Any]]:
    """What the audit says of each; nothing where it was broken off."""
    try:
        return list(json.loads(audit.read_text(encoding="utf-8"))["dependencies"])
    except (FileNotFoundError, ValueError):
        return []


def main(arguments: Sequence[str]) -> int:
    """Print what was found; 1 if anything must be done, else 0."""
    audit = Path(arguments[0])
    found, gap = faults(audit), unknown(audit)
    for line in [*found, *([gap] if gap else [])]:
        print(line, file=sys.stderr)  # noqa: T201  (this is a command)
    return 1 if found or (gap and LENIENT not in arguments) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
