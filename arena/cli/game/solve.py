"""`arena solve`: a game's exact solution, and what its document counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.game.positions import Moves, Position, typed_position
from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson, Force, Params, game_params
from arena.cli.shared.output import note, print_json, print_line
from arena.local.files import require_place, write_whole

if TYPE_CHECKING:
    from engines.game import Game

Size = Annotated[
    str | None,
    typer.Option(
        "--size", metavar="N", help="The game's size: rows, heaps (3,4,5), or squares along a side."
    ),
]
Probabilities = Annotated[
    bool,
    typer.Option(
        "--probabilities",
        help="Also what takes a minute: the random players' chances with 7 rows.",
    ),
]


Table = Annotated[
    Path | None,
    typer.Option(
        "--table",
        metavar="FILE",
        help="Write every position's value and best moves: .csv, .jsonl or .parquet.",
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
    table: Table = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Solve a game exactly and print what its document counted; or list every position in a file."""
    from arena.cli.shared.progress import following
    from engines.games import find_game, find_presentation
    from engines.solvers import find_solver

    rules = find_game(game, _params(game, size, param))
    options = _options(rules, moves, position, probabilities=probabilities)
    if table is not None:
        if options or as_json:
            raise UsageError("--table lists every position: it goes with no other analysis and no --json")
        _write_table(rules, table, force=force)
        return
    solver = find_solver(game)
    with following(f"solving {game}") as progress:
        result = solver.analyse(rules, progress=progress, **options)
    if as_json:
        print_json(result)
        return
    for line in find_presentation(game).solution(result):
        print_line(line)


def _write_table(game: Game[Any], path: Path, *, force: bool) -> None:
    """Every position of the game in a file, a line each."""
    from arena.cli.shared.progress import following
    from arena.local.listing import FORMS
    from engines.solvers.listing import entries

    form = FORMS.get(path.suffix)
    if form is None:
        raise UsageError(f"{path} tells no format: give a name that ends with {' or '.join(FORMS)}")
    require_place(path, force=force)
    with following(f"listing {game.name}") as progress:
        size = write_whole(path, form(entries(game, progress)), force=force)
    note(f"{path}: {size:,} bytes")


def _params(game: str, size: str | None, param: list[str] | None) -> dict[str, Any]:
    """The game's parameters, that of `--size` among them."""
    typed = list(param or [])
    if size is not None:
        from engines.games import all_games, find_row

        row = find_row(game)
        if row.size is None:
            sized = ", ".join(sorted(row.name for row in all_games().values() if row.size))
            raise UsageError(f"{game} has no size; --size is for {sized}")
        is_list = isinstance(row.rules().params[row.size], list | tuple)
        typed.append(f"{row.size}=[{size.strip('[]')}]" if is_list else f"{row.size}={size}")
    return game_params(typed)


def _options(
    game: Game[Any], moves: str | None, position: str | None, *, probabilities: bool
) -> dict[str, Any]:
    """What this game's analysis is asked beyond the usual."""
    options: dict[str, Any] = {}
    if probabilities:
        if "probabilities" not in _asks(game.name):
            raise UsageError(f"--probabilities is for {_asked('probabilities')}")
        options["probabilities"] = True
    state = typed_position(game, moves, position)
    if state is not None:
        if "position" not in _asks(game.name):
            raise UsageError(
                f"--moves and --position are for {_asked('position')}; elsewhere ask `arena game hint`"
            )
        options["position"] = state
    return options


def _asks(game: str) -> frozenset[str]:
    """What the analysis of the game of that name can be asked."""
    from engines.games import find_row

    solver = find_row(game).solver
    return solver.asks if solver else frozenset()


def _asked(what: str) -> str:
    """The games whose analysis can be asked that."""
    from engines.games import all_games

    return ", ".join(sorted(name for name in all_games() if what in _asks(name)))
