"""`arena game`: every game tells its rules, its protocol, and a transcript that is a real one."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest

from bots.protocol.messages import encode, parse_answer, parse_ready
from engines.game import play_all
from engines.games import GAMES, find_game
from tests.unit.arena.cli.conftest import Run

every_game = pytest.mark.parametrize("name", sorted(GAMES))


def test_the_list_has_every_game(run: Run) -> None:
    """With version, parameters and a sentence, as a table and as JSON."""
    told = run("game", "list", "--json").json()["games"]
    assert [game["name"] for game in told] == sorted(GAMES)
    assert all(game["description"].endswith(".") for game in told)
    assert {game["name"]: game["params"] for game in told}["circle_nim"] == {"rows": 5}
    shown = run("game", "list").out
    assert all(name in shown for name in GAMES)


@every_game
def test_the_rules_are_told(run: Run, name: str) -> None:
    """In words, with the notation and the first position drawn."""
    game = find_game(name)
    told = run("game", "rules", name, "--json").json()
    assert (told["rules"], told["notation"]) == (game.rules, game.notation)
    assert "\n".join(told["drawing"]) == game.draw(game.initial())
    shown = run("game", "rules", name).out
    assert game.draw(game.initial()) in shown
    assert " ".join(game.rules.split()) in " ".join(shown.split())
    assert ("is drawn when a position comes up 3 times" in shown) == game.can_repeat


@every_game
def test_the_transcript_is_a_real_one(run: Run, name: str) -> None:
    """States and legal moves follow from the histories, answers are accepted, and it ends."""
    game = find_game(name)
    told = run("game", "protocol", name, "--json").json()
    schema = jsonschema_rs.validator_for(told["state_schema"])
    sent = [each["message"] for each in told["transcript"] if each["from"] == "referee"]
    answered = [encode(each["message"]) for each in told["transcript"] if each["from"] == "bot"]
    hello, *requests, end = sent
    assert (hello["type"], end["type"]) == ("hello", "end")
    assert parse_ready(answered[0]).name == "random"
    for request, answer in zip(requests, answered[1:], strict=True):
        state = play_all(game, request["history"])
        assert request["state"] == game.state_to_json(state)
        assert schema.is_valid(request["state"])
        assert request["legal"] == [game.move_to_text(move) for move in game.legal_moves(state)]
        assert parse_answer(answer, request["id"]).move in request["legal"]


@every_game
def test_the_printed_transcript_is_short_and_always_the_same(run: Run, name: str) -> None:
    """Beginning and end of the match in lines that are JSON, the same at every call."""
    shown = run("game", "protocol", name).out
    lines = [line for line in shown.splitlines() if line.startswith(("→ ", "← "))]
    assert 0 < len(lines) <= 9
    types = [json.loads(line[2:])["type"] for line in lines]
    assert types[:4] == ["hello", "ready", "move", "move"]
    assert types[-1] == "end"
    assert run("game", "protocol", name).out == shown


def test_parameters_change_what_is_told(run: Run) -> None:
    """The drawing and the schema are those of the game with these parameters."""
    rules = run("game", "rules", "circle_nim", "--param", "rows=2", "--json").json()
    assert rules["drawing"] == ["   1", " 2   3"]
    schema = run("game", "protocol", "reversed_reversi", "--param", "size=4", "--json").json()["state_schema"]
    assert schema["properties"]["board"]["maxItems"] == 4


@pytest.mark.parametrize(
    "words",
    [("rules", "chess"), ("protocol", "chess"), ("rules", "circle_nim", "--param", "rows=13"), ("rules",)],
)
def test_bad_input_exits_with_2_and_one_message(run: Run, words: tuple[str, ...]) -> None:
    """Unknown games and impossible parameters are told, and nothing else."""
    ran = run("game", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err
    assert "Traceback" not in ran.err
