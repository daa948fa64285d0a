"""The clock: limits, extensions, bank and increment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workers.core.contract import TimeControl
from workers.play.clock import NS_PER_MS, Charge, Clock

SECOND = 1000 * NS_PER_MS
CLASS_RULE = TimeControl(move_ms=60_000, extensions=3, extension_ms=120_000, grace_ms=100)


def test_an_answer_within_the_limit_costs_no_extension() -> None:
    """Sixty seconds and the grace are free under the class rule."""
    clock = Clock(CLASS_RULE)
    assert clock.charge(60 * SECOND + 100 * NS_PER_MS) == Charge(in_time=True, extension=False)
    assert clock.extensions_left == 3


def test_a_late_answer_spends_an_extension_until_none_is_left() -> None:
    """Three answers a game may take up to 120 s; the fourth late one has lost on time."""
    clock = Clock(CLASS_RULE)
    for left in (2, 1, 0):
        assert clock.charge(119 * SECOND) == Charge(in_time=True, extension=True)
        assert clock.extensions_left == left
    assert clock.allowed_ns() == 60 * SECOND + 100 * NS_PER_MS
    assert clock.charge(61 * SECOND) == Charge(in_time=False, extension=False)


def test_an_answer_later_than_the_extension_has_lost_and_still_spent_it() -> None:
    """The extension moves the limit to 120 s in all and the grace, not further."""
    clock = Clock(CLASS_RULE)
    assert clock.charge(120 * SECOND + 100 * NS_PER_MS) == Charge(in_time=True, extension=True)
    assert clock.charge(120 * SECOND + 101 * NS_PER_MS) == Charge(in_time=False, extension=True)


def test_the_bank_pays_before_an_extension_does() -> None:
    """Time beyond the move limit is drawn from the bank; only what it cannot cover costs an extension."""
    clock = Clock(
        TimeControl(
            move_ms=1000, extensions=1, extension_ms=10_000, bank_ms=3000, increment_ms=500, grace_ms=0
        )
    )
    assert clock.charge(2 * SECOND) == Charge(in_time=True, extension=False)
    assert clock.bank_ms == 2500
    assert clock.charge(4 * SECOND) == Charge(in_time=True, extension=True)
    assert clock.bank_ms == 500
    assert clock.allowed_ns() == 1500 * NS_PER_MS


def test_a_bot_sees_its_ledger_but_never_the_grace() -> None:
    """What a request shows is what the rules promise."""
    clock = Clock(CLASS_RULE)
    clock.charge(412 * NS_PER_MS)
    assert clock.shown() == {"move_ms": 60_000, "extensions_left": 3, "bank_ms": None, "last_ms": 412}


@given(
    st.builds(
        TimeControl,
        move_ms=st.integers(1, 500),
        extensions=st.integers(0, 3),
        extension_ms=st.integers(0, 1000),
        bank_ms=st.none() | st.integers(0, 500),
        increment_ms=st.integers(0, 100),
        grace_ms=st.integers(0, 50),
    ),
    st.lists(st.integers(0, 1500), max_size=12),
)
def test_the_limit_that_is_waited_for_is_the_limit_that_is_judged_by(
    control: TimeControl, times: list[int]
) -> None:
    """An answer is in time exactly when it came within `allowed_ns`, and no ledger ever goes below zero."""
    clock = Clock(control)
    for elapsed in times:
        allowed = clock.allowed_ns()
        before = clock.extensions_left
        charge = clock.charge(elapsed * NS_PER_MS)
        assert charge.in_time == (elapsed * NS_PER_MS <= allowed)
        assert clock.extensions_left == before - charge.extension >= 0
        assert clock.bank_ms is None or clock.bank_ms >= 0
    assert clock.total_ns == sum(times) * NS_PER_MS
    assert clock.slowest_ns == max(times, default=0) * NS_PER_MS
