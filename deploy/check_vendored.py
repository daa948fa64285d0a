"""Compare the vendored files of the pages with their manifest: `python -m deploy.check_vendored`.

Fails, naming the file, when one is changed, missing, or there without being listed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

VENDOR = Path(__file__).parents[1] / "arena" / "web" / "pages" / "static" / "vendor"
MANIFEST = "manifest.json"


def faults(folder: Path) -> list[str]:
    """What is wrong with the vendored files in `folder`, a line a file; empty when all is well."""
    listed = _listed(folder)
    there = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }
    found = [f"{name}: listed in {MANIFEST} but missing" for name in sorted(listed.keys() - there)]
    found += [f"{name}: not listed in {MANIFEST}" for name in sorted(there - listed.keys())]
    for name in sorted(there & listed.keys()):
        actual = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if actual != listed[name]:
            found.append(f"{name}: changed; its SHA-256 is {actual}, not {listed[name]}")
    return found


def _listed(folder: Path) -> dict[str, str]:
    """The SHA-256 by file name, over all packages of the manifest."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return {
        name: file["sha256"]
        for package in manifest["packages"].values()
        for name, file in package["files"].items()
    }


def main(folder: Path = VENDOR) -> int:
    """Print the faults; 1 if there are any, else 0."""
    found = faults(folder)
    for line in found:
        print(line, file=sys.stderr)  # noqa: T201  (this is a command)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
