"""What was refused, in a reader's language."""

from __future__ import annotations

import pytest

from arena.core.errors import AnyOf, ConflictError, InvalidError, Term, Worded
from arena.core.terms import TournamentState
from arena.web.pages.i18n import CHINESE, ENGLISH
from arena.web.pages.refusals import TERMS, told

REQUIRED = ConflictError(
    "%(tournament)r is %(state)s and cannot be %(what)s; it would have to be %(states)s",
    tournament="cup",
    state=TournamentState.DRAFT,
    what=Term("started"),
    states=AnyOf([TournamentState.OPEN, TournamentState.RUNNING]),
)


def _in_chinese(error: Worded) -> tuple[str, bool]:
    return told(error, CHINESE.translations().gettext, english=False)


def test_the_api_says_it_in_english() -> None:
    """Whatever the values are, the error's own text is a whole English sentence."""
    assert str(REQUIRED) == "'cup' is draft and cannot be started; it would have to be open or running"
    shown = told(REQUIRED, ENGLISH.translations().gettext, english=True)
    assert shown == (str(REQUIRED), True)


def test_pages_say_it_in_the_reader_s_language() -> None:
    """The message, our words in it and the states are translated; what others have named stays."""
    text, is_english = _in_chinese(REQUIRED)
    assert text == "「cup」目前是「草案」，不能開始；必須是開放報名或進行中才可以"  # noqa: RUF001  (Chinese signs)
    assert not is_english


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["lot"], "小組晉級不能以 lot 決定"),
        (["lot", "time"], "小組晉級不能以 lot或time 決定"),
        (["lot", "time", "discs"], "小組晉級不能以 lot、time或discs 決定"),
    ],
)
def test_one_of_several_things_is_named_as_one_would(names: list[str], said: str) -> None:
    """Of one alone there is no "or"."""
    error = InvalidError("nobody goes on from a group by %(names)s; leave that out", names=AnyOf(names))
    assert _in_chinese(error)[0].startswith(said)


def test_a_name_is_never_taken_for_a_word_of_ours() -> None:
    """A tournament that is called as one of our words keeps its name."""
    error = ConflictError("%(tournament)r has no parked match", tournament="started")
    assert "「started」" in _in_chinese(error)[0]


def test_a_reason_within_a_message_is_translated_too() -> None:
    """What another error said is said in the same language."""
    why = InvalidError("a bracket is simulated with at most %(most)s bots; ask for fewer", most=128)
    whole = InvalidError("%(why)s; this estimate is for %(bots)s bots", why=why, bots=200)
    assert str(whole) == f"{why}; this estimate is for 200 bots"
    text = "淘汰賽最多以 128 個機器人模擬；請減少數量；這項預估以 200 個機器人計算"  # noqa: RUF001  (likewise)
    assert _in_chinese(whole) == (text, False)


@pytest.mark.parametrize("text", ["100% of %(nothing)s", "what a game says", "<b>"])
def test_what_the_catalogue_lacks_stays_english(text: str) -> None:
    """Other packages' words stand as they are, marked as English, also where they look like a template."""
    assert _in_chinese(InvalidError(text)) == (text, True)


def test_all_words_of_ours_are_translated() -> None:
    """Each term has a word of its own in Chinese."""
    translate = CHINESE.translations().gettext
    assert [each for each in TERMS if translate(each) == each] == []
