"""Modules that need each other, whether they import at once or in a function."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp


def test_no_two_modules_need_each_other() -> None:
    """Whatever module one begins to read with, what it needs never leads back to it."""
    graph = grimp.build_graph("arena", "workers", "bots", "engines", cache_dir=None)
    needs = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(needs).prepare()
    assert "arena.web.app" in needs
