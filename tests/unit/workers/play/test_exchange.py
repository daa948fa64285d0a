"""The compiled reading of an answer against the strict parser."""

from __future__ import annotations

import contextlib

import pytest

from bots.protocol.messages import Answer, UnexpectedError, parse_answer
from bots.protocol.strict_json import MalformedError
from engines.stream import Stream

move_of = pytest.importorskip("workers.play._exchange").move_of
IDS = (0, 7, 17, 123_456_789, 1_073_741_823)
FORMS = ('{"type":"move","id":%d,"move":"%s"}', '{"type": "move", "id": %d, "move": "%s"}')
ALPHABET = '{}":, \\typemovid0179a\x00\n\t~\x7f\xff'


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("move", ["a", "e3", "take 3 from 1", "~" * 64, "{[(" * 21])
def test_a_plain_answer_is_read(form: str, move: str) -> None:
    """What libraries write by default is read, whatever the id."""
    for number in IDS:
        line = (form % (number, move)).encode()
        assert move_of(line + b"\n", number) == move
        assert move_of(line + b"\n", number + 1) is None
        assert parse_answer(line, number) == Answer(move, None)


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"move","id":7,"move":""}',
        '{"type":"move","id":7,"move":"' + "a" * 65 + '"}',
        '{"type":"move","id":07,"move":"a"}',
        '{"type":"move","id":-7,"move":"a"}',
        '{"type":"move","id":7.0,"move":"a"}',
        '{"type":"move","id":18446744073709551623,"move":"a"}',
        '{"type":"move","id":7,"move":"\\u0061"}',
        '{"type":"move","id":7,"move":"a","debug":"why"}',
        '{"type":"resign","id":7}',
        '{"type":"move","id":7,"move":"a"}\n{}',
        "",
    ],
)
def test_all_else_is_left_to_the_parser(line: str) -> None:
    """Other numbers, escapes, more fields and more lines are not read here."""
    assert move_of(line.encode() + b"\n", 7) is None
    assert move_of('{"type":"move","id":7,"move":"a"}'.encode(), 7) is None  # noqa: UP012 - no newline


def test_what_is_read_is_what_the_parser_reads() -> None:
    """Of answers with some characters changed none is read that the parser refuses or reads otherwise."""
    chance, read = Stream("answers", 1), 0
    for _ in range(20_000):
        number = chance.choice(IDS)
        text = list(chance.choice(FORMS) % (number, "e3"))
        for _ in range(chance.below(3)):
            at, kind = chance.below(len(text)), chance.below(3)
            if kind:
                text[at] = chance.choice(ALPHABET)
            if kind != 1:
                text.insert(at, chance.choice(ALPHABET))
        line = "".join(text).encode("latin-1")
        move = move_of(line + b"\n", number)
        read += move is not None
        expected = None
        with contextlib.suppress(MalformedError, UnexpectedError):
            expected = parse_answer(line, number)
        assert move is None or expected == Answer(move, None), line
    assert read > 6000
