"""What a game brings stands in its row: nobody else knows games by their names."""

from __future__ import annotations

import re
from pathlib import Path

from engines.games import GAMES, find_presentation

ROOT = Path(__file__).parents[2]
EXCEPT = (
    "arena/demo/",  # it plays one game
    "arena/documents/",  # documents are about games
    "arena/reproduction/",  # as above
    "arena/cli/examples.py",  # they show what is typed
    "arena/cli/reproduce/command.py",  # it lists the documents
    "arena/web/pages/guides/",  # they show what a bot is asked
    "arena/web/pages/locale/",  # translations
    "arena/store/migrations/",  # what was done to a database once
)
TEXTS = {".py", ".html", ".css", ".js", ".toml", ".json", ".md", ".txt"}


def words() -> set[str]:
    """What games are called: in tables, in the code, and on pages."""
    named = {word for name, row in GAMES.items() for word in (name, row.rules.__name__)}
    titles = {find_presentation(name).title(row.rules().params).english for name, row in GAMES.items()}
    return named | {re.sub(r" *\d.*", "", title) for title in titles}


def test_no_game_is_named_outside_the_engines() -> None:
    """Neither a file in `arena` and `workers` nor its name names a game, but for what is about one."""
    naming = re.compile(rf"(?<![a-z_])({'|'.join(map(re.escape, sorted(words())))})(?![a-z_])", re.IGNORECASE)
    found = []
    for folder in ("arena", "workers"):
        for path in sorted((ROOT / folder).rglob("*")):
            place = path.relative_to(ROOT).as_posix()
            if path.suffix not in TEXTS or place.startswith(EXCEPT):
                continue
            text = f"{place}\n{path.read_text(encoding='utf-8')}"
            found += [f"{place}: {match[0]}" for match in naming.finditer(text)]
    assert found == []


def test_the_words_are_those_that_are_looked_for() -> None:
    """The scan knows the names of tables, of classes, and of pages."""
    assert {"heap_nim", "HeapNim", "Heap Nim", "L-Game", "Reversed Reversi"} <= words()
