"""The words for how games end."""

from __future__ import annotations

from arena.web.answers.marking import N_
from workers.core.contract import PLY_LIMIT, RESIGNED, FaultCode

REASONS = {
    "repetition": N_("the same position came up too often"),
    PLY_LIMIT: N_("the match took as many plies as it may"),
    RESIGNED: N_("the other side resigned"),
    "withdrawn": N_("the other side withdrew"),
    "disqualified": N_("the other side was disqualified"),
    "manual": N_("the staff decided"),
}
FAULTS = {
    FaultCode.TIMEOUT: N_("out of time"),
    FaultCode.CRASH: N_("crashed"),
    FaultCode.ILLEGAL_MOVE: N_("illegal move"),
    FaultCode.MALFORMED: N_("unreadable answer"),
    FaultCode.OVERSIZE: N_("too much output"),
    FaultCode.PROTOCOL_ERROR: N_("answer out of turn"),
    FaultCode.RESOURCE: N_("used more than allowed"),
    FaultCode.STARTUP: N_("did not start"),
}


def reason(code: str) -> str:
    """The message for the reason of a result; a reason without words stands for itself."""
    return REASONS.get(code) or FAULTS.get(code) or code.replace("_", " ")  # type: ignore[call-overload]  # a StrEnum's keys equal their texts
