"""What JSON may be like before anybody looks at what it says."""

from __future__ import annotations

import json

import pytest

from arena.core.errors import InvalidError
from arena.web.http.json_bounds import MAX_DEEP, MAX_DIGITS, MAX_PARTS, check


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (json.dumps({f"key {number}": 1 for number in range(MAX_PARTS + 1)}), "parts"),
        (json.dumps([0] * (MAX_PARTS + 1)), "parts"),
        (json.dumps([{"key": [0] * 99}] * (MAX_PARTS // 100)), "parts"),
        ("[" * (MAX_DEEP + 2) + "]" * (MAX_DEEP + 2), "deeper"),
        ('{"a":' * (MAX_DEEP + 2) + "1" + "}" * (MAX_DEEP + 2), "deeper"),
        ("[" * 100_000 + "]" * 100_000, "deeper"),
        (f'{{"games": {"9" * (MAX_DIGITS + 1)}}}', "digits"),
        (f'{{"games": 0.{"9" * MAX_DIGITS}}}', "digits"),
        ('{"games": NaN}', "NaN"),
        ("[-Infinity]", "Infinity"),
        (r'"\u0000"', "no text has"),
        (r'{"params": {"a\ud800": 1}}', "no text has"),
        (r'[["\udfff"]]', "no text has"),
    ],
)
def test_what_is_out_of_bounds(body: str, words: str) -> None:
    """It is refused in one short sentence that says by what."""
    with pytest.raises(InvalidError, match=words) as refused:
        check(body.encode())
    assert len(str(refused.value)) < 100


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'"' + b"x" * 200_000 + b'"',
        json.dumps([0] * (MAX_PARTS - 1)).encode(),
        b"[" * MAX_DEEP + b"]" * MAX_DEEP,
        b"9" * MAX_DIGITS,
        rb'{"\ud83d\ude00": "\\u0000"}',
        b"{no json",
        b"\xff\xfe",
    ],
)
def test_what_is_within(body: bytes) -> None:
    """So is what is no JSON, which is left to who reads it."""
    check(body)
