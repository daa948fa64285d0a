"""Where in what a program wrote it says how it broke."""

from __future__ import annotations

import time
import traceback

import pytest

from arena.core.diagnosis import was_busy, where_broken

JAVA = (
    'Exception in thread "main" java.lang.IllegalStateException: lost\n'
    "\\tat Main.choose(Main.java:12)\n\\tat Main.main(Main.java:40)\n"
)
NODE = (
    "/bot/main.js:7\n  throw new TypeError('lost');\n  ^\n\n"
    "TypeError: lost\n    at choose (/bot/main.js:7:9)\n    at Object.<anonymous> (/bot/main.js:20:3)\n"
)
RUST = "thread 'main' panicked at src/main.rs:9:5:\nlost\nnote: run with `RUST_BACKTRACE=1`\n"
GO = "panic: lost\n\ngoroutine 1 [running]:\nmain.choose(...)\n\\t/bot/main.go:31\nexit status 2\n"
TYPESCRIPT = NODE.replace("main.js", "main.ts")
CSHARP = (
    "Unhandled Exception:\nSystem.Exception: lost\n  at Bot.Choose () [0x00016] in /bot/Main.cs:6 \n"
    "[ERROR] FATAL UNHANDLED EXCEPTION: System.Exception: lost\n"
    "  at Bot.Choose () [0x00016] in /bot/Main.cs:6 \n"
)
SYNTAX = '  File "/bot/main.py", line 3\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n'


@pytest.mark.parametrize(
    ("account", "error", "place"),
    [
        (JAVA, "java.lang.IllegalStateException: lost", "Main.java:12"),
        (NODE, "TypeError: lost", "main.js:7"),
        (TYPESCRIPT, "TypeError: lost", "main.ts:7"),
        (CSHARP, "System.Exception: lost", "Main.cs:6"),
        (RUST, "lost", "main.rs:9"),
        (GO, "lost", "main.go:31"),
        (SYNTAX, "SyntaxError: invalid syntax", "main.py:3"),
    ],
    ids=["java", "javascript", "typescript", "csharp", "rust", "go", "syntax"],
)
def test_each_language_is_understood(account: str, error: str, place: str) -> None:
    """The error, and the file and line that it names first, whatever was written before."""
    told = where_broken(f"thinking\nError rate 0.5\n{account}")
    assert told is not None
    assert (told.error, told.place) == (error, place)


def test_of_several_the_last_one_counts() -> None:
    """Python's own account, of an error in the handling of another, with the innermost line of the bot."""
    try:
        try:
            dict[str, int]()["first"]
        except KeyError:
            raise ValueError("second") from None
    except ValueError:
        told = traceback.format_exc()
    text = f"hello\n{told}{told}bye\n"
    found = where_broken(text)
    assert found is not None
    assert (found.error, text[found.end :]) == ("ValueError: second", "\nbye\n")
    assert found.place is not None
    assert found.place.startswith("test_where_broken.py:")
    assert text[: found.start] == f"hello\n{told}"


@pytest.mark.parametrize("text", ["", "all is well\n", "Error rate 0.3\n", "panicked\n", "  File x\n"])
def test_what_breaks_nothing_is_not_taken_for_it(text: str) -> None:
    """Text that only looks like a broken line is not taken for one."""
    assert where_broken(text) is None


@pytest.mark.parametrize(
    "line",
    [
        '  File "a", line 1\n',
        "Traceback (most recent call last):\n",
        "Traceback (most recent call last):\n\n \n",
        'Exception in thread "x" y\n\\tat z\n',
        "a" * 60_000 + "Error: b\n    at ",
        "panic: " + "a.rs" * 15_000,
        "panic: " + "a" * 60_000,
    ],
)
def test_hostile_text_costs_little(line: str) -> None:
    """What a bot writes to slow the search down is searched within some seconds of the processor."""
    text = (line * (65_536 // len(line) + 1))[:65_536]
    before = time.process_time()
    where_broken(text)
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    ("code", "cpu", "told"),
    [("timeout", 900, True), ("timeout", 300, False), ("timeout", None, False), ("crash", 900, False)],
)
def test_who_computed_all_the_time_was_busy(code: str, cpu: float | None, told: bool) -> None:
    """Only where that is known, and the bot was late."""
    assert was_busy(code, clock=1000, cpu=cpu) is told
