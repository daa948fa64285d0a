"""What whoever wrote a bot is told to look for after a fault of it."""

from __future__ import annotations

from arena.core.diagnosis import missing_module, was_busy, was_silent
from arena.core.words import say
from workers.core.contract import FaultCode


def advice_of(
    code: str, detail: str, stderr: str, *, clock: float, cpu: float | None, received: str
) -> str | None:
    """What most likely lies behind a fault with this evidence, in the reader's language."""
    if module := missing_module(stderr):
        return say(
            "{module} is not there: a bot has Python's standard library and what it brings in its zip",
            module=module,
        )
    if was_silent(code, detail, clock=clock, cpu=cpu, received=received):
        return say("nothing came from it: is each answer a whole line, and flushed?")
    if was_busy(code, clock=clock, cpu=cpu):
        return say(
            "it computed all the time: let it look at the request's `time`, and answer before that is over"
        )
    return None


def protocol_of(code: str, bot: str) -> str:
    """Which other protocol a bot may speak that did not get ready, in the reader's language; mostly nothing.

    `bot` is as it is given to commands.
    """
    if code != FaultCode.STARTUP:
        return ""
    from arena.local.submission import protocol_hint

    return protocol_hint(bot)
