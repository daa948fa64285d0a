"""If a tournament does not fit into the time that there is: what would."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from arena.core.terms import Change, Fits
from arena.planning.forecast import Forecast
from arena.planning.monte_carlo import EndlessError
from arena.theory.pairing.contract import FormatName
from arena.theory.pairing.format import FormatError
from workers.core.contract import TimeControl

TIMES_MS = (
    *(100, 200, 500, 1000, 2000, 3000, 5000, 10_000, 15_000, 20_000, 30_000),
    *(45_000, 60_000, 90_000, 120_000, 180_000, 300_000, 600_000, 1_200_000, 1_800_000),
)
OTHER_FORMATS = (FormatName.ROUND_ROBIN, FormatName.SWISS, FormatName.GROUPS, FormatName.KNOCKOUT)
MAX_WORKERS = 1024


def fits(forecast: Forecast, seconds: float) -> Fits:
    """How well a tournament fits into so many seconds."""
    if forecast.worst <= seconds:
        return Fits.SURELY
    if forecast.span.high <= seconds:
        return Fits.LIKELY
    return Fits.PERHAPS if forecast.span.low <= seconds else Fits.NO


@dataclass(frozen=True)
class WhatIf:
    """What decides how long a tournament takes, and what can be changed about it."""

    format: str
    options: Mapping[str, Any]
    openings: int
    time: TimeControl
    workers: int


class Alternative(NamedTuple):
    """One change that makes it fit: the new draft and its forecast."""

    change: Change
    draft: WhatIf
    forecast: Forecast
    fits: Fits


Judge = Callable[[WhatIf], Forecast]
ENOUGH = (Fits.SURELY, Fits.LIKELY)


def alternatives(draft: WhatIf, judge: Judge, seconds: float) -> Iterator[Alternative]:
    """For each kind of change the smallest, if any, that makes the draft likely to fit into the time."""
    kinds = (
        (Change.OPENINGS, _openings(draft)),
        (Change.CYCLES, _cycles(draft)),
        (Change.TIME, _times(draft)),
        (Change.WORKERS, _workers(draft)),
    )
    for change, drafts in kinds:
        alternative = _first(change, drafts, judge, seconds)
        if alternative is not None:
            yield alternative
    for other in _formats(draft):
        alternative = _first(Change.FORMAT, [other], judge, seconds)
        if alternative is not None:
            yield alternative


def _first(change: Change, drafts: list[WhatIf], judge: Judge, seconds: float) -> Alternative | None:
    """The first that fits, of drafts that get shorter from one to the next; found by halving."""
    found: Alternative | None = None
    low, high = 0, len(drafts)
    while low < high:
        middle = (low + high) // 2
        try:
            forecast = judge(drafts[middle])
        except (FormatError, EndlessError):
            return None
        how = fits(forecast, seconds)
        if how in ENOUGH:
            found, high = Alternative(change, drafts[middle], forecast, how), middle
        else:
            low = middle + 1
    return found


def _openings(draft: WhatIf) -> list[WhatIf]:
    return [replace(draft, openings=count) for count in range(draft.openings - 1, 0, -1)]


def _cycles(draft: WhatIf) -> list[WhatIf]:
    if draft.format == FormatName.DOUBLE_ROUND_ROBIN:
        return [replace(draft, format=FormatName.ROUND_ROBIN, options={})]
    cycles = draft.options.get("cycles", 1)
    return [replace(draft, options={**draft.options, "cycles": count}) for count in range(cycles - 1, 0, -1)]


def _times(draft: WhatIf) -> list[WhatIf]:
    shorter = [ms for ms in reversed(TIMES_MS) if ms < draft.time.move_ms]
    return [replace(draft, time=scaled(draft.time, ms)) for ms in shorter]


def scaled(time: TimeControl, move_ms: int) -> TimeControl:
    """The same control with `move_ms` for an answer, and extensions, bank and increment in proportion."""

    def part(milliseconds: int) -> int:
        return milliseconds * move_ms // time.move_ms

    bank = None if time.bank_ms is None else part(time.bank_ms)
    return time.model_copy(
        update={
            "move_ms": move_ms,
            "extension_ms": part(time.extension_ms),
            "bank_ms": bank,
            "increment_ms": part(time.increment_ms),
        }
    )


def _workers(draft: WhatIf) -> list[WhatIf]:
    return [replace(draft, workers=count) for count in range(draft.workers + 1, MAX_WORKERS + 1)]


def _formats(draft: WhatIf) -> list[WhatIf]:
    return [replace(draft, format=name, options={}) for name in OTHER_FORMATS if name != draft.format]
