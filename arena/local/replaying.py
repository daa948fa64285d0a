"""A bot asked again: its answers beside those that were recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.core.words import say
from arena.local.errors import LocalError
from bots.protocol.messages import Answer
from workers.core.contract import Forfeit, MatchRecord, Seat
from workers.core.escape import escape_bytes
from workers.play.match import ReplayStartError, ReplayStep, replay
from workers.sandbox.confinement import Startable


def replayed(
    record: MatchRecord, seat: Seat, command: Startable, until: int | None
) -> Iterator[dict[str, Any]]:
    """Each question with the answer of now, what the bot wrote to its stderr, and what was recorded.

    Raises:
        LocalError: the bot did not get ready.
        SpecError, LaunchError: the match is impossible here, or the bot cannot be started.
    """
    lost_by = next((forfeit for forfeit in record.result.forfeits if forfeit.seat == seat), None)
    said = 0
    try:
        for step in replay(record, seat, command, until):
            words = step.stderr.head + step.stderr.tail
            fault = lost_by if step.recorded_move is None else None
            yield _step(step) | {"recorded_fault": _recorded(fault), "stderr": words[said:]}
            said = len(words)
    except ReplayStartError as error:
        raise LocalError(say("the bot did not get ready: {error}", error=error)) from None


def _recorded(fault: Forfeit | None) -> dict[str, Any] | None:
    return None if fault is None else {"code": str(fault.code), "received": fault.received}


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
