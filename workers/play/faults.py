"""What is wrong with what a bot sent or did instead: pure functions."""

from __future__ import annotations

import signal

from bots.protocol.messages import Answer, UnexpectedError, parse_answer
from bots.protocol.strict_json import MalformedError
from workers.core.contract import NOT_READY, CpuContention, FaultCode, Limits
from workers.play.clock import NS_PER_MS, excused
from workers.play.player import Fault

KEPT_OVERSIZE = 400
NS_PER_S = 1000 * NS_PER_MS

RESOURCE_SIGNALS = {"SIGXCPU": "CPU time", "SIGXFSZ": "file size", "SIGKILL": "memory or CPU"}


def end_fault(status: int | None, received: bytes) -> Fault:
    """The fault of a process that ended with `status` (negative: by that signal), None if it only hung up."""
    if status is None:
        return Fault(FaultCode.CRASH, "closed its input or output but did not end", received)
    if status >= 0:
        return Fault(FaultCode.CRASH, f"ended by itself with exit status {status}", received)
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    if limit := RESOURCE_SIGNALS.get(name):
        return Fault(FaultCode.RESOURCE, f"was ended by {name}: it used too much {limit}", received)
    return Fault(FaultCode.CRASH, f"was ended by {name}", received)


def startup(heard: Fault, startup_ms: int, strain: CpuContention) -> Fault:
    """The fault of a bot that is not ready within `startup_ms`: it did this instead."""
    detail, late = heard.detail, heard.code is FaultCode.TIMEOUT
    if late:
        detail = f"{NOT_READY} {startup_ms / 1000:g} s"
    excuse = late and excused(strain.lost_ns, startup_ms * NS_PER_MS)
    return Fault(FaultCode.STARTUP, detail, heard.received, strain, excuse)


def answer_to(heard: bytes | Fault, request_id: int) -> Answer | Fault:
    """The answer to request `request_id` in the line that was heard, or the fault."""
    if isinstance(heard, Fault):
        return heard
    try:
        return parse_answer(heard, request_id)
    except MalformedError as error:
        return Fault(FaultCode.MALFORMED, f"the answer is malformed: {error}", heard)
    except UnexpectedError as error:
        return Fault(FaultCode.PROTOCOL_ERROR, f"the answer does not fit the request: {error}", heard)


def exhausted(limits: Limits, cpu_ns: int, wall_ns: int) -> Fault | None:
    """The fault of having used up what one match may take."""
    if cpu_ns >= limits.cpu_seconds * NS_PER_S:
        detail = f"used more than {limits.cpu_seconds} s of processor time in one match"
        return Fault(FaultCode.RESOURCE, detail)
    if wall_ns >= limits.wall_seconds * NS_PER_S:
        detail = f"took more than {limits.wall_seconds} s for its answers in one match"
        return Fault(FaultCode.RESOURCE, detail)
    return None


def oversize(limits: Limits, received: bytes) -> Fault:
    """The fault of having written too much, in one line or in the match."""
    if len(received) > limits.line_bytes:
        detail = f"wrote a line of more than {limits.line_bytes} bytes"
    else:
        detail = f"wrote more than {limits.output_bytes} bytes in one match"
    return Fault(FaultCode.OVERSIZE, detail, received[:KEPT_OVERSIZE])
