"""What a reference bot in C is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

import engines
from bots.reference import REFERENCE
from bots.reference.sources import sources
from tests.unit.bots.reference.tiny import tiny


def test_all_that_is_needed_lies_in_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources, the headers that headers include, of the package and of the engines, and weights."""
    folder = tiny(tmp_path, monkeypatch)
    package = REFERENCE["tiny"].module
    files = sources(package)
    assert sorted(files) == ["few.weights", "greeting.h", "main.c", "more.h", "rules.h"]
    assert files["rules.h"] == (Path(engines.__path__[0]) / "rules.h").read_bytes()
    assert files["main.c"] == (folder / "main.c").read_bytes()
    assert sources(package, 2) == files | {"main.c": b"#define DEFAULT_LEVEL 2\n" + files["main.c"]}


def test_what_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header that nobody has, no sources, no package."""
    folder = tiny(tmp_path, monkeypatch)
    package = REFERENCE["tiny"].module
    (folder / "more.h").write_text('#include "other.h"\n')
    with pytest.raises(FileNotFoundError, match=r"more\.h includes other\.h, which is in none of"):
        sources(package)
    (folder / "main.c").unlink()
    with pytest.raises(FileNotFoundError, match=r"has no main\.c"):
        sources(package)
    with pytest.raises(FileNotFoundError, match="there is no package bots"):
        sources("bots.reference.greedy")
