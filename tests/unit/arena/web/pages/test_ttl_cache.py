"""What is worked out once is told to everybody for a while."""

from __future__ import annotations

import pytest

from arena.web.pages.ttl_cache import TtlCache


def test_an_answer_is_kept_for_its_time_and_no_longer() -> None:
    """Within the time the first answer is told, to each question its own; after it there is another one."""
    now = [0.0]
    kept: TtlCache[int] = TtlCache(10, lambda: now[0])
    assert [kept.answer("a", lambda: 1), kept.answer("a", lambda: 2), kept.answer("b", lambda: 3)] == [
        1,
        1,
        3,
    ]
    now[0] = 9.9
    assert kept.answer("a", lambda: 4) == 1
    now[0] = 10
    assert kept.answer("a", lambda: 5) == 5


def test_its_time_begins_when_it_is_found() -> None:
    """What took longer to work out than it is kept is told at least once more."""
    now = [0.0]
    kept: TtlCache[int] = TtlCache(10, lambda: now[0])

    def slow() -> int:
        now[0] += 60
        return 1

    assert [kept.answer("a", slow), kept.answer("a", lambda: 2)] == [1, 1]


def test_an_error_is_not_kept() -> None:
    """Where nothing was found the next one who asks has it worked out anew."""
    kept: TtlCache[int] = TtlCache(10, lambda: 0.0)
    with pytest.raises(ZeroDivisionError):
        kept.answer("a", lambda: 1 // 0)
    assert kept.answer("a", lambda: 2) == 2


def test_one_question_does_not_wait_for_another() -> None:
    """While the answer to one question is being worked out, others are answered."""
    kept: TtlCache[int] = TtlCache(10, lambda: 0.0)
    assert kept.answer("slow", lambda: kept.answer("quick", lambda: 1) + 1) == 2
