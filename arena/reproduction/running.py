"""Reproducing documents by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from importlib.metadata import version

from arena.reproduction.effort import Effort
from arena.reproduction.findings import Report, Section
from arena.reproduction.record_sets import Where

_MODULES = {"nim": "heap_nim"}

Counting = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Shows how far a piece of work is: called with its name and its steps, it gives what counts one."""


def reproduce(names: Sequence[str], effort: Effort, where: Where, counting: Counting) -> Report:
    """The report on these of `DOCUMENTS`. All but times depends on `effort` and the seed alone."""
    sections = tuple(_section(name, effort, where, counting) for name in names)
    return Report(sections, where.seed, asdict(effort), version("bot-arena"))


def _section(name: str, effort: Effort, where: Where, counting: Counting) -> Section:
    module = importlib.import_module(f"arena.reproduction.{_MODULES.get(name, name)}")
    with counting(name, module.steps(effort)) as advance:
        section: Section = module.reproduce(effort, where, advance)
    return section
