"""`arena play`: a person at the terminal, what is typed and what is answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run

Type = Callable[..., None]
FIRST = r"""import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": "arena/1", "name": "first", "version": "1"}
    elif message["type"] == "move":
        answer = {"type": "move", "id": message["id"], "move": message["legal"][0], "debug": "first\x1b[2J"}
    else:
        break
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Type:
    """Has the person type these lines, and then nothing more."""

    def lines(*typed: str) -> None:
        waiting = iter(typed)

        def answer(_prompt: str) -> str:
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)

    return lines


def test_a_person_wins_by_the_hint_against_a_bot(run: Run, types: Type) -> None:
    """The hint names the only good move; it and the rest win against the document's player."""
    types("hint", "1:2", "hint", "quit")
    ran = run("play", "heap_nim", "@xor")
    assert ran.code == 0
    assert "1:2  heap 1, take until 1 is left" in ran.out
    assert "Seat 1 (@xor) wins (resign)" in ran.out


def test_two_people_share_the_terminal(run: Run, types: Type) -> None:
    """Without a bot both sides are typed; the last taker loses by the rules of circle Nim."""
    types("1-2", "3")
    ran = run("play", "circle_nim", "--param", "rows=2")
    assert ran.code == 0
    assert "Seat 0 (you) wins (left_the_last), score 1 to 0." in ran.out


def test_what_is_no_move_is_asked_again(run: Run, types: Type) -> None:
    """A move that is not allowed, one that cannot be read, and `moves` are answered; the game goes on."""
    types("1:9", "hello", "moves", "1:2", "quit")
    ran = run("play", "heap_nim", "@perfect", "--seat", "0")
    assert ran.code == 0
    assert "Type a move" in ran.out
    assert "3:5" in ran.out
    assert "(resign)" in ran.out


@pytest.mark.usefixtures("chinese")
def test_a_person_is_answered_in_chinese(run: Run, types: Type) -> None:
    """In Taiwan's locale the hint and what is wrong with a move are Chinese."""
    types("2:9", "hint", "quit")
    ran = run("play", "heap_nim")
    assert "但那一堆只有 4 個" in ran.out
    assert "拿到剩下 1 個" in ran.out


def test_a_bot_begins_where_the_person_sits_second(run: Run, types: Type) -> None:
    """In seat 1 the first thing shown is the bot's move; no more input is giving up."""
    types()
    ran = run("play", "l_game", "@perfect", "--seat", "1")
    assert ran.code == 0
    assert ran.out.startswith("The last move: ")
    assert "Seat 0 (@perfect) wins (resign)" in ran.out


@pytest.mark.parametrize("bot", ["@nobody", "@algo3:100", "@perfect:3", "./nowhere.py"])
def test_a_bot_that_cannot_play_is_refused(run: Run, bot: str) -> None:
    """An unknown name, a player of another game, and parameters that it has not, with exit code 2."""
    assert run("play", "l_game", bot).code == 2


def test_a_bot_of_ones_own_is_played_and_the_game_recorded(run: Run, types: Type, tmp_path: Path) -> None:
    """A file is a bot like any other; the game is appended to the file, where `arena match show` reads it.

    What it notes beside its moves is shown, with no sign that a terminal would obey.
    """
    bot, kept = tmp_path / "first.py", tmp_path / "games.jsonl"
    bot.write_text(FIRST)
    types("1:3", "2:4", "3:4", "quit")
    ran = run("play", "heap_nim", str(bot), "--record", str(kept))
    assert ran.code == 0, ran.err
    assert f"recorded as {kept}#1" in ran.err
    assert "'first\\x1b[2J'\n" in ran.out
    assert "\x1b" not in ran.out
    shown = run("match", "show", f"{kept}#1")
    assert shown.code == 0
    assert "first" in shown.out


def test_a_bot_that_fails_has_lost(run: Run, types: Type, tmp_path: Path) -> None:
    """What it did wrong is told as in a match, and of a recorded one how to ask it again."""
    bot, kept = tmp_path / "broken.py", tmp_path / "games.jsonl"
    bot.write_text("import sys; sys.exit('no table of moves')")
    types("1:1")
    ran = run("play", "heap_nim", str(bot))
    assert ran.code == 0
    assert "Seat 0 (you) wins (startup)" in ran.out
    assert "broken forfeits at ply 1: startup\n" in ran.out
    assert "    stderr:\n      | no table of moves\n" in ran.out
    assert "again:" not in ran.out
    types("1:1")
    ran = run("play", "heap_nim", str(bot), "--record", str(kept))
    assert f"    again:    arena match replay '{kept}#1' --to {bot} --seat 1 --until 1\n" in ran.out
