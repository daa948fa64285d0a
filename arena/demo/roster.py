"""The teams of the demonstration and the bots that they hand in."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import bots
from bots.reference import REFERENCE
from bots.reference.pack import archive

GAME = "reversed_reversi"
EXAMPLES = Path(bots.__file__).parent / "examples"
REFERENCES = ("strong", "group8", "greedy", "random")


class Team(NamedTuple):
    """A team with its bot's file as it would upload it."""

    name: str
    bot: str
    filename: str
    data: bytes


def teams() -> list[Team]:
    """Reference bots as zips with the code that they need, examples as single files."""
    submissions = [(name, f"{name}.zip", archive(name)) for name in REFERENCES if name in REFERENCE] + [
        (path.stem.replace("_", "-"), path.name, path.read_bytes())
        for path in sorted(EXAMPLES.glob("[!_]*.py"))
    ]
    return [
        Team(f"team-{number}", bot, filename, data)
        for number, (bot, filename, data) in enumerate(submissions, start=1)
    ]
