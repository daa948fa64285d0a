"""JSON that is nested deeper than any reader goes is refused like what is none, wherever it stands."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run

NESTED = "[" * 3000
SIGNED = f"{NESTED} {zlib.crc32(NESTED.encode()):08x}\n"
TRAIN = ("train", "reversed_reversi", "--size", "4", "--games", "1000")


@pytest.mark.parametrize(
    ("words", "content"),
    [
        (("solve", "reversed_reversi", "--size", "4", "--checkpoint", "{file}"), SIGNED),
        (("solve", "verify", "{file}"), f"{NESTED}\n"),
        ((*TRAIN, "--out", "{folder}"), f"{NESTED}\n"),
        ((*TRAIN, "--out", "{folder}"), SIGNED),
        (("game", "hint", "heap_nim", "--position", NESTED), ""),
        (("game", "hint", "heap_nim", "--param", f"heaps={NESTED}"), ""),
        (("experiment", "sweep", "{file}"), NESTED),
        (("experiment", "compare", "{file}", "{file}"), NESTED),
    ],
)
def test_what_is_nested_is_refused_in_a_sentence(
    run: Run, tmp_path: Path, words: tuple[str, ...], content: str
) -> None:
    """No reader gives up with its own words; the file stays as it is."""
    file = tmp_path / "nested.json"
    for path in (file, tmp_path / "training"):
        path.write_text(content)
    done = run(*(word.format(file=file, folder=tmp_path) for word in words))
    assert done.code in {1, 2}
    assert done.out == ""
    assert done.err.startswith("arena: ") or "error" in done.err
    assert file.read_text() == content
