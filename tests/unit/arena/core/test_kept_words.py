"""What errors have said, kept as JSON."""

from __future__ import annotations

import json

import pytest

from arena.core.errors import AnyOf, ConflictError, Term, Worded
from arena.core.kept_words import kept, said
from arena.core.terms import Act, TournamentState


def test_all_that_an_error_said_comes_back() -> None:
    """Names, numbers, words of ours, states, one of several things, and another error within."""
    error = ConflictError(
        "%(cup)r is %(state)s, %(what)s, %(states)s, %(act)s, %(number)d: %(why)s",
        cup="spring",
        state=TournamentState.DRAFT,
        what=Term("started"),
        states=AnyOf([TournamentState.OPEN, Term("ended")]),
        act=Act.START,
        number=3,
        why=Worded("no %(bot)s", bot="x"),
    )
    read = said(json.loads(json.dumps(kept(error))), str(error))
    assert (str(read), read.message) == (str(error), error.message)
    there, back = list(error.values.items())[:-1], list(read.values.items())[:-1]
    assert there == back
    assert [type(each) for _, each in there] == [type(each) for _, each in back]
    assert isinstance(read.values["why"], Worded)


@pytest.mark.parametrize(
    "words",
    [
        None,
        {},
        {"message": "%(a)s"},
        {"message": "%(a)s", "values": {"a": {"word": "?", "of": "Act"}}},
        {"message": "%(a)s", "values": {"a": {"word": "open", "of": "Later"}}},
    ],
)
def test_what_is_not_known_here_stays_english(words: dict[str, object] | None) -> None:
    """Old events have none, and those of another version may have others."""
    assert str(said(words, "100% of it failed")) == "100% of it failed"
