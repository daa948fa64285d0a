"""The messages of `arena/1`: what is written, what is taken as an answer, and which error the rest gets."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.protocol import messages
from bots.protocol.messages import (
    MAX_DEBUG_BYTES,
    MAX_MOVE_CHARS,
    READY_FORM,
    Answer,
    Ready,
    UnexpectedError,
    answer_form,
    encode,
    parse_answer,
    parse_ready,
)
from bots.protocol.strict_json import MalformedError

READY = {"type": "ready", "protocol": "arena/1"}


def test_a_message_is_one_line() -> None:
    """Newlines in values are escaped, other scripts are written as they are."""
    line = encode({"type": "hello", "match": "a\nb", "name": "黑白棋"})
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert "黑白棋".encode() in line
    assert json.loads(line)["match"] == "a\nb"


def test_ready_is_read_with_its_defaults() -> None:
    """Name and version may be missing, and a bot is not reusable unless it says so."""
    assert parse_ready(encode(READY)) == Ready("", "", reusable=False)
    full = {**READY, "name": "n", "version": "v", "reusable": True, "more": [1]}
    assert parse_ready(encode(full)) == Ready("n", "v", reusable=True)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"type": "move"}, UnexpectedError),
        ({"type": None}, UnexpectedError),
        ({"type": ["ready"]}, UnexpectedError),
        ({"protocol": "arena/2"}, UnexpectedError),
        ({"protocol": None}, UnexpectedError),
        ({"reusable": 1}, MalformedError),
        ({"name": 5}, MalformedError),
        ({"version": "v" * 201}, MalformedError),
    ],
)
def test_a_bad_ready_is_refused(change: dict[str, Any], error: type[Exception]) -> None:
    """Another message or protocol is unexpected, a field of the wrong kind is malformed."""
    with pytest.raises(error):
        parse_ready(encode({**READY, **change}))


def test_a_move_a_debug_text_and_a_resignation_are_read() -> None:
    """A move, a move with a debug text and a resignation are each read as what they are."""
    assert parse_answer(b'{"type":"move","id":17,"move":"d3"}', 17) == Answer("d3", None)
    assert parse_answer(b'{"type":"move","id":17,"move":"d3","debug":"why"}', 17) == Answer("d3", "why")
    assert parse_answer(b'{"type":"resign","id":17}', 17) == Answer(None, None)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"id": 16}, UnexpectedError),
        ({"id": None}, UnexpectedError),
        ({"id": "1"}, UnexpectedError),
        ({"id": True}, UnexpectedError),
        ({"id": 1.0}, UnexpectedError),
        ({"type": "ready"}, UnexpectedError),
        ({"type": {}}, UnexpectedError),
        ({"move": None}, MalformedError),
        ({"move": ""}, MalformedError),
        ({"move": ["d3"]}, MalformedError),
        ({"move": "x" * (MAX_MOVE_CHARS + 1)}, MalformedError),
        ({"debug": 3}, MalformedError),
        ({"debug": "é" * (MAX_DEBUG_BYTES // 2) + "e"}, MalformedError),
    ],
)
def test_a_bad_answer_is_refused(change: dict[str, Any], error: type[Exception]) -> None:
    """Another request's answer is unexpected, its id may not even be 1.0; wrong kinds are malformed."""
    with pytest.raises(error):
        parse_answer(encode({"type": "move", "id": 1, "move": "d3", **change}), 1)


def test_the_longest_debug_text_is_taken() -> None:
    """The limit counts bytes, and is inclusive."""
    debug = "é" * (MAX_DEBUG_BYTES // 2)
    assert parse_answer(encode({"type": "resign", "id": 1, "debug": debug}), 1) == Answer(None, debug)


def test_the_forms_shown_as_evidence_are_right() -> None:
    """What a bot is told to send would be accepted."""
    assert parse_ready(READY_FORM.split(" and ")[0].encode())
    assert parse_answer(answer_form(7, ["d3"]).split(" and ")[0].encode(), 7).move


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        key: SCALARS | st.lists(SCALARS, max_size=2) | st.sampled_from(["move", "resign", "ready", "arena/1"])
        for key in ("type", "id", "move", "debug", "protocol", "name", "version", "reusable")
    },
)


@given(FIELDS.map(lambda fields: json.dumps(fields).encode()) | st.binary(max_size=60))
def test_any_line_gives_an_answer_or_one_of_two_errors(line: bytes) -> None:
    """Nothing that a bot can send raises anything but `MalformedError` or `UnexpectedError`."""
    for parse in (parse_ready, lambda data: parse_answer(data, 1)):
        with contextlib.suppress(MalformedError, UnexpectedError):
            parse(line)


NEARLY_PLAIN = [
    '{"type":"move","id":7,"move":"a1"}',
    '{"type": "move", "id": 7, "move": "a1"}',
    '{"type":"move","id":07,"move":"a1"}',
    '{"type":"move","id":7.0,"move":"a1"}',
    '{"type":"move","id":-7,"move":"a1"}',
    '{"type":"move","id":8,"move":"a1"}',
    '{"type":"move","id":7,"move":""}',
    '{"type":"move","id":7,"move":"a\\u00311"}',
    '{"type":"move","id":7,"move":"a\t1"}',
    '{"type":"move","id":7,"move":"a\x7f1"}',
    '{"type":"move","id":7,"move":"\u9ed1"}',
    '{"type":"move","id":7,"move":"a1","move":"b2"}',
    '{"type":"move","id":7,"move":"a1"} ',
    '{"type":"move","id":7,"move":"a1"}{}',
    '{"type":"move","id":7,"move":"%s"}' % ("a" * MAX_MOVE_CHARS),
    '{"type":"move","id":7,"move":"%s"}' % ("a" * (MAX_MOVE_CHARS + 1)),
    '{"id":7,"type":"move","move":"a1"}',
    '{"type":"resign","id":7}',
]


@pytest.mark.parametrize("line", NEARLY_PLAIN)
def test_the_short_way_to_an_answer_changes_nothing(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is read without the parser gives what the parser gives, and any other goes to that."""

    def outcome() -> object:
        try:
            return parse_answer(line.encode(), 7)
        except ValueError as error:
            return type(error), str(error)

    short = outcome()
    monkeypatch.setattr(messages, "_PLAIN_ANSWER", re.compile(rb"(?!)"))
    assert outcome() == short
