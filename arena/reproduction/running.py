"""Reproducing documents by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from importlib.metadata import version

from arena.reproduction.effort import Effort
from arena.reproduction.findings import Report, Section

DOCUMENTS = ("circle_nim", "l_game", "nim", "rhombic_chess", "reversed_reversi")
"""The documents by name, in the report's order."""

_MODULES = {"nim": "heap_nim"}

Counting = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Shows how far a piece of work is: called with its name and its steps, it gives what counts one."""


def reproduce(names: Sequence[str], effort: Effort, seed: int, jobs: int, counting: Counting) -> Report:
    """The report on these of `DOCUMENTS`. All but the times used depends on `effort` and `seed` alone."""
    sections = tuple(_section(name, effort, seed, jobs, counting) for name in names)
    return Report(sections, seed, asdict(effort), version("bot-arena"))


def _section(name: str, effort: Effort, seed: int, jobs: int, counting: Counting) -> Section:
    module = importlib.import_module(f"arena.reproduction.{_MODULES.get(name, name)}")
    with counting(name, module.steps(effort)) as advance:
        section: Section = module.reproduce(effort, seed, jobs, advance)
    return section
