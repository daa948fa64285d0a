"""`arena solves`: games that an arena's workers solve, asked for by `arena solve --on workers`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import CliError
from arena.cli.shared.options import AsJson, Force, params_text
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.terms import SolveState
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.solves import SolveOut

app = Commands()

Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="The solve's number.")]


@app.command("list")
def list_solves(as_json: AsJson = False) -> None:
    """List the games that the arena's workers solve or have solved, newest first."""
    with connect() as client:
        solves = list(client.solves())
    if as_json:
        print_json({"solves": solves})
        return
    rows = [
        (each.id, each.state, each.game.name, _about(each), f"{each.answers:,}", _value(each))
        for each in solves
    ]
    print_table((">number", "state", "game", "with", ">answers", "value"), rows)


@app.command()
def show(number: Number, as_json: AsJson = False) -> None:
    """Print how far a solve is, or what came out."""
    with connect() as client:
        _print(client.solve(number), as_json=as_json)


@app.command()
def watch(number: Number, as_json: AsJson = False) -> None:
    """Show how far a solve is until it is over or paused, then print what is known."""
    from arena.cli.solves.telling import told, watch_live

    with connect() as client:
        over = watch_live(client, client.solve(number))
    _print(over, as_json=as_json)
    if over.state != SolveState.FINISHED:
        raise CliError(told(over))


@app.command()
def pause(number: Number, as_json: AsJson = False) -> None:
    """Give nothing more of a solve to the workers, and take back what they have; what is known stays."""
    _act(number, "pause", as_json=as_json)


@app.command()
def resume(number: Number, as_json: AsJson = False) -> None:
    """Go on with a solve that was paused."""
    _act(number, "resume", as_json=as_json)


@app.command()
def cancel(number: Number, yes: Yes = False, as_json: AsJson = False) -> None:
    """End a solve; what is known stays, and another one can begin with its checkpoint."""
    ask_first(say("Solve {number} ends for good; what is known stays.", number=number), yes=yes)
    _act(number, "cancel", as_json=as_json)


@app.command()
def checkpoint(number: Number, output: Output = None, force: Force = False, as_json: AsJson = False) -> None:
    """Write all that is known of a solve; `arena solve --checkpoint` goes on from it, here or elsewhere."""
    _write(number, "checkpoint", output, force=force, as_json=as_json)


@app.command()
def proof(number: Number, output: Output = None, force: Force = False, as_json: AsJson = False) -> None:
    """Write the proof of what came out of a solve, which `arena solve verify` checks."""
    _write(number, "proof", output, force=force, as_json=as_json)


def _act(number: int, act: Literal["pause", "resume", "cancel"], *, as_json: bool) -> None:
    from arena.cli.solves.telling import told

    with connect_with_token() as client:
        solve = client.act_on_solve(number, act)
    print_json(solve) if as_json else print_line(told(solve))


def _write(
    number: int, what: Literal["checkpoint", "proof"], output: Output, *, force: bool, as_json: bool
) -> None:
    check_export(output, force=force, as_json=as_json)
    about = {"solve": number, "what": what}
    with connect() as client:
        write_export(client.solve_file(number, what), output, about, force=force, as_json=as_json)


def _print(solve: SolveOut, *, as_json: bool) -> None:
    from arena.cli.solves.telling import lines_of

    if as_json:
        print_json(solve)
        return
    for line in lines_of(solve):
        print_line(line)


def _about(solve: SolveOut) -> str:
    """The game's parameters, and whether it is solved from another position than its start."""
    place = say("from a position") if solve.position else ""
    return ", ".join(filter(None, (params_text(solve.game.params), place)))


def _value(solve: SolveOut) -> str:
    """What came out, or between what it is."""
    if solve.value is not None:
        return str(solve.value)
    standing = solve.standing
    return "" if standing is None else say("{low} to {high}", low=standing.low, high=standing.high)
