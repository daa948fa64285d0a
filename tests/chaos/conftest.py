"""Whole arenas, of which single processes are stopped and killed."""

from __future__ import annotations

from tests.acceptance.conftest import make_arena

__all__ = ["make_arena"]
