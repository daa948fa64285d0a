"""What an arena refuses of a request, told by the options and arguments that said it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from arena.cli.shared.usage import in_our_words
from arena.core.words import N_, say

if TYPE_CHECKING:
    from arena.client.errors import Fault

SAID_BY = {
    "move_ms": "time",
    "extension_ms": "extension_time",
    "params": "param",
    "limits": "limit",
    "heroes": "hero",
    "reference_bots": "reference",
    "standings_order": "order",
    "class_name": "class",
    "tournaments": "tournament",
    "games": "game",
    "kinds": "kind",
}
"""Fields of requests whose option is called otherwise; of durations it is the name without the unit."""
UNITS = {"_ms": N_("milliseconds"), "_seconds": N_("seconds")}
"""How the names of durations end, and what they are counted in."""
BOUND = ("Input should be greater", "Input should be less")


def in_options(faults: Iterable[Fault], parameters: Sequence[Any]) -> str:
    """The faults in a sentence; a field that no option says keeps the API's name."""
    return "; ".join(
        say("{where}: {message}", where=_option(fault.where, parameters), message=_message(fault))
        for fault in faults
    )


def _message(fault: Fault) -> str:
    """What is wrong, with the unit of a bound: what was typed may have been in another one."""
    message = in_our_words(fault.message)
    unit = next((unit for end, unit in UNITS.items() if fault.where.endswith(end)), "")
    if not unit or not fault.message.startswith(BOUND):
        return message
    return say("{message} ({unit})", message=message, unit=say(unit))


def _option(where: str, parameters: Sequence[Any]) -> str:
    """What the command calls that field, the innermost part of it that the command knows."""
    known: dict[str, str] = {}
    for each in parameters:
        option = each.param_type_name == "option"
        called = max(each.opts, key=len) if option else each.metavar or each.name.upper()
        names = [each.name, *(opt.lstrip("-").replace("-", "_") for opt in each.opts)]
        known |= dict.fromkeys((name.rstrip("_") for name in names), called)
    for part in reversed(where.split(".")):
        for name in (part, SAID_BY.get(part, ""), part.removesuffix("_ms"), part.removesuffix("_seconds")):
            if name in known:
                return known[name]
    return where
