"""Tables keep names readable however narrow the terminal is."""

from __future__ import annotations

import pytest

from arena.cli.shared.output import amount, print_table

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


@pytest.mark.parametrize("width", [79, 80, 81])
def test_nothing_is_cut_where_a_table_just_fits_or_just_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    """A table of 80 columns stands in parts on 79, and whole on 80 and more, with every letter each time."""
    monkeypatch.setattr("arena.cli.shared.output._width", lambda **_: width)
    row = ("a-bot", *(10 * letter for letter in "uvwxy"), "zzzzz")
    print_table(("bot", *(f">{number}" for number in range(6))), [row])
    printed = capsys.readouterr().out
    assert all(cell in printed for cell in row)
    assert (printed.count("bot") - printed.count("a-bot"), "…" in printed) == (1 + (width == 79), False)


def test_a_word_that_is_too_long_is_folded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An address that no part has room for goes on in the next line, whole."""
    monkeypatch.setattr("arena.cli.shared.output._width", lambda **_: 40)
    address = "redis+socket:///tmp/an-arena/with/a/long/path/broker.sock"
    print_table(("setting", "value"), [("broker", address)])
    lines = capsys.readouterr().out.splitlines()[3:]
    assert "".join(line.split()[-1] for line in lines if line.strip()) == address


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *((0, "0"), (0.5, "0.5"), (12.0, "12"), (33.333333333333336, "33.3333"), (-2.5, "-2.5")),
        *((99999.5, "99999.5"), (100000.5, "100000.5"), (1280000, "1280000"), (-1234567.0, "-1234567")),
    ],
)
def test_sums_have_all_their_digits(value: float, shown: str) -> None:
    """Points and discs of very many games are neither rounded nor told with an exponent."""
    assert amount(value) == shown
