"""A bot asked again: its answers beside those that were recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.cli.failures import CliError
from arena.cli.output import duration, print_line
from arena.cli.players import Command
from bots.protocol.messages import Answer
from workers.contract import MatchRecord, Seat
from workers.escape import escape_bytes
from workers.match import ReplayStartError, ReplayStep, replay


def replayed(
    record: MatchRecord, seat: Seat, command: Command, until: int | None
) -> Iterator[dict[str, Any]]:
    """Each question with the answer of now and the recorded move.

    Raises:
        CliError: the bot did not get ready.
        SpecError, LaunchError: the match is impossible here, or the bot cannot be started.
    """
    try:
        for step in replay(record, seat, command, until):
            yield _step(step)
    except ReplayStartError as error:
        raise CliError(f"the bot did not get ready: {error}") from None


def _step(step: ReplayStep) -> dict[str, Any]:
    told: dict[str, Any] = {"ply": step.ply, "id": step.request["id"], "recorded": step.recorded_move}
    told |= {"wall_ms": round(step.wall_ns / 1e6, 3)}
    if isinstance(step.answer, Answer):
        move = step.answer.move
        legal = move is None or move in step.request["legal"]
        same = move == step.recorded_move
        return told | {"move": move, "legal": legal, "same": same, "debug": step.answer.debug, "fault": None}
    fault = step.answer
    evidence = {"code": str(fault.code), "detail": fault.detail, "received": escape_bytes(fault.received)}
    return told | {"move": None, "legal": False, "same": False, "debug": None, "fault": evidence}


def print_steps(steps: Iterable[Mapping[str, Any]]) -> None:
    """One line a question, and the evidence of a fault."""
    for step in steps:
        recorded = step["recorded"] or "no move recorded"
        verdict = "as recorded" if step["same"] else f"recorded: {recorded}"
        answer = step["move"] or "resigns"
        if step["fault"]:
            answer = (
                f"{step['fault']['code']}: {step['fault']['detail']} {step['fault']['received']}".rstrip()
            )
        elif not step["legal"]:
            answer = f"illegal_move: {answer}"
        debug = f"  {step['debug']!r}" if step["debug"] else ""
        print_line(f"ply {step['ply']}: {answer}  {duration(step['wall_ms'] * 1e6)}  ({verdict}){debug}")
