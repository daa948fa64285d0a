"""`arena solve`: a game's exact solution, and what its document counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.game.cut_options import CheckOptions, CutOptions
from arena.cli.game.positions import Moves, Position, typed_position
from arena.cli.shared.completing import games
from arena.cli.shared.failures import UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, Force, Params, sized_params
from arena.cli.shared.output import note, print_json, print_line
from arena.cli.shared.solutions import solution_lines
from arena.cli.simulate.command import Where
from arena.core.words import say, say_many
from arena.local.files import require_place, write_whole

if TYPE_CHECKING:
    from engines.game import Game
    from engines.solvers.reversi_work import Work

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
VERIFY = "verify"


@grouped
def solve(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="The game; or `verify`, to check a proof.", autocompletion=games),
    ],
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The proof to be checked.")] = None,
    *,
    size: Size = None,
    param: Params = None,
    moves: Moves = None,
    position: Position = None,
    probabilities: Probabilities = False,
    table: Table = None,
    cut: CutOptions,
    check: CheckOptions,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Solve a game exactly and print what its document counted; or list every position in a file.

    `verify` replays the proof of a value by the rules, and solves some of its leaves again, or all.
    """
    from engines.games import find_game

    if game == VERIFY:
        from arena.cli.game.cutting import verify_proof

        verify_proof(file, check, as_json=as_json)
        return
    _no_proof(file, check)
    rules = find_game(game, sized_params(game, size, param))
    options = _options(rules, moves, position, probabilities=probabilities)
    if table is not None:
        if options or as_json or cut.given:
            raise UsageError(
                say("--table lists every position: it goes with no other analysis and no --json")
            )
        _write_table(rules, table, force=force)
        return
    work = _cut_up(rules, options, given=cut.given)
    if work is not None:
        _solve_cut_up(work, cut, force=force, as_json=as_json)
        return
    _print_analysis(rules, options, as_json=as_json)


def _solve_cut_up(work: Work, cut: CutOptions, *, force: bool, as_json: bool) -> None:
    """Solve a position by work that is cut up, here or on the arena's workers."""
    if cut.on is Where.WORKERS:
        from arena.cli.game.cutting_there import solve_there

        solve_there(work, cut, force=force, as_json=as_json)
        return
    if cut.wait:
        raise UsageError(say("--wait is for --on workers; what is solved here is always waited for"))
    from arena.cli.game.cutting import solve_cut

    solve_cut(work, cut, force=force, as_json=as_json)


def _print_analysis(game: Game[Any], options: dict[str, Any], *, as_json: bool) -> None:
    """What the game's solver finds."""
    from arena.cli.shared.progress import following
    from engines.solvers import find_solver

    solver = find_solver(game.name)
    with following(say("solving {game}", game=game.name)) as progress:
        result = solver.analyse(game, progress=progress, **options)
    if as_json:
        print_json(result)
        return
    for line in solution_lines(game.name, result):
        print_line(line)


def _no_proof(file: Path | None, check: CheckOptions) -> None:
    """Refuse what is for `verify` alone."""
    if file is not None or check.given:
        raise UsageError(say("a FILE, --sample, --all, --plain and --seed are for `arena solve verify FILE`"))


def _cut_up(game: Game[Any], options: dict[str, Any], *, given: bool) -> Work | None:
    """The start, or a position, as work that is cut up: where options say so, or nothing else will do."""
    from engines.games import all_games, find_row
    from engines.plugin import load

    solver = find_row(game.name).solver
    if solver and solver.cut and options.keys() <= {"position"}:
        make, position = load(solver.cut), options.get("position")
        return make(game, position) if given or make.is_only_way(game, position) else None
    if given:
        cut_up = sorted(row.name for row in all_games().values() if row.solver and row.solver.cut)
        words = say(
            "--on, --jobs, --memory, --checkpoint and --proof are for positions of {name}",
            name=", ".join(cut_up),
        )
        raise UsageError(words)
    return None


def _write_table(game: Game[Any], path: Path, *, force: bool) -> None:
    """Every position of the game in a file, a line each."""
    from arena.cli.shared.progress import following
    from arena.local.listing import FORMS
    from engines.solvers.listing import entries

    form = FORMS.get(path.suffix)
    if form is None:
        raise UsageError(
            say(
                "{path} tells no format: give a name that ends with {FORMS}",
                path=path,
                FORMS=say(" or ").join(FORMS),
            )
        )
    require_place(path, force=force)
    with following(say("listing {name}", name=game.name)) as progress:
        size = write_whole(path, form(entries(game, progress)), force=force)
    note(say("{path}: {size}", path=path, size=say_many("{number:,} byte", "{number:,} bytes", size)))


def _options(
    game: Game[Any], moves: str | None, position: str | None, *, probabilities: bool
) -> dict[str, Any]:
    """What this game's analysis is asked beyond the usual."""
    options: dict[str, Any] = {}
    if probabilities:
        if "probabilities" not in _asks(game.name):
            raise UsageError(say("--probabilities is for {asked}", asked=_asked("probabilities")))
        options["probabilities"] = True
    state = typed_position(game, moves, position)
    if state is not None:
        if "position" not in _asks(game.name):
            raise UsageError(
                say(
                    "--moves and --position are for {asked}; elsewhere ask `arena game hint`",
                    asked=_asked("position"),
                )
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
