"""The tree of what can go wrong on a worker's side."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import workers
from workers.core import errors


def _below(kind: type[Exception]) -> Iterator[type[Exception]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def test_the_tree_has_every_error_of_the_workers() -> None:
    """Wherever in the package it is raised first."""
    for module in pkgutil.walk_packages(workers.__path__, "workers."):
        importlib.import_module(module.name)
    named = (errors.__doc__ or "").split()
    ours = [each for each in _below(errors.WorkerError) if each.__module__.startswith("workers.")]
    assert [each.__name__ for each in ours if each.__name__ not in named] == []
