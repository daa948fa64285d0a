"""Strategies as bots."""

from __future__ import annotations

from typing import Any

import pytest

from bots.reference import make
from engines.game import Game
from engines.games.circle_nim import CircleNim
from engines.games.heap_nim import HeapNim
from engines.strategies import find_strategy
from engines.stream import Stream
from tests.unit.bots.reference.questions import ask, hello, started


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", ["random", "algo1:300:2", "algo2:300:2", "algo3:300/20:2"])
def test_a_bot_plays_what_its_strategy_plays(text: str, seat: int) -> None:
    """Move by move in a whole match, told the history, with one stream of its own from the match's seed."""
    game = CircleNim(4)
    bot, player, other = make(text), find_strategy(text, game), find_strategy("random", game)
    for seed in range(20):
        bot.start(hello(game, seat, seed))
        stream, chance = Stream("bot", seed), Stream(seed)
        state, history = game.initial(), list[int]()
        while game.outcome(state) is None:
            mover, drawn = (player, stream) if state.seat == seat else (other, chance)
            move = mover.choose(state, history, drawn)
            if state.seat == seat:
                assert ask(bot, game, state, history=history) == game.move_to_text(move)
            state = game.play(state, move)
            history.append(move)


def test_it_calls_itself_by_its_full_name_once_it_knows_the_game() -> None:
    """The record of a match then tells with which parameters it played."""
    assert started("algo2", CircleNim(3)).name == "algo2:10000:0"
    assert ask(started("xor", HeapNim()), HeapNim(), HeapNim().initial()) == "1:2"


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("algo1", HeapNim(), "algo1 plays circle_nim; it does not know heap_nim"),
        ("algo1:0", CircleNim(3), "algo1:0 cannot play this: the number of records of algo1"),
    ],
)
def test_what_it_cannot_play_is_told_and_ends_it(text: str, game: Game[Any], words: str) -> None:
    """Another game, and wrong parameters."""
    with pytest.raises(SystemExit, match=words):
        started(text, game)
