"""Help and messages in both languages, examples, `-h`, and what is the same in every language."""

from __future__ import annotations

import re
import shlex
import time
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import httpx2
import pytest

from arena.cli import main
from arena.cli.app import build
from arena.cli.bot.checks import print_report
from arena.cli.examples import EXAMPLES, examples
from arena.cli.match.worth import deed_of, worth_of
from arena.cli.shared.columns import filled
from arena.cli.shared.commands import Page, page_of
from arena.cli.shared.output import Named, print_table
from arena.cli.shared.progress import showing
from arena.cli.tree import commands, context_of
from arena.core.words import say_many
from arena.local.analysis import Judged, Position
from arena.schemas.users import UserOut
from deploy import cli_messages
from engines.columns import columns_of, padded
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, sample, tournament
from workers.checks.contract import CheckReport
from workers.core.contract import FaultCode, Forfeit

__all__ = ["api"]

CHINESE = re.compile(r"[\u4e00-\u9fff]")
COUNTED = re.compile(
    r"\{\w+(:[^}]*)?\} (bots|bytes|experiments|files|games|matches|plies|rounds|rows|simulations|teams|times"
    r"|tokens|workers|archives|checks|hosts|lines|openings|pairs|players|positions|questions)\b"
)
"""A number before what is counted, in words that fit more than one only."""
TREE = dict(commands())


def texts_of(page: Page) -> list[str]:
    """All that a page explains."""
    rows = [words for section in page.sections for _, words in section.rows]
    return [*page.paragraphs, *(section.heading for section in page.sections), *rows]


@pytest.mark.usefixtures("chinese")
def test_help_in_chinese_has_no_english_line() -> None:
    """Every paragraph, heading and explanation of every command is in Chinese."""
    texts = {name: texts_of(page_of(context_of(TREE, name))) for name in TREE}
    assert len(texts) > 180
    english = [(name, text) for name, told in texts.items() for text in told if not CHINESE.search(text)]
    assert not english


@pytest.mark.parametrize("language", ["en", "zh_TW"])
def test_help_fits_and_has_examples(run: Run, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """On a terminal of 80 columns no line is longer, and examples stand at the end of every page."""
    del run
    monkeypatch.setenv("LANGUAGE", language)
    monkeypatch.setenv("COLUMNS", "80")
    for name in TREE:
        ctx = context_of(TREE, name)
        lines = ctx.command.get_help(ctx).splitlines()
        assert [line for line in lines if columns_of(line) > 80] == [], name
        assert lines[-1] == f"  {examples(name)[-1]}"
        assert language == "zh_TW" or not any(map(CHINESE.search, lines))


def test_every_command_has_examples_and_every_example_a_command() -> None:
    """The table of examples is of just the commands that there are."""
    assert set(EXAMPLES) == {name for name, command in TREE.items() if not hasattr(command, "commands")}


def test_every_example_can_be_called() -> None:
    """The parser takes each, as the command below whose name it stands."""
    for line in (line for lines in EXAMPLES.values() for line in lines):
        words = shlex.split(line)
        words = words[words.index("arena") + 1 :]
        command: Any = build(words)
        context = command.make_context("arena", words)
        while getattr(context, "_protected_args", None):
            _, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
            context = command.make_context(command.name, rest, parent=context)
        assert line in EXAMPLES[context.command_path.removeprefix("arena ")]


@pytest.mark.parametrize("words", [(), ("bot",), ("bot", "submit"), ("my", "scrimmage", "play")])
def test_h_is_help(run: Run, words: tuple[str, ...]) -> None:
    """`-h` prints what `--help` prints."""
    asked = run(*words, "-h")
    assert (asked.code, asked.out) == (0, run(*words, "--help").out)
    assert "-h, --help" in asked.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("seasn",), "錯誤：沒有指令 'seasn'。您是不是要用 'season'？"),
        (("bot", "list", "--jsn"), "錯誤：沒有這個選項：--jsn"),
        (("bot", "show"), "錯誤：缺少引數 'name'。"),
        (("up", "--port", "99999"), "錯誤：'--port' 的值無效：應小於或等於 65535"),
        (("up", "--port", "many"), "應為整數"),
        (("tournament", "end", "cup"), "因為沒有終端機可以詢問"),
        (("bot", "submit"), "請指定一個檔案"),
        (("tournament", "timetable", "cup", "--start", "soon"), "'soon' 不是時間"),
        (("tournament", "reveal", "cup", "--step", "--back"), "請擇一"),
        (
            ("match", "run", "@random", "@random", "--game", "chess"),
            "沒有遊戲 'chess'；現有的遊戲是 circle_nim",
        ),
        (
            ("match", "run", "@random", "@random", "--param", "size=5"),
            "size（棋盤大小）須為 4, 6, 8, 10 之一",
        ),
        (("game", "hint", "reversed_reversi", "--moves", "z9"), "'z9' 不是 a1 至 h8 的格子"),
        (("game", "hint", "heap_nim", "--moves", "2:9"), "2:9 要拿 9 個，但那一堆只有 4 個"),
        (("reproduce", "--document", "x"), "錯誤：'--document' 的值無效：'x' 不是下列之一："),
        (("match", "run", "@random", "@greedy", "--time", "0"), "--time：應大於或等於 1（毫秒）"),
        (
            ("match", "run", "@random", "@greedy", "--startup", "9h"),
            "--startup：應小於或等於 3600000（毫秒）",
        ),
    ],
)
@pytest.mark.usefixtures("chinese")
def test_errors_in_chinese(run: Run, words: tuple[str, ...], said: str) -> None:
    """What was typed wrong is told in the reader's language: Typer's errors and ours."""
    ran = run(*words)
    assert ran.code == 2
    assert said in ran.err


def test_what_no_clock_shows_is_no_moment(run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment over which this machine's clock is put forward is refused before anything is sent."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        ran = run("tournament", "timetable", "cup", "--start", "2100-03-28T02:30")
    finally:
        monkeypatch.undo()
        time.tzset()
    assert (ran.code, api.asked) == (2, [])
    assert "no clock shows 2100-03-28T02:30 here" in ran.err


@pytest.mark.parametrize("content", [None, "{", "[]"])
def test_a_scheme_that_is_none_is_wrong_input(
    run: Run, api: FakeApi, tmp_path: Path, content: str | None
) -> None:
    """The command exits as it does for other files that cannot be used, and nothing is sent."""
    if content is not None:
        (tmp_path / "scheme.json").write_text(content)
    ran = run("tournament", "grading", "cup", "--set", "scheme.json")
    assert (ran.code, "scheme.json" in ran.err, api.asked) == (2, True, [])


@pytest.mark.parametrize(
    ("out", "err", "spoken"),
    [
        ("ascii", "utf-8", False),
        ("latin-1", "utf-8", False),
        ("utf-8", "cp1252", False),
        ("gb2312", "gb2312", False),
        ("cp950", "cp950", True),
        ("utf-8", "utf-8", True),
    ],
)
@pytest.mark.usefixtures("chinese")
def test_what_cannot_be_written_is_in_english(
    monkeypatch: pytest.MonkeyPatch, out: str, err: str, *, spoken: bool
) -> None:
    """Where one of the outputs has no such letters all is in English, and no escapes stand for words."""
    bytes_out, bytes_err = BytesIO(), BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(bytes_out, out, write_through=True))
    monkeypatch.setattr("sys.stderr", TextIOWrapper(bytes_err, err, "backslashreplace", write_through=True))
    for words in (("game", "rules", "heap_nim"), ("seasn",)):
        with pytest.raises(SystemExit):
            main(words)
    shown = bytes_out.getvalue().decode(out) + bytes_err.getvalue().decode(err)
    assert bool(CHINESE.search(shown)) == spoken
    assert "\\u" not in shown


@pytest.mark.usefixtures("chinese")
def test_what_programs_read_is_not_translated(run: Run, api: FakeApi) -> None:
    """With --json nothing is in Chinese, neither the document nor an error; without, states are words."""
    api.answers["GET", "/tournaments/spring"] = tournament(state="running")
    assert "進行中" in run("tournament", "show", "spring").out
    assert run("tournament", "show", "spring", "--json").json()["state"] == "running"
    refused = run("bot", "show", "--json")
    assert refused.err.endswith("Error: Missing argument 'name'.\n")


@pytest.mark.usefixtures("chinese")
def test_the_token_is_asked_for_in_chinese(run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal `auth login` asks in the reader's language, on standard error."""
    api.answers["GET", "/me"] = sample(UserOut, name="ann", role="team")
    asked: list[str] = []

    def answer(text: str, **_: Any) -> str:
        asked.append(text)
        return "secret"

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.prompt", answer)
    assert run("auth", "login", "--url", "http://arena.test").code == 0
    assert asked == ["權杖"]


def test_one_is_one() -> None:
    """One match is no matches; and no message counts in words that fit more than one only."""
    assert [say_many("{number:,} match", "{number:,} matches", number) for number in (0, 1, 2000)] == [
        "0 matches",
        "1 match",
        "2,000 matches",
    ]
    said = [message.id for message in cli_messages.said() if isinstance(message.id, str)]
    assert [
        text for text in said if COUNTED.search(text) and not text.startswith(("\n[of", "{rate:.1f}"))
    ] == []


def test_a_line_is_filled_by_columns() -> None:
    """Chinese is broken between characters, but not before what closes; a word is not broken at all."""
    assert filled("賽事開始之前，任何人都可以報名。", 13) == ["賽事開始之", "前，任何人都", "可以報名。"]
    assert filled("one arena bot", 9) == ["one arena", "bot"]
    assert padded("賽事", 6) == "賽事  "
    assert columns_of("e\u0301") == 1


@pytest.mark.parametrize("name", ["mark", "馬克的機器人"])
@pytest.mark.usefixtures("chinese")
def test_tables_are_aligned(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Columns begin at the same place in every line, whatever letters stand before them."""
    print_table(("bot", "state"), [(name, "x1"), ("b", "x2"), ("隊伍", "x3")])
    lines = [line for line in capsys.readouterr().out.splitlines() if "x" in line]
    assert len({columns_of(line[: line.index("x")]) for line in lines}) == 1


@pytest.mark.usefixtures("chinese")
def test_a_bot_over_a_column_keeps_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    """A bot that is called as a column is one by its name, while the column's title is translated."""
    print_table(("bot", Named(">random"), Named(">bot")), [("red", "1", "2")])
    assert capsys.readouterr().out.splitlines()[1].split() == ["機器人", "random", "bot"]


@pytest.mark.usefixtures("chinese")
def test_wide_tables_fit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A table of many Chinese columns is printed in parts that an 80-column terminal holds."""
    monkeypatch.setattr("arena.cli.shared.output._width", lambda **_: 80)
    columns = (
        ">rank",
        "bot",
        "owner",
        ">games",
        ">points",
        ">wins",
        ">draws",
        ">losses",
        ">forfeits",
        ">score",
    )
    print_table(columns, [(number, "馬克的機器人", "貓頭鷹隊", *range(7)) for number in range(3)])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(columns_of, lines)) <= 80
    assert "".join(lines).count("機器人") >= 4
    assert "判負" in "".join(lines)


@pytest.mark.usefixtures("chinese")
def test_rules_in_chinese(run: Run) -> None:
    """The rules of the arena's own games are told in the reader's language, and fit the terminal."""
    ran = run("game", "rules", "heap_nim")
    assert "堆" in ran.out
    assert "players" not in ran.out
    assert max(map(columns_of, ran.out.splitlines())) <= 80


@pytest.mark.usefixtures("run")
def test_refused_fields_are_told_as_options(run: Run, api: FakeApi) -> None:
    """What the API calls `body.time.move_ms` the command calls --time; unknown fields keep their names."""
    faults = [
        {"where": "body.time.move_ms", "message": "too short"},
        {"where": "body.options.best_of", "message": "is even"},
        {"where": "body.class_name", "message": "no such class"},
        {"where": "body.name", "message": "is taken"},
        {"where": "body.moon", "message": "is new"},
    ]
    told = {"title": "Invalid", "detail": "body.time.move_ms: too short", "errors": faults}
    api.answers["POST", "/tournaments"] = httpx2.Response(422, json=told)
    ran = run("tournament", "create", "cup")
    assert ran.code == 2
    assert ran.err == (
        "arena: --time: too short; --best-of: is even; --class: no such class; NAME: is taken;"
        " body.moon: is new\n"
    )


def test_the_tree_is_built_once() -> None:
    """A second command of the same group in a process is answered by the same tree."""
    assert build(["bot", "list"]) is build(["bot", "submit"])
    assert build(["bot"]) is not build(["match"])


@pytest.mark.usefixtures("chinese")
def test_worths_evidence_and_bars_in_chinese(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a position was worth, what a check asked a bot, and what a bar counts have no English word."""
    judged = Judged(before="won", after="lost", points=0, loss=1, choice=True, worse=True)
    position = Position(
        ply=3, move="1", seat=0, value="won", distance=None, margin=2, best=(), more=0, judgement=judged
    )
    assert (worth_of(position), deed_of(judged)) == ("勝 (+2)", "之前 勝，之後 負")
    fault = Forfeit(seat=0, code=FaultCode.CRASH, ply=3, detail="", expected="3", received="2", request="1")
    print_report(
        CheckReport(check="1", passed=False, language="c", steps=(), forfeit=fault, reproduce="arena")
    )
    assert "  要求：1\n  收到：2\n  應為：3\n" in capsys.readouterr().out
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with showing(7, 0):
        pass
    assert "games" not in capsys.readouterr().err
