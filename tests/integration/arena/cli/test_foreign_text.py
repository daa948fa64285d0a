"""Text that others wrote is shown on a terminal, never obeyed by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli.shared.output import note, print_json, print_line, print_table
from tests.integration.arena.cli.conftest import AMPLE
from tests.unit.arena.cli.conftest import Run

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202etxt.exe"
"""A title set, a screen cleared, colours by C1, a deletion, and letters turned round."""


def _is_harmless(text: str) -> bool:
    return text.replace("\n", "").isprintable()


@pytest.fixture
def record(run: Run, tmp_path: Path) -> Path:
    """A record whose every free text has been written by somebody who means harm."""
    path = tmp_path / "games.jsonl"
    run("match", "run", "@random", "@random", "--game", "heap_nim", *AMPLE, "--record", str(path))
    told = json.loads(path.read_text())
    for bot in told["spec"]["bots"]:
        bot["name"] = EVIL
    for move in told["result"]["moves"]:
        move["debug"] = EVIL
    for seat in told["result"]["seats"]:
        seat |= {"stderr_head": EVIL, "bot_name": EVIL, "bot_version": EVIL}
    fault = {"code": "crash", "ply": 0, "detail": EVIL, "expected": EVIL, "received": EVIL, "request": EVIL}
    told["result"] |= {"reason": EVIL, "forfeits": [{"seat": 0, **fault}], "voided": [{"seat": 1, **fault}]}
    path.write_text(json.dumps(told) + "\n")
    return path


@pytest.mark.parametrize("words", [(), ("--json",), ("--ply", "1")])
def test_a_foreign_record_is_shown_without_control_characters(
    run: Run, record: Path, words: tuple[str, ...]
) -> None:
    """Names, moves, reasons, evidence and stderr of a record reach the terminal as visible text."""
    ran = run("match", "show", f"{record}#1", *words)
    assert (ran.code, ran.err) == (0, "")
    assert _is_harmless(ran.out)
    assert "owned" in ran.out


def test_a_list_of_foreign_records_is_harmless(run: Run, record: Path) -> None:
    """So is the list of the matches of a file, as a table and as JSON that still says what was there."""
    record.write_text(record.read_text() * 2)
    assert _is_harmless(run("match", "show", str(record)).out)
    listed = run("match", "show", str(record), "--json")
    assert _is_harmless(listed.out)
    assert listed.json()["matches"][0]["bots"] == [EVIL, EVIL]


def test_an_error_that_quotes_others_is_harmless(run: Run, record: Path) -> None:
    """What a message repeats of a file is visible too."""
    record.write_text(json.dumps(json.loads(record.read_text()) | {EVIL: 1}) + "\n")
    ran = run("match", "show", str(record))
    assert ran.code == 2
    assert _is_harmless(ran.err)


def test_whatever_is_printed_passes_one_place(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines, notes, cells, titles and JSON are all made harmless; spaces of any width stay."""
    print_line(EVIL)
    note(EVIL)
    print_table((EVIL,), [(EVIL,)], EVIL)
    print_json({EVIL: [EVIL]})
    out, err = capsys.readouterr()
    assert _is_harmless(out)
    assert _is_harmless(err)
    print_line("第　一")
    assert capsys.readouterr().out == "第　一\n"
