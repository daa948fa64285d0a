"""Tables keep names readable however narrow the terminal is."""

from __future__ import annotations

import pytest

from arena.cli.shared.output import print_table

COLUMNS = (">rank", "bot", "owner", *(f">number {at}" for at in range(9)))
NAMES = ("a-bot-with-a-long-name", "another-bot-of-theirs")
ROWS = [(at, name, "team-red", *range(9)) for at, name in enumerate(NAMES, start=1)]


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_names_are_whole_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    """What does not fit beside stands below, with rank and name again, and no line is longer."""
    monkeypatch.setattr("arena.cli.shared.output._width", lambda **_: width)
    print_table(COLUMNS, ROWS, "spring")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    for name in NAMES:
        assert sum(name in line for line in lines) == sum("bot" in line.split() for line in lines)
    heads = " ".join(line for line in lines if "rank" in line)
    for at in range(9):
        assert heads.count(f"number {at}") == 1
    assert (sum("bot" in line.split() for line in lines) == 1) == (width == 160)


def test_long_texts_are_wrapped_beside_the_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A column of prose needs no part of its own."""
    monkeypatch.setattr("arena.cli.shared.output._width", lambda **_: 80)
    print_table(("bot", "state", "trouble"), [("a-bot", "waiting", "no host runs it at the moment " * 4)])
    lines = capsys.readouterr().out.splitlines()
    assert sum("bot" in line.split() for line in lines) == 1
    assert sum("a-bot" in line for line in lines) == 1
