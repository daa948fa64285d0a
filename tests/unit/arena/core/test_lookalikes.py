"""Names that cannot be told apart by eye are not accepted beside each other."""

from __future__ import annotations

from itertools import pairwise

import pytest

from arena.core.errors import ConflictError, InvalidError
from arena.core.lookalikes import check_distinct, look_alikes, skeleton
from arena.core.names import check_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "\u0430nn"),  # Cyrillic
        ("alpha", "\u03b1lpha"),  # Greek
        ("第１隊", "第1隊"),
        ("alice", "ａｌｉｃｅ"),  # noqa: RUF001
        ("bot1", "botl"),
        ("bot0", "botO"),
        ("corn", "com"),
        ("口", "ロ"),
        ("caf\u00e9", "cafe\u0301"),
    ],
)
def test_look_alikes_have_one_skeleton(one: str, other: str) -> None:
    """Other scripts, widths and shapes of the same look are one name, to whichever was there first."""
    assert skeleton(one) == skeleton(other)
    with pytest.raises(ConflictError, match="looks like the user"):
        check_distinct("user", other, [one])


def test_different_names_stay_different() -> None:
    """What can be told apart by eye can be named, and a name never looks like itself."""
    names = ["ann", "Ann", "bob", "team-1", "team-2", "team-10", "team_1", "第一隊", "第二隊", "café", "cafe"]
    assert len(look_alikes(names)) == len(names)
    for name, other in pairwise(names):
        check_distinct("bot", name, [name, other])


@pytest.mark.parametrize(("one", "other"), ["土士", "鹂鹃", "口囗", "杮柿", "值値", "朏胐"])
def test_chinese_characters_that_differ_by_a_stroke_are_different(one: str, other: str) -> None:
    """Two pupils with such names can both be let in; of a character, other forms are still the same."""
    check_distinct("user", f"王{one}明", [f"王{other}明"])
    assert skeleton("⼟⼠") == skeleton("土士")


@pytest.mark.parametrize(
    "name", ["\u3164", "ann\u3164", "a\u115fb", "a\u200bb", "a\u2060b", "a\u00adb", "a\ufe0f"]
)
def test_invisible_characters_name_nothing(name: str) -> None:
    """Letters without a shape, joiners, soft hyphens and selectors are refused, and shown as escapes."""
    with pytest.raises(InvalidError, match=r"\\u|\\x|letters, digits") as told:
        check_name("user", name)
    assert str(told.value).isprintable()
