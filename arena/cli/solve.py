"""`arena solve`: a game's exact solution, and what its document counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.failures import UsageError
from arena.cli.options import AsJson, Params, game_params
from arena.cli.output import print_json, print_line
from arena.cli.positions import Moves, Position, typed_position

if TYPE_CHECKING:
    from engines.game import Game

SIZES = {"circle_nim": "rows", "heap_nim": "heaps", "reversed_reversi": "size"}
"""The parameter that `--size` sets."""

Size = Annotated[
    str | None,
    typer.Option(
        "--size", metavar="N", help="Rows of circle Nim, heaps (3,4,5) of heap Nim, board of Reversi."
    ),
]
Probabilities = Annotated[
    bool,
    typer.Option(
        "--probabilities",
        help="Circle Nim: also what takes a minute, the random players' chances with 7 rows.",
    ),
]


def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    *,
    size: Size = None,
    param: Params = None,
    moves: Moves = None,
    position: Position = None,
    probabilities: Probabilities = False,
    as_json: AsJson = False,
) -> None:
    """Solve a game exactly and print what its document counted, computed."""
    from arena.cli.progress import following
    from arena.cli.solutions import solution_lines
    from engines.games import find_game
    from engines.solvers import find_solver

    rules = find_game(game, _params(game, size, param))
    options = _options(rules, moves, position, probabilities=probabilities)
    solver = find_solver(game)
    with following(f"solving {game}") as progress:
        result = solver.analyse(rules, progress=progress, **options)
    if as_json:
        print_json(result)
        return
    for line in solution_lines(game, result):
        print_line(line)


def _params(game: str, size: str | None, param: list[str] | None) -> dict[str, Any]:
    """The game's parameters, that of `--size` among them."""
    typed = list(param or [])
    if size is not None:
        name = SIZES.get(game)
        if name is None:
            raise UsageError(f"{game} has no size; --size is for {', '.join(sorted(SIZES))}")
        value = f"[{size.strip('[]')}]" if name == "heaps" else size
        typed.append(f"{name}={value}")
    return game_params(typed)


def _options(
    game: Game[Any], moves: str | None, position: str | None, *, probabilities: bool
) -> dict[str, Any]:
    """What this game's analysis is asked beyond the usual."""
    options: dict[str, Any] = {}
    if probabilities:
        if game.name != "circle_nim":
            raise UsageError("--probabilities is for circle_nim")
        options["probabilities"] = True
    state = typed_position(game, moves, position)
    if state is not None:
        if game.name != "reversed_reversi":
            message = "--moves and --position are for reversed_reversi; elsewhere ask `arena game hint`"
            raise UsageError(message)
        options["position"] = state
    return options
