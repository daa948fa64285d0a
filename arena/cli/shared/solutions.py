"""Analyses of games as commands print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.core.words import language


def solution_lines(game: str, result: Mapping[str, Any]) -> Iterator[str]:
    """What a solver found, in the reader's language where the game's presentation has words in it."""
    from engines.games import find_presentation
    from engines.presentation import Words

    tag = language()
    for line in find_presentation(game).solution(result):
        yield line.said(tag) if isinstance(line, Words) else line
