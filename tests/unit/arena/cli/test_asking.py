"""What cannot be taken back is done with `--yes`, or when whoever is at the terminal says so."""

from __future__ import annotations

import io

import pytest

from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, tournament

__all__ = ["api"]

WHY = ("--reason", "for the test")
COMMANDS = [
    ("tournament", "cancel", "spring"),
    ("tournament", "end", "spring"),
    ("tournament", "withdraw", "spring", "ann", *WHY),
    ("tournament", "disqualify", "spring", "ann", *WHY),
    ("tournament", "rerun-round", "spring", "2", *WHY),
    ("experiment", "cancel", "1"),
    ("webhook", "remove", "3"),
    ("user", "revoke", "ann"),
    ("auth", "token", "revoke", "3"),
]


class Terminal(io.StringIO):
    """A terminal at which somebody types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("words", COMMANDS, ids=[" ".join(words[:2]) for words in COMMANDS])
def test_nothing_is_done_unasked(
    run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Without a terminal the option is named; at one, whoever says no has done nothing."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "--yes" in ran.err
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    ran = run(*words)
    assert ran.code == 1
    assert "nothing was done" in ran.err
    assert not api.asked


def test_who_says_yes_at_the_terminal_is_obeyed(
    run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the question says what will happen."""
    api.answers["POST", "/tournaments/spring/cancel"] = tournament("cancelled")
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    ran = run("tournament", "cancel", "spring")
    assert ran.code == 0
    assert "given up for good" in ran.err
    assert "spring is cancelled" in ran.out
