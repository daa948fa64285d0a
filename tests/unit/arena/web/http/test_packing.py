"""Answers by gzip: who takes them so, and what they are."""

from __future__ import annotations

import gzip

import pytest

from arena.web.http import packing
from arena.web.http.answer_cache import Answer

TEXT = b"<p>the same words again</p>" * 100
HTML = (b"content-type", b"text/html; charset=utf-8")


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("GZIP ; q=1", True),
        ("br", False),
        ("", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
    ],
)
def test_who_takes_gzip(accepted: str, taken: bool) -> None:
    """It is read as RFC 9110 has it, weights of nothing too."""
    assert packing.is_taken([(b"accept-encoding", accepted.encode())]) is taken
    assert not packing.is_taken([(b"accept", b"gzip")])


def test_a_packed_answer_is_the_same_for_less() -> None:
    """Its body unpacks to the plain one, its length is its own, and its name is a weak one."""
    headers = HTML, (b"etag", b'"a"'), (b"content-length", str(len(TEXT)).encode())
    packed = Answer(200, headers, TEXT).packed
    told = dict(packed.headers)
    assert gzip.decompress(packed.body) == TEXT
    assert (told[b"content-length"], told[b"etag"]) == (str(len(packed.body)).encode(), b'W/"a"')
    assert len(packed.body) < len(TEXT) / 5
    assert b"content-encoding" not in dict(packed.without_body().headers)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ((HTML,), TEXT[:1000]),
        (((b"content-type", b"application/zip"),), TEXT),
        ((HTML, (b"content-encoding", b"br")), TEXT),
        ((), TEXT),
    ],
)
def test_what_gains_nothing_stays_as_it_is(headers: packing.Headers, body: bytes) -> None:
    """Short answers, other things than text, and what is packed already are sent as they are."""
    answer = Answer(200, headers, body)
    assert answer.packed is answer


def test_the_encoding_joins_what_an_answer_varies_by() -> None:
    """Who keeps answers is told that they differ by it, besides all that they differed by before."""
    assert packing.varied((HTML, (b"vary", b"Cookie"))) == (HTML, (b"vary", b"Cookie, Accept-Encoding"))
    assert packing.varied((HTML,)) == (HTML, (b"vary", b"Accept-Encoding"))
