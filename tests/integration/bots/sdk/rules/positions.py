"""Positions of random games, and what the engines say of them: a line each, as the drivers write it.

A question is four texts with tabs between: the game, a hello, a request, and moves to play, with commas
between. An answer is what `COLUMNS` say.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from engines.game import Game, Outcome
from engines.games import find_game

COLUMNS = ("initial", "state", "seat", "legal", "result", "after", "same")
"""`after` is what each move led to, and `same` whether that is equal to what is read from its own text."""
OF_A_GAME = 8
"""So many positions are taken from a random game, the last among them."""
MAX_PLIES = 150
PLAYED = 2
"""So many legal moves are played in each position."""


class Case(NamedTuple):
    """What is asked of a library, and what it has to answer."""

    question: str
    answer: str


def _none(_: Random) -> dict[str, Any]:
    return {}


def _heaps(random: Random) -> dict[str, Any]:
    """Mostly of a few, in one game of thirty up to the largest."""
    most = 500 if random.random() < 1 / 30 else 12
    sizes = [math.ceil(most ** random.random()) for _ in range(random.randint(3, 10))]
    return {"heaps": sizes, "misere": random.random() < 0.5}


def _board(random: Random) -> dict[str, Any]:
    """Mostly a square, else one of other rows than columns."""
    reversed_ = random.random() < 0.5
    if random.random() < 0.6:
        return {"size": random.choice((4, 6, 8, 10)), "reversed": reversed_}
    size, rows = random.sample(range(3, 9), 2)
    return {"size": size, "rows": rows, "reversed": reversed_}


DRAWN: dict[str, Callable[[Random], dict[str, Any]]] = {
    "reversed_reversi": _board,
    "heap_nim": _heaps,
    "circle_nim": lambda random: {"rows": random.randint(2, 7)},
}
"""Random parameters of the games that have any."""


@cache
def cases(name: str, count: int) -> tuple[Case, ...]:
    """`count` positions of a game, the same ones each time."""
    return tuple(islice(_cases(name, Random(f"rules of {name}")), count))


def _cases(name: str, random: Random) -> Iterator[Case]:
    while True:
        game = find_game(name, DRAWN.get(name, _none)(random))
        states = [game.initial()]
        while len(states) <= MAX_PLIES and (moves := game.legal_moves(states[-1])):
            states.append(game.play(states[-1], random.choice(moves)))
        taken = random.sample(states[:-1], min(OF_A_GAME, len(states)) - 1)
        yield from (_case(game, state, random) for state in (*taken, states[-1]))


def _case(game: Game[Any], state: Any, random: Random) -> Case:
    moves = game.legal_moves(state)
    legal = [game.move_to_text(move) for move in moves]
    played = random.sample(moves, min(PLAYED, len(moves)))
    hello = {
        "type": "hello",
        "protocols": ["arena/1"],
        "match": '"params":"size":"heaps":',
        "game": {"name": game.name, "params": game.params, "version": game.version},
        "seat": 1,
    }
    request = {
        "type": "move",
        "id": 731530817,
        "ply": 7,
        "state": game.state_to_json(state),
        "legal": legal[:3],
        "history": legal[:2],
        "time": {"move_ms": 60000, "extensions_left": 3, "bank_ms": None, "last_ms": 0},
    }
    after = [game.play(state, move) for move in played]
    answer = (
        _written(game.state_to_json(game.initial())),
        _written(game.state_to_json(state)),
        str(game.to_move(state)),
        ",".join(legal),
        _result(game.outcome(state)),
        ";".join(f"{_written(game.state_to_json(each))} {_result(game.outcome(each))}" for each in after),
        "1" * len(after),
    )
    question = (game.name, _written(hello), _written(request), ",".join(map(game.move_to_text, played)))
    return Case("\t".join(question), "\t".join(answer))


def _written(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "on"
    winner, reason, score = outcome
    return f"{'draw' if winner is None else winner} {reason} {score[0]}:{score[1]}"


def difference(cases: tuple[Case, ...], answers: list[str]) -> str:
    """How many answers are others than the engines', in what, and the first in detail; empty if none is."""
    if len(answers) != len(cases):
        return f"{len(answers)} answers to {len(cases)} questions"
    wrong = [
        (case.question, _columns(case.answer, answer))
        for case, answer in zip(cases, answers, strict=True)
        if case.answer != answer
    ]
    if not wrong:
        return ""
    everywhere = [name for name in COLUMNS if any(name in columns for _, columns in wrong)]
    question, columns = wrong[0]
    told = "\n".join(
        f"{name}: {said[:300]}\n    engine: {right[:300]}" for name, (right, said) in columns.items()
    )
    return f"{len(wrong)} of {len(cases)} wrong ({', '.join(everywhere)}), the first to\n{question}\n{told}"


def _columns(right: str, said: str) -> dict[str, tuple[str, str]]:
    """The parts of an answer that are not the engine's, each as it should be and as it is."""
    parts = zip(COLUMNS, right.split("\t"), said.split("\t"), strict=True)
    return {name: (one, other) for name, one, other in parts if one != other}
