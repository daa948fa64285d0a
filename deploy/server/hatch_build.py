"""Puts into this wheel what the other one leaves out: the rooms that take more than a student installs.

They are named once, where they are left out, in the `pyproject.toml` of the whole.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WHOLE = Path(__file__).parents[2]


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling is there only while it builds
    """Fetches the rooms from the packages that both wheels share."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have the wheel carry them; where the packages are read in their place, they are whole."""
        if version != "editable":
            build_data["force_include"] |= {
                str(path): path.relative_to(WHOLE).as_posix() for path in left_out(WHOLE)
            }


def left_out(whole: Path) -> list[Path]:
    """The folders and modules that the wheel of the whole leaves to this one.

    Raises:
        ValueError: one of the patterns that name them fits nothing.
    """
    told = tomllib.loads((whole / "pyproject.toml").read_text(encoding="utf-8"))
    found = []
    for pattern in told["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]:
        if not (fitting := [path for path in whole.glob(pattern[1:]) if path.name != "__pycache__"]):
            raise ValueError(f"there is nothing at {pattern}, which pyproject.toml leaves out")
        found += fitting
    return sorted(found)
