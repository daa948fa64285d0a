"""Specimens: what is shown of a game is a game of it, and what was said is the protocol."""

from __future__ import annotations

import json

import pytest

from arena.web.answers.specimens import DRAWN, specimen_of
from bots.protocol.messages import parse_answer, parse_ready
from engines.game import play_all
from engines.games import GAMES, find_game


@pytest.mark.parametrize("name", GAMES)
def test_the_pictures_are_of_one_game(name: str) -> None:
    """Its moves lead from the opening by the midst to the end, where the rules have decided it."""
    game, specimen = find_game(name), specimen_of(name)
    assert specimen.opening.state == game.state_to_json(game.initial())
    assert {each.move for each in specimen.opening.legal or ()} == {
        game.move_to_text(move) for move in game.legal_moves(game.initial())
    }
    for position in (specimen.midst, specimen.end):
        assert position.state == game.state_to_json(play_all(game, specimen.moves[: position.ply]))
    assert 0 < specimen.midst.ply < specimen.end.ply == len(specimen.moves)
    assert specimen.end.over is not None
    assert specimen.end.over.reason not in DRAWN


@pytest.mark.parametrize("name", GAMES)
def test_what_was_said_is_the_protocol(name: str) -> None:
    """Every line is one that the referee sends or takes, in order, and the answers are the game's moves."""
    specimen = specimen_of(name)
    hello, ready, *asked, end = [each.text for each in specimen.said]
    assert (json.loads(hello)["type"], json.loads(hello)["game"]["name"]) == ("hello", name)
    assert parse_ready(ready.encode()).name == "random"
    assert json.loads(end)["type"] == "end"
    assert len(asked) % 2 == 0
    for question, answer in zip(asked[::2], asked[1::2], strict=True):
        request = json.loads(question)
        move = parse_answer(answer.encode(), request["id"]).move
        assert move in request["legal"]
        assert specimen.moves[request["ply"]] == move
    assert [each.by_referee for each in specimen.said] == [True, False] * (len(specimen.said) // 2) + [True]
