"""The strict parser: every rule of the protocol, and nothing but its own error whatever comes in."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bots.protocol.strict_json import MAX_DEPTH, MalformedError, parse_object

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers(-(10**18) + 1, 10**18 - 1) | st.floats(allow_nan=False, allow_infinity=False).filter(
    lambda value: sum(char.isdigit() for char in repr(value)) <= 18
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=15,
)

REFUSED = {
    "empty": (b"", "not JSON"),
    "bom": (b'\xef\xbb\xbf{"a":1}', "byte order mark"),
    "latin-1": (b'{"a":"\xe9"}', "not valid UTF-8 at byte 6"),
    "overlong": (b'{"a":"\xc0\x80"}', "not valid UTF-8"),
    "surrogate bytes": (b'{"a":"\xed\xa0\x80"}', "not valid UTF-8"),
    "raw NUL": (b'{"a":"\x00"}', "NUL"),
    "NUL between": (b'{"a":1}\x00', "NUL"),
    "escaped NUL": (rb'{"a":"\u0000"}', "escaped NUL"),
    "escaped NUL in a key": (rb'{"\u0000":1}', "escaped NUL"),
    "lone high surrogate": (rb'{"a":"\ud83d"}', "lone surrogate"),
    "lone low surrogate": (rb'{"a":["\uDE00"]}', "lone surrogate"),
    "surrogates in the wrong order": (rb'{"a":"\ude00\ud83d"}', "lone surrogate"),
    "array": (b"[1]", "must be a JSON object, not an array"),
    "string": (b'"a"', "must be a JSON object, not a string"),
    "number": (b"1", "must be a JSON object, not a number"),
    "null": (b"null", "must be a JSON object, not null"),
    "NaN": (b'{"a":NaN}', "NaN"),
    "Infinity": (b'{"a":-Infinity}', "-Infinity"),
    "overflow": (b'{"a":1e999}', "not finite"),
    "19 digits": (b'{"a":1234567890123456789}', "more than 18 digits"),
    "many digits": (b'{"a":' + b"9" * 4000 + b"}", "more than 18 digits"),
    "19 digits in a fraction": (b'{"a":0.123456789012345678}', "more than 18 digits"),
    "twice": (b'{"a":1,"a":1}', "'a' twice"),
    "twice inside": (b'{"b":[{"a":1,"\\u0061":2}]}', "'a' twice"),
    "two objects": (b'{"a":1}{"b":2}', "not JSON"),
    "trailing comma": (b'{"a":1,}', "not JSON"),
    "single quotes": (b"{'a':1}", "not JSON"),
    "raw newline in a string": (b'{"a":"\n"}', "not JSON"),
    "too deep": (b'{"a":' * 32 + b"[]" + b"}" * 32, "deeper than 32"),
    "far too deep": (b'{"a":' + b"[" * 60_000, "deeper than 32"),
}


@pytest.mark.parametrize(("line", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_each_rule_refuses(line: bytes, words: str) -> None:
    """A line that breaks one rule is refused in that rule's words."""
    with pytest.raises(MalformedError, match=words):
        parse_object(line)


ACCEPTED: dict[str, tuple[bytes, Any]] = {
    "spaces and a carriage return": (b' {"a" : 1 } \r', {"a": 1}),
    "18 digits": (b'{"a":-123456789012345678}', {"a": -123456789012345678}),
    "exponent": (b'{"a":1.5e300}', {"a": 1.5e300}),
    "pair of surrogates": (rb'{"a":"\ud83d\ude00"}', {"a": "\N{GRINNING FACE}"}),
    "escaped backslash before u0000": (rb'{"a":"\\u0000"}', {"a": r"\u0000"}),
    "escaped backslash before ud800": (rb'{"a":"\\ud800"}', {"a": r"\ud800"}),
    "same key at two levels": (b'{"a":{"a":1}}', {"a": {"a": 1}}),
    "many brackets in a string": (b'{"a":"' + b"[{" * 50 + b'"}', {"a": "[{" * 50}),
    "many brackets side by side": (b'{"a":[' + b"[]," * 50 + b"[]]}", {"a": [[]] * 51}),
    "brackets after an escaped quote": (b'{"a":"\\"' + b"[" * 50 + b'"}', {"a": '"' + "[" * 50}),
}


@pytest.mark.parametrize(("line", "value"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_each_rule_stops_where_it_should(line: bytes, value: dict[str, Any]) -> None:
    """What only looks like a broken rule is accepted."""
    assert parse_object(line) == value


def test_depth_is_counted_with_the_object_itself() -> None:
    """32 levels are accepted, the line's own object being the first."""
    depth = MAX_DEPTH - 1
    assert parse_object(b'{"a":' + b"[" * depth + b"]" * depth + b"}")


@given(st.dictionaries(TEXTS, VALUES, max_size=5), st.booleans())
def test_what_json_writes_is_read_back(value: dict[str, Any], ascii_only: bool) -> None:
    """Every good object comes back as it was written, escaped or not."""
    line = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert parse_object(line) == value


PIECES = (
    *(
        b'{"a":',
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b"\\",
        b"\\u",
        b"d800",
        b"0000",
        b"NaN",
        b"1e999",
        b"-",
        b"9" * 20,
    ),
    *(b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x00", b",", b":", b'"a"', b"null", b"\xff", b"\t", b"[" * 40),
)
NASTY = st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join)


@given(st.binary(max_size=200) | NASTY | NASTY.map(lambda inside: b'{"a":' + inside + b"}"))
@example(b'{"a":"' + b"\\")
@example(b"[" * 100_000)
@example(b'{"":' * 100_000)
def test_any_bytes_give_an_object_or_a_malformed_error(line: bytes) -> None:
    """Nothing that a bot can send raises anything but `MalformedError`, and what passes keeps every rule."""
    try:
        value = parse_object(line)
    except MalformedError:
        return
    _check(value, 1)
    assert isinstance(value, dict)


def _check(value: Any, depth: int) -> None:
    if isinstance(value, str):
        assert "\0" not in value
        value.encode()
    elif isinstance(value, float):
        assert math.isfinite(value)
    elif isinstance(value, int):
        assert abs(value) < 10**18
    elif isinstance(value, dict | list):
        assert depth <= MAX_DEPTH
        for item in [*value, *value.values()] if isinstance(value, dict) else value:
            _check(item, depth + 1)


def test_no_line_takes_long() -> None:
    """A full line of escaped quotes in an unclosed string, behind many brackets, is refused at once.

    What is stolen from a virtual machine may count as this process's, so the quickest of several counts.
    """
    line = b'{"a":"' + b"[" * 40 + b'\\"' * 32_000
    assert any(_refused_in(line) < 1 for _ in range(5))


def _refused_in(line: bytes) -> float:
    start = time.process_time()
    with pytest.raises(MalformedError):
        parse_object(line)
    return time.process_time() - start
