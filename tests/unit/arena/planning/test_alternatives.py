"""What would fit is the smallest change of each kind."""

from __future__ import annotations

import pytest

from arena.core.terms import Change, Fits, Source
from arena.planning.alternatives import Alternative, WhatIf, alternatives, fits, scaled
from arena.planning.durations import DurationSample
from arena.planning.forecast import Forecast, Range, Resources, Span, forecast
from arena.planning.monte_carlo import at_the_start
from arena.theory.pairing.formats import find_format
from workers.core.contract import TimeControl

TIME = TimeControl(move_ms=10_000, extensions=1, extension_ms=30_000, bank_ms=5000, increment_ms=100)
DRAFT = WhatIf("double_round_robin", {}, 4, TIME, 2)
BOTS = 6


def _judge(draft: WhatIf) -> Forecast:
    """Every match takes 1 s for each second of the move time; all that is sure."""
    seconds = draft.time.move_ms / 1000
    evidence = DurationSample(Source.HISTORY, 1, {1: [seconds / 2]}, (0.0,))
    fmt = find_format(draft.format, draft.options, draft.openings)
    return forecast(fmt, at_the_start(BOTS), [1] * BOTS, evidence, Resources(draft.workers, 2 * seconds))


def _found(draft: WhatIf, seconds: float) -> dict[Change, list[Alternative]]:
    found: dict[Change, list[Alternative]] = {}
    for each in alternatives(draft, _judge, seconds):
        found.setdefault(each.change, []).append(each)
    return found


@pytest.mark.parametrize(
    ("seconds", "expected"), [(100, Fits.SURELY), (99, Fits.LIKELY), (29, Fits.PERHAPS), (9, Fits.NO)]
)
def test_how_well_it_fits(seconds: float, expected: Fits) -> None:
    """The worst case, the upper and the lower end of the interval divide the answers."""
    assert fits(Forecast(Range(1, 1, 1), 1, Span(20, 10, 30), 100), seconds) == expected


def test_the_smallest_change_of_each_kind_is_found() -> None:
    """240 matches of 10 s on two workers take 1200 s; in 600 s just half of everything fits."""
    assert _judge(DRAFT).span.expected == 1200
    found = _found(DRAFT, 600)
    assert found[Change.OPENINGS][0].draft.openings == 2
    assert (found[Change.CYCLES][0].draft.format, found[Change.CYCLES][0].draft.options) == (
        "round_robin",
        {},
    )
    assert found[Change.TIME][0].draft.time.move_ms == 5000
    assert found[Change.WORKERS][0].draft.workers == 4
    assert {each.draft.format for each in found[Change.FORMAT]} >= {"round_robin", "swiss"}
    assert all(each.forecast.span.high <= 600 for group in found.values() for each in group)


def test_what_is_just_too_long_needs_just_a_bit() -> None:
    """A second less than it takes costs one opening and one worker, no more."""
    found = _found(DRAFT, 1199)
    assert found[Change.OPENINGS][0].draft.openings == 3
    assert found[Change.WORKERS][0].draft.workers == 3


def test_where_nothing_of_a_kind_helps_none_is_offered() -> None:
    """With a second no number of openings helps, nor a format; a plain round robin has no fewer cycles."""
    assert set(_found(DRAFT, 1)) <= {Change.TIME}
    assert Change.CYCLES not in _found(WhatIf("round_robin", {}, 0, TIME, 1), 100)


def test_a_scaled_clock_keeps_its_proportions() -> None:
    """Extension, bank and increment shrink with the time for a move; what is not there stays so."""
    half = scaled(TIME, 5000)
    assert (half.move_ms, half.extension_ms, half.bank_ms, half.increment_ms) == (5000, 15_000, 2500, 50)
    assert scaled(TimeControl(), 1000).bank_ms is None
