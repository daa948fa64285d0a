"""Bots that break the rules of the conversation."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from tests.hostile.bots.kit import (
    PLAYS,
    answer,
    first_question,
    get_ready,
    hear,
    note,
    play_on,
    raw,
    say,
    talk,
)

HURRIED_MS = 300


def spoil(line: bytes) -> None:
    """Answer the first question with that line, and wait."""
    first_question()
    raw(line + b"\n")
    hear()


def with_move(question: dict[str, Any], **more: Any) -> bytes:
    """A good answer, with more in it."""
    return json.dumps({"type": "move", "id": question["id"], "move": question["legal"][0], **more}).encode()


# --- before the first question -------------------------------------------------------------------------


@talk("startup")
def leaves_at_once() -> None:
    """Ends before it is ready."""


@talk("startup")
def chatters_first() -> None:
    """Prints a banner before it is ready."""
    raw(b"Loading the model...\n")
    get_ready()
    play_on(hear())


@talk("startup")
def floods_first() -> None:
    """Writes without end instead of getting ready."""
    while True:
        raw(b"x" * 65536)


@talk("startup")
def closes_first() -> None:
    """Closes its stdout instead of getting ready, and stays."""
    os.close(1)
    time.sleep(60)


@talk("startup", move_ms=HURRIED_MS)
def never_ready() -> None:
    """Says nothing at all."""
    time.sleep(600)


@talk("startup")
def another_protocol() -> None:
    """Is ready for a protocol that it was not offered."""
    hear()
    say(type="ready", protocol="arena/2")
    hear()


# --- silence -------------------------------------------------------------------------------------------


@talk("timeout", move_ms=HURRIED_MS)
def silence() -> None:
    """Never answers its first question."""
    first_question()
    time.sleep(60)


@talk("timeout", move_ms=HURRIED_MS)
def drip_feed() -> None:
    """Sends its answer one byte at a time, and never the newline."""
    line = with_move(first_question()) + b" " * 10_000
    for number in range(len(line)):
        raw(line[number : number + 1])
        time.sleep(0.01)


@talk("timeout", move_ms=HURRIED_MS)
def line_without_end() -> None:
    """Sends a good answer without a newline, and waits."""
    raw(with_move(first_question()))
    time.sleep(60)


@talk("timeout", move_ms=HURRIED_MS)
def only_stderr() -> None:
    """Floods its stderr instead of answering."""
    first_question()
    while True:
        os.write(2, b"thinking..." * 4096)


@talk("timeout", move_ms=HURRIED_MS)
def empty_promises() -> None:
    """Takes longer than any host's load would excuse, and then answers well."""
    question = first_question()
    time.sleep(100 * HURRIED_MS / 1000)
    play_on(question)


@talk(PLAYS)
def noisy_stderr() -> None:
    """Writes 20 MB with escape sequences to its stderr, and plays on."""
    question = first_question()
    for _ in range(320):
        os.write(2, b"\x1b[2J\x07\x00\xff" * 9362)
    note("said all")
    play_on(question)


# --- too much, too early, for somebody else ------------------------------------------------------------


@talk("oversize")
def output_flood() -> None:
    """Writes without end and without a newline."""
    first_question()
    while True:
        raw(b"x" * 65536)


@talk("oversize")
def long_line() -> None:
    """Sends an answer that is longer than a line may be."""
    raw(with_move(first_question(), debug="x" * 70_000) + b"\n")
    hear()


@talk("oversize", output_bytes=1024)
def slow_flood() -> None:
    """Stays within the line's length but not within the match's."""
    question = first_question()
    raw(b" " * 1100 + with_move(question) + b"\n")
    hear()


@talk("malformed")
def many_lines() -> None:
    """Writes short lines without end."""
    first_question()
    while True:
        raw(b"e4\n" * 1000)


@talk("protocol_error")
def two_answers() -> None:
    """Answers the next question together with this one."""
    question = first_question()
    raw(2 * (with_move(question) + b"\n"))
    hear()
    hear()


@talk("protocol_error", "malformed", pause_ms=200)
def writes_out_of_turn() -> None:
    """Answers and goes on writing; where it was frozen in time, that is its next answer."""
    answer(first_question())
    raw(b"\n" * 2000)
    hear()


@talk("protocol_error")
def wrong_id() -> None:
    """Answers a question that it was not asked."""
    question = first_question()
    say(type="move", id=question["id"] ^ 1, move=question["legal"][0])
    hear()


@talk("protocol_error")
def no_id() -> None:
    """Answers without saying what."""
    say(type="move", move=first_question()["legal"][0])
    hear()


@talk("protocol_error")
def another_type() -> None:
    """Speaks for the referee."""
    say(type="end", id=first_question()["id"], result="win")
    hear()


@talk("illegal_move")
def impossible_move() -> None:
    """Takes what is not there."""
    say(type="move", id=first_question()["id"], move="1:400")
    hear()


@talk("illegal_move")
def unreadable_move() -> None:
    """Says a move that is none of this game."""
    say(type="move", id=first_question()["id"], move="\u202ee4\n\x1b[0m")
    hear()


# --- bad JSON ------------------------------------------------------------------------------------------


@talk("malformed")
def not_utf8() -> None:
    """Sends bytes that are no text."""
    spoil(b'{"type":"move","move":"\xff\xfe"}')


@talk("malformed")
def nul_byte() -> None:
    """Sends a NUL."""
    spoil(b'{"type":"move"\0}')


@talk("malformed")
def escaped_nul() -> None:
    """Sends a NUL in disguise."""
    raw(with_move(first_question(), debug="\0") + b"\n")
    hear()


@talk("malformed")
def lone_surrogate() -> None:
    """Sends half a character."""
    raw(with_move(first_question(), debug="\ud800") + b"\n")
    hear()


@talk("malformed")
def byte_order_mark() -> None:
    """Begins its answer with a byte order mark."""
    raw(b"\xef\xbb\xbf" + with_move(first_question()) + b"\n")
    hear()


@talk("malformed")
def deep_nesting() -> None:
    """Nests arrays until the line is full."""
    spoil(b"[" * 60_000)


@talk("malformed")
def deep_objects() -> None:
    """Nests objects in a good answer."""
    raw(with_move(first_question())[:-1] + b',"x":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001 + b"\n")
    hear()


@talk("malformed")
def not_a_number() -> None:
    """Sends NaN."""
    spoil(b'{"type":"move","id":NaN,"move":"1:1"}')


@talk("malformed")
def infinity() -> None:
    """Sends a number that is too large for one."""
    spoil(b'{"type":"move","id":1e999,"move":"1:1"}')


@talk("malformed")
def huge_integer() -> None:
    """Sends a whole number with sixty thousand digits."""
    spoil(b'{"type":"move","id":' + b"9" * 60_000 + b',"move":"1:1"}')


@talk("malformed")
def duplicate_keys() -> None:
    """Says one thing twice."""
    question = first_question()
    raw(with_move(question)[:-1] + b',"move":"1:400"}\n')
    hear()


@talk("malformed")
def not_an_object() -> None:
    """Answers with a bare text."""
    spoil(b'"1:1"')


@talk("malformed")
def nothing() -> None:
    """Answers with an empty line."""
    spoil(b"")


@talk("malformed")
def long_move() -> None:
    """Says a move of a thousand letters."""
    say(type="move", id=first_question()["id"], move="1" * 1000)
    hear()


@talk("malformed")
def long_debug() -> None:
    """Says more about its move than it may."""
    raw(with_move(first_question(), debug="x" * 5000) + b"\n")
    hear()


@talk("malformed")
def two_objects() -> None:
    """Puts two good answers on one line."""
    question = first_question()
    good = json.dumps({"type": "move", "id": question["id"], "move": question["legal"][0]})
    raw(f"{good}{good}\n".encode())
    hear()


@talk("protocol_error")
def ready_twice() -> None:
    """Is ready two times, before it is asked anything."""
    hear()
    raw(b'{"type":"ready","protocol":"arena/1"}\n' * 2)
    hear()
