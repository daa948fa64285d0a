"""Starters: for each language a whole bot that plays legally at once, to begin with.

A folder has a language's own files, which serve every game. What tells of a game is written by `writing`.
"""

from __future__ import annotations

from typing import NamedTuple

BUILT = ("target", "__pycache__")
"""Where the tools of the starters put what they make; what is handed in has none of it."""


class Starter(NamedTuple):
    """A language's starter: its name for people, what tests it, and how its author gets at the position.

    `place` in the file `main` is where a search begins. `tested_by` is the command of the test, which needs
    the file `test`. In `reads`, ``KEY`` is a list in the state; `text` and `number` are what is written for
    its first item, and `comment` what begins a comment.
    """

    title: str
    main: str
    test: str
    tested_by: str
    reads: str
    text: str = ""
    number: str = ""
    comment: str = "//"
    place: str = "value"


STARTERS = {
    "python": Starter(
        "Python", "main.py", "test_bot.py", "python test_bot.py", 'request.state["KEY"][0]', comment="#"
    ),
    "cpp": Starter(
        "C++", "main.cpp", "Makefile", "make test", 'request.state["KEY"].items[0]', ".text", ".number"
    ),
    "c": Starter(
        "C",
        "main.c",
        "Makefile",
        "make test",
        'json_get(request->state, "KEY")->items[0]',
        "->text",
        "->number",
    ),
    "java": Starter(
        "Java", "Main.java", "Makefile", "make test", '((List<?>) request.state.get("KEY")).get(0)'
    ),
    "javascript": Starter("JavaScript", "main.js", "test_bot.js", "node test_bot.js", "request.state.KEY[0]"),
    "typescript": Starter("TypeScript", "bot.ts", "Makefile", "make test", "request.state.KEY[0]"),
    "rust": Starter(
        "Rust",
        "src/main.rs",
        "Cargo.toml",
        "cargo test",
        'request.state.get("KEY").items()[0]',
        ".text()",
        ".number()",
    ),
    "go": Starter("Go", "main.go", "go.mod", "go test", 'request.State["KEY"].([]any)[0]'),
    "csharp": Starter(
        "C#", "Main.cs", "Makefile", "make test", '((List<object>)request.State["KEY"])[0]', place="Value"
    ),
}
"""The languages that there is a starter for, as the arena names them."""
