"""What a bot of Botzone's is told, and what becomes of its answers."""

from __future__ import annotations

from typing import Any

import pytest

from bots.adapters import botzone
from bots.adapters.botzone import Botzone, KeptRunning
from bots.adapters.edax import Edax
from bots.adapters.gtp import Gtp
from bots.adapters.inner import UnreadableError
from bots.adapters.nboard import NBoard
from bots.adapters.wire import Answer

NOWHERE = {"x": -1, "y": -1}


class FakeInner:
    """A bot that remembers what it is told, and says what it was made to say."""

    told: list[str]
    says: list[str]

    def __init__(self, *_: object) -> None:
        pass

    def tell(self, line: str) -> None:
        self.told.append(line)

    def hear_all(self, _: str) -> str:
        return self.says.pop(0)

    def close_stdin(self) -> None:
        pass

    def kill(self) -> None:
        pass


@pytest.fixture
def inner(monkeypatch: pytest.MonkeyPatch) -> type[FakeInner]:
    """The bot behind the adapters of this test."""
    FakeInner.told, FakeInner.says = [], []
    monkeypatch.setattr(botzone, "Inner", FakeInner)
    return FakeInner


def hello(game: str, params: dict[str, Any], seat: int) -> dict[str, Any]:
    """A match's beginning."""
    limits = {"line_bytes": 65_536, "memory_mb": 512}
    return {"game": {"name": game, "params": params}, "seat": seat, "limits": limits}


def question(history: list[str], **more: Any) -> dict[str, Any]:
    """A turn after these moves."""
    time = {"move_ms": 2000}
    return {"id": 1, "history": history, "time": time, "state": {"board": []}, "legal": ["d3"], **more}


RECTANGLE = hello("reversed_reversi", {"size": 6, "reversed": True, "rows": 4}, 0)
REVERSI = hello("reversed_reversi", {"size": 8, "reversed": True}, 0)


def test_reversi_is_told_in_columns_and_rows_of_the_usual_board(inner: type[FakeInner]) -> None:
    """The board is mirrored, what is no move is -1, and what was kept comes back."""
    bot = Botzone({}, ())
    bot.begin(REVERSI)
    inner.says += [
        '{"response": {"x": 3, "y": 2}, "data": "kept"}',
        '{"response": {"x": 0, "y": 7}, "debug": "why"}',
    ]
    first = bot.choose(question([]))
    assert first.move == "e3"
    assert '"requests": [{"x": -1, "y": -1}], "responses": []' in inner.told[0]
    second = bot.choose(question(["e3", "f3", "pass", "a1"]))
    assert (second.move, second.debug) == ("h8", "why")
    assert '"responses": [{"x": 3, "y": 2}, {"x": -1, "y": -1}]' in inner.told[1]
    assert '"requests": [{"x": -1, "y": -1}, {"x": 2, "y": 2}, {"x": 7, "y": 0}]' in inner.told[1]
    assert '"data": "kept"' in inner.told[1]
    assert '"time_limit": 2.0' in inner.told[1]


def test_a_bot_that_is_kept_running_is_asked_for_its_passes(inner: type[FakeInner]) -> None:
    """What it was not asked in time it is asked before its next turn, whose answer counts."""
    bot = KeptRunning({}, ())
    bot.begin(REVERSI)
    inner.says += [f'{{"response": {{"x": {x}, "y": 2}}}}' for x in (3, -1, 5)]
    bot.choose(question([]))
    later = bot.choose(question(["e3", "f3", "pass", "a1"]))
    assert later.move == "c3"
    assert inner.told[1:] == ['{"x": 2, "y": 2}', '{"x": 7, "y": 0}']


def test_other_games_are_told_in_the_arenas_notation(inner: type[FakeInner]) -> None:
    """The first request says what is played, and the last one where it stands."""
    bot = Botzone({}, ())
    bot.begin(hello("heap_nim", {"heaps": [3, 4, 5]}, 1))
    inner.says += ['{"response": {"move": "1:1"}}', '{"response": "2:1"}', '{"response": {}}']
    moves = [bot.choose(question(["3:1"], legal=["1:1"])).move for _ in range(3)]
    assert moves == ["1:1", "2:1", None]
    assert '"move": "3:1", "game": "heap_nim", "params": {"heaps": [3, 4, 5]}, "seat": 1' in inner.told[0]
    assert '"legal": ["1:1"]' in inner.told[0]


@pytest.mark.parametrize("said", ["nonsense", "[]", '{"move": 1}', "7", "[" * 100_000])
def test_what_is_no_answer_is_shown_as_it_came(inner: type[FakeInner], said: str) -> None:
    """The referee gets it instead of an answer."""
    bot = Botzone({}, ())
    bot.begin(REVERSI)
    inner.says.append(said)
    with pytest.raises(UnreadableError) as refused:
        bot.choose(question([]))
    assert refused.value.received == said.encode()


@pytest.mark.parametrize("response", ['{"x": 8, "y": 0}', '{"x": true, "y": 0}', '{"x": 1}', "3", '"d3"'])
def test_a_response_that_is_no_square_is_a_move_that_is_refused(
    inner: type[FakeInner], response: str
) -> None:
    """It is sent on as a text, so the record shows it."""
    bot = Botzone({}, ())
    bot.begin(REVERSI)
    inner.says.append(f'{{"response": {response}}}')
    answer = bot.choose(question([]))
    assert isinstance(answer, Answer)
    assert answer.move == response


@pytest.mark.parametrize("kind", [Botzone, KeptRunning, Gtp, Edax, NBoard])
def test_a_board_that_the_protocol_cannot_tell_is_refused(
    kind: Any, inner: type[FakeInner], capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is started, in words for the log."""
    with pytest.raises(SystemExit):
        kind({}, ("no-such-program",)).begin(RECTANGLE)
    assert "only square boards" in capsys.readouterr().err
    assert inner.told == []
