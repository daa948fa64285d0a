"""Asks Python libraries of rules: `drive.py GAME=FILE ...`, questions on stdin, answers on stdout."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any


def load(path: Path) -> Any:
    """The class `State` of a library."""
    spec = importlib.util.spec_from_file_location(f"rules_{path.parts[-3]}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.State


def written(state: Any) -> str:
    """A position as requests have it."""
    return json.dumps(state.to_json(), separators=(",", ":"))


def told(result: Any) -> str:
    """How a game ended."""
    if result is None:
        return "on"
    winner = "draw" if result.winner is None else result.winner
    return f"{winner} {result.reason} {result.score[0]}:{result.score[1]}"


def answer(kind: Any, hello: str, request: str, moves: str) -> str:
    """What the library says of a position."""
    params = json.loads(hello)["game"]["params"]
    state = kind.from_request(json.loads(request)["state"], params)
    after = [state.play(move) for move in moves.split(",") if move]
    again = [kind.from_request(each.to_json(), params) for each in after]
    return "\t".join(
        (
            written(kind.initial(params)),
            written(state),
            str(state.seat),
            ",".join(state.legal_moves()),
            told(state.result()),
            ";".join(f"{written(each)} {told(each.result())}" for each in after),
            "".join(
                str(int(one == other and hash(one) == hash(other)))
                for one, other in zip(after, again, strict=True)
            ),
        )
    )


if __name__ == "__main__":
    states = {game: load(Path(path)) for game, path in (word.split("=") for word in sys.argv[1:])}
    for line in sys.stdin:
        name, *question = line.rstrip("\n").split("\t")
        sys.stdout.write(answer(states[name], *question) + "\n")
