"""`arena solve --on workers`: a position that an arena's workers solve."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.game.cut_options import CutOptions
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.output import note, print_json, print_line
from arena.cli.solves.telling import lines_of, told, watch_live
from arena.core.terms import SolveState
from arena.core.words import say
from arena.local.errors import InputError
from arena.local.files import require_place
from arena.local.proof_file import write_proof

if TYPE_CHECKING:
    from engines.solvers.reversi_work import Work


def solve_there(work: Work, options: CutOptions, *, force: bool, as_json: bool) -> None:
    """Have the workers solve a position, and with `wait` print what came out.

    Raises:
        UsageError: an option is of no use there.
        ClientError: the arena does not answer, or refuses.
        CliError: it did not come to its end, or watching it was interrupted.
    """
    if options.jobs is not None:
        raise UsageError(say("--jobs is for processes on this machine; the arena knows its workers"))
    if options.proof is not None:
        if not options.wait:
            raise UsageError(
                say("--proof needs --wait; `arena solves proof` writes it at any time afterwards")
            )
        require_place(options.proof, force=force)
    plan = {
        "game": work.game.name,
        "params": work.game.params,
        "position": work.position_to_json(),
        "frontier": options.frontier,
        "memory_mb": options.memory,
        "checkpoint": None if options.checkpoint is None else _read(options.checkpoint),
    }
    with connect_with_token() as client:
        made = client.create_solve({name: value for name, value in plan.items() if value is not None})
        note(told(made))
        if not options.wait:
            note(say("`arena solves watch {number}` shows how far it is", number=made.id))
            if as_json:
                print_json(made)
            return
        over = watch_live(client, made)
        if over.state == SolveState.FINISHED and options.proof is not None:
            write_proof(options.proof, client.solve_file(over.id, "proof"), force=force)
    if as_json:
        print_json(over)
    else:
        for line in lines_of(over):
            print_line(line)
    if over.state != SolveState.FINISHED:
        raise CliError(told(over))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(say("{path} cannot be read: {error}", path=path, error=error)) from None
