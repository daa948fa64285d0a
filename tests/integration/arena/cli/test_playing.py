"""`arena play`: a person at the terminal, what is typed and what is answered."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engines.games import find_game
from tests.unit.arena.cli.conftest import Run
from workers.core.contract import MatchRecord

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
    assert "3 ⊕ 4 ⊕ 5 = 2" in ran.out
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
    assert "`moves` lists the legal moves, `help` all that can be typed" in ran.out
    assert "1:9 takes 9 from a heap that holds 3" in ran.out
    assert "'hello' is not a move such as 2:1" in ran.out
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
    assert ran.out.startswith("ply 1, @perfect: ")
    assert "Seat 0 (@perfect) wins (resign)" in ran.out


def test_rules_and_notation_are_told_first(run: Run, types: Type) -> None:
    """What the game is and how its moves are written stand before the first board; `rules` tells all."""
    types("rules", "help")
    ran = run("play", "l_game")
    assert "Moves: " in ran.err
    assert "undo        take your last move back" in ran.err
    assert "A match is drawn when a position comes up 3 times" in ran.out
    assert "undo        take your last move back" in ran.out


def test_what_was_played_is_told_with_times_and_the_score(run: Run, types: Type) -> None:
    """After each move: both plies with number and time, the totals, the discs; `notes` has all plies."""
    types("e3", "notes")
    ran = run("play", "reversed_reversi", "@random")
    line = r"^ply (\d+), (you|@random): ..  [\d.]+ .?s, [\d.]+ .?s in all$"
    plies = re.findall(line, ran.out, re.MULTILINE)
    assert plies == [("1", "you"), ("2", "@random")] * 2
    assert re.search(r"^thought in all: you [\d.]+ .?s, @random [\d.]+ .?s$", ran.out, re.MULTILINE)
    assert "score: you 2, @random 2" in ran.out
    assert re.search(r"^score: you 3, @random 3$", ran.out, re.MULTILINE)
    after = ran.out.partition("wins (resign), score ")[2]
    assert "thought in all: " in after
    assert "score: " not in after


def test_every_ply_of_a_forced_pass_is_told(run: Run, types: Type) -> None:
    """Where a side must pass, the pass is told as well as the move before it."""
    game = find_game("reversed_reversi", {"size": 4})
    texts, state = [], game.initial()
    while game.legal_moves(state):
        legal = game.legal_moves(state)
        texts.append(game.move_to_text(legal[0]))
        state = game.play(state, legal[0])
    assert "pass" in texts
    types(*(text for text in texts if text != "pass"))
    ran = run("play", "reversed_reversi", "--param", "size=4")
    told = re.findall(r"^ply (\d+), you \(\d\): (\w+)", ran.out, re.MULTILINE)
    assert told == [(str(number), text) for number, text in enumerate(texts, start=1)]
    assert "pass (not asked)" in ran.out


def test_a_move_is_taken_back_and_a_game_begun_again(run: Run, types: Type, tmp_path: Path) -> None:
    """The record has what stands in the end, and `match show` takes it; each game that ended is kept."""
    kept = tmp_path / "games.jsonl"
    types("undo", "1:2", "undo", "1:3", "restart", "2:1", "quit")
    ran = run("play", "heap_nim", "@xor", "--record", str(kept))
    assert ran.code == 0, ran.err
    assert ran.out.count("there is no move of yours to take back") == 1
    record = MatchRecord.model_validate_json(kept.read_text())
    assert [move.move for move in record.result.moves][:1] == ["2:1"]
    assert len(record.result.moves) == 2
    assert run("match", "show", f"{kept}#1").code == 0
    types("1:1", "2:1", "3:1", "restart", "1:1", "2:1", "3:1", "undo", "quit")
    ran = run("play", "heap_nim", "--param", "heaps=[1,1,1]", "--record", str(kept))
    assert [line.rpartition("#")[2] for line in ran.err.splitlines() if line.startswith("recorded")] == [
        *("2", "3", "4")
    ]
    assert run("match", "show", f"{kept}#4").code == 0


def test_another_bot_plays_on(run: Run, types: Type, tmp_path: Path) -> None:
    """By the number of a level, by name or by path; what cannot play is told, and the game goes on."""
    kept = tmp_path / "games.jsonl"
    (tmp_path / "first.py").write_text(FIRST)
    types("level", "level 99", "level @nobody", "level @learner", "level 1", "1:1", "level ./first.py", "2:1")
    ran = run("play", "heap_nim", "@xor", "--record", str(kept))
    assert ran.code == 0
    for words in (
        *("1  @random", "8  @perfect", "there are levels from 1 to 8", "there is no reference bot @nobody"),
        *("from now on @random plays", "from now on first plays", "ply 2, @random: "),
    ):
        assert words in ran.out
    assert "learner" in ran.out.partition("there is no reference bot @nobody")[2]
    record = MatchRecord.model_validate_json(kept.read_text())
    assert [bot.name for bot in record.spec.bots] == ["you", "first"]
    assert len(record.result.moves) == 4


def test_somebody_who_played_both_sides_has_a_bot_play_one(run: Run, types: Type) -> None:
    """A bot that is given a side by `level` takes the one that is not to move."""
    types("1:1", "level @xor", "2:1")
    ran = run("play", "heap_nim")
    assert "ply 2, you: 2:1" in ran.out
    assert "ply 3, @xor: " in ran.out


def test_next_positions_are_shown_with_their_values(run: Run, types: Type) -> None:
    """Ten at a time, the best first, each with its move, its worth and its drawing."""
    types("next", "next 2", "next 3", "next 0", f"next {'9' * 5000}", f"level {'9' * 5000}")
    ran = run("play", "heap_nim")
    assert "\n1/12  1:2  won in 11 plies\n 1   1 |\n" in ran.out
    assert "more of them: next 2" in ran.out
    assert re.search(r"\n12/12  \d:\d  lost in \d plies\n", ran.out)
    assert ran.out.count("there are pages from 1 to 2") == 2
    assert ran.out.count("`moves` lists the legal moves") == 1
    assert "is no bot: there is no such file or program" in ran.out
    assert ran.code == 0
    types("next")
    ran = run("play", "reversed_reversi")
    assert "\n1/4  " in ran.out


def test_both_sides_have_the_clock_that_was_asked_for(run: Run, types: Type, tmp_path: Path) -> None:
    """A time for a move, or for the whole game; what is left is shown, and the record says which it was."""
    kept = tmp_path / "games.jsonl"
    types("1:2")
    ran = run("play", "heap_nim", "@xor", "--time", "60s", "--record", str(kept))
    assert "60 s a move; extensions to 120 s that are left: you 3, @xor 3" in ran.out
    types("1:2")
    ran = run("play", "heap_nim", "@xor", "--clock", "300+3", "--record", str(kept))
    assert "left on the clock: you 300 s, @xor 300 s" in ran.out
    assert re.search("left on the clock: you 30[23] s, @xor 30[23] s", ran.out)
    lines = kept.read_text().splitlines()
    first, second = (MatchRecord.model_validate_json(line).spec.time for line in lines)
    assert (first.move_ms, first.extensions, first.extension_ms) == (60_000, 3, 120_000)
    assert (second.bank_ms, second.increment_ms, second.extensions) == (300_000, 3_000, 0)
    shown = run("match", "show", f"{kept}#2").out
    assert "0.001 s an answer, then from a bank of 300 s that each answer adds 3 s to" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--clock", "300+3", "--time", "5s"), "give one of both"),
        (("--clock", "0+3"), "cannot be 0"),
        (("--clock", "soon"), "'soon' is not a duration"),
        (("--time", "2h"), "a move has 1 ms to an hour"),
        (("--clock", "25h"), "a game at most a day"),
        (("--time", "5s", "--extension-time", "1s"), "must not be below --time"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(run: Run, words: tuple[str, ...], said: str) -> None:
    """With what is wrong about it, and exit code 2."""
    ran = run("play", "heap_nim", "@xor", *words)
    assert ran.code == 2
    assert said in ran.err


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timer")
def test_a_person_is_not_waited_for_beyond_the_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who types nothing has lost when the time is over, and is told no evidence as a bot's team is."""
    typed = iter([lambda: time.sleep(60)])

    def answer(_prompt: str) -> str:
        next(typed, _nothing)()
        raise AssertionError

    monkeypatch.setattr("builtins.input", answer)
    ran = run("play", "heap_nim", "@xor", "--time", "20ms", "--extensions", "0")
    assert ran.code == 0
    assert "20 ms a move\n" in ran.out
    assert "Seat 1 (@xor) wins (timeout)" in ran.out
    assert "forfeits" not in ran.out


def _nothing() -> None:
    raise EOFError


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
