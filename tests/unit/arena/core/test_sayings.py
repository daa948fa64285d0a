"""What workers say in English is known again, and said in the reader's language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.sayings import MAX_CHARS, SAYINGS, said, worded
from arena.core.words import speak

ROOT = Path(__file__).parents[4]
SAYING = (
    *(ROOT / "workers" / "play" / f"{name}.py" for name in ("faults", "referee", "session", "plain_session")),
    *(ROOT / "workers" / "programs" / f"{name}.py" for name in ("archives", "builds", "tools")),
    *(ROOT / "workers" / "programs" / "runtimes" / f"{name}.py" for name in ("detection", "manifest")),
    *(ROOT / "bots" / "protocol" / f"{name}.py" for name in ("messages", "strict_json")),
)
"""Where what is wrong with a bot is said."""
CALLED = {"Fault": 1, "ArchiveError": 0, "BuildError": 0, "MalformedError": 0, "UnexpectedError": 0}
"""What is made with such a sentence, and its place among the arguments."""
NAMED = {"detail", "text", "message", "stopped"}
FILLED = {"FILE": "bot.toml", "NOT_READY": "was not ready after", "key": "name"}
LATE = (
    "sent no answer in time: 5012 ms had passed, 5000 ms were allowed, and none of its 2 extensions was left"
)
HINT = (
    "ended by itself with exit status 1; it looks like a bot for GTP: with a bot.toml that says "
    'protocol = "gtp" it plays here as it is (docs/adapters.md)'
)
FIT = """the answer does not fit the request: "type" must be 'move' or 'resign', not "go\""""
KEY = "bot.toml is wrong at 'speed': Extra inputs are not permitted; it knows name, entry"


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The reader's language is that of Taiwan."""
    monkeypatch.setenv("LANGUAGE", "zh_TW")
    speak(translated=True)
    yield
    speak(translated=False)


def _sentences() -> Iterator[str]:
    """Every sentence as it stands in the code, with a number for each value."""
    for path in SAYING:
        for node in ast.walk(ast.parse(path.read_text())):
            found: ast.AST | None = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
                found = node.args[CALLED[node.func.id]]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in NAMED:
                found = node.value
            if isinstance(found, ast.Constant | ast.JoinedStr) and (text := _text(found)):
                yield text


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(
        FILLED.get(ast.unparse(each.value), "7")
        if isinstance(each, ast.FormattedValue)
        else ast.literal_eval(each)
        for each in node.values
    )


def test_all_that_workers_say_of_a_bot_is_known() -> None:
    """What is added or changed there stays English to all readers until it is among the sayings."""
    messages, found = {saying.message for saying in SAYINGS}, list(_sentences())
    assert len(found) > 60
    assert [text for text in found if worded(text).message not in messages] == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ended by itself with exit status 1", ("自行結束", "結束代碼為 1")),
        ("was ended by SIGKILL: it used too much memory or CPU", ("被 SIGKILL 終止", "記憶體或處理器時間")),
        ("was not ready after 0.5 s", ("過了 0.5 秒仍未就緒",)),
        (LATE, ("沒有及時送出回答", "已過 5012 毫秒", "允許 5000 毫秒", "2 次延長都已用完")),
        (f"{LATE}; 12 ms of it were lost to others on its host", ("其中 12 毫秒", "沒有及時送出回答")),
        ("the answer is malformed: must be a JSON object, not an array", ("格式不對", "而不是陣列")),
        (FIT, ("與請求不符", "'move' 或 'resign'", '"go"')),
        (HINT, ("結束代碼為 1", "它看起來是 GTP 的機器人")),
        (KEY, ("bot.toml 的 'speed' 不對", "沒有這個名稱的鍵", "name, entry")),
        ("bot.toml says depth, which goes with the protocol nboard or gtp", ("通訊協定 nboard 或 gtp",)),
    ],
)
@pytest.mark.usefixtures("chinese")
def test_it_is_said_in_the_readers_language(text: str, wanted: tuple[str, ...]) -> None:
    """With all that it is made of, while its English is the same text still."""
    assert [each for each in wanted if each not in said(text)] == []
    assert str(worded(text)) == text


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("text", ["", "100 % of it", "a wheel came off", "7" * MAX_CHARS + " twice"])
def test_what_is_not_known_stays_as_it_is(text: str) -> None:
    """Hosts of other versions may say anything, of any length."""
    assert said(text) == text == str(worded(text))
