"""The pages of experiments and sweeps, as a browser without scripts has them."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest

from arena.core.terms import ExperimentState
from arena.experiments import lifecycle
from arena.store import experiments as store
from arena.submissions import versions
from tests.integration.arena.lab import PLAN, Lab
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site

FORM = {"game": "heap_nim", "params": "heaps=[1,2,3]", "first": "random", "second": "xor", "games": "100"}
CELL = {"game": "circle_nim", "params": {"rows": 3}, "first": "algo3:100", "second": "random", "games": 60}
GRID: dict[str, Any] = {
    "name": "heaps",
    "about": "Who begins?",
    "vary": {"luck": [1, 2, 3]},
    "each": {key: PLAN[key] for key in ("game", "params", "first", "second")},
}
GRID["each"] |= {"games": 40, "seed": "{luck}"}


def _get(site: Site, path: str, user: str | None = None, language: str = "en") -> Any:
    return site.client.get(path, headers=sign_in(site, user) | {"Accept-Language": language})


def _send(site: Site, path: str, user: str | None, **fields: Any) -> Any:
    return site.client.post(path, headers=sign_in(site, user), data=fields, follow_redirects=False)


def _play(site: Site, chunks: int = 16) -> None:
    lab = Lab(site.world)
    for message in lab.issue(chunk_window=chunks):
        lab.record(message)


def test_an_experiment_from_the_form_to_its_result(site: Site) -> None:
    """Filled in by a link, sent, watched while its chunks come in, and read when it is over."""
    form = _get(site, "/experiments/new?game=heap_nim&first=random&second=xor&games=100&params=x%3D1", "red")
    assert 'value="x=1"' in form.text
    assert "10,000,000 of 10,000,000 games" in form.text
    made = _send(site, "/experiments/new", "red", **FORM)
    assert (made.status_code, made.headers["location"]) == (303, "/experiments/1")
    page = _get(site, "/experiments/1", "red").text
    assert "No game has been played yet" in page
    assert 'data-again="2"' in page
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    _play(site)
    page = _get(site, "/experiments/1", "red").text
    share = site.get("/experiments/1/results", "red").json()["result"]["first"]["score"]["mean"]
    assert f"<strong>{share:.2%}</strong>" in page
    assert 'role="img"' in page
    assert "The numbers of the chart" in page
    assert 'name="live"' not in page
    assert "Cancel the experiment" not in page
    counts = site.client.get("/experiments/1/counts.csv", headers=sign_in(site, "red"))
    assert counts.text.startswith("first_sits_in,games")
    assert "9,999,000 of 10,000,000 games" in _get(site, "/experiments/new", "red").text


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"games": "0"}, 'Number of games: <span lang="en">it has to be at least 1<'),
        ({"params": "heaps"}, "is no parameter; write such as rows=5"),
        ({"first": "nobody"}, "nobody"),
        ({"first": "bot:ghost"}, "ghost"),
        ({"games": "20000000"}, "a team may have 10,000,000 games of players by name"),
    ],
)
def test_what_is_refused_keeps_the_form(site: Site, changes: dict[str, str], told: str) -> None:
    """Why it was refused is said above the form, which is as it was sent, and nothing was made."""
    answer = _send(site, "/experiments/new", "red", **(FORM | changes))
    assert answer.status_code in {404, 409, 422}
    assert told in answer.text
    for value in (FORM | changes).values():
        assert f'value="{value}"' in answer.text
    assert site.get("/experiments", "red").json()["total"] == 0


BOTS = {"first": "bot:red", "move_ms": "100"}
HUGE = "heaps=[400,400,400,400,400]"


@pytest.mark.parametrize(
    ("changes", "field", "told"),
    [
        ({"games": ""}, "局數", "請填整數"),
        ({"games": "0"}, "局數", "至少須為 1"),
        ({"games": "1e9"}, "局數", "請填整數"),
        ({"games": "20000000"}, "", "一隊 24 小時內最多可模擬 10,000,000 局內建玩家的對局"),
        ({"seed": "-1"}, "亂數種子", "至少須為 0"),
        ({"seed": "x"}, "亂數種子", "請填整數"),
        ({"openings": "101"}, "不同的開局數", "最多 100"),
        ({"openings": "100", "games": "200"}, "", "請減少開局"),
        ({"stop_when_ci": "0"}, "結束時的信賴區間", "須大於 0"),
        ({"stop_when_ci": "0.5"}, "結束時的信賴區間", "須小於 0.5"),
        ({"stop_when_ci": "nan"}, "結束時的信賴區間", "須"),
        ({"stop_when_ci": "one"}, "結束時的信賴區間", "請填數字"),
        (BOTS | {"move_ms": "0"}, "每步毫秒數", "至少須為 1"),
        (BOTS | {"move_ms": "99999"}, "每步毫秒數", "最多各 10 秒"),
        ({"params": "heaps"}, "參數", "「heaps」不是參數"),
        ({"params": "size=4"}, "", "沒有參數「size」"),
        ({"params": "heaps=[1,2]"}, "參數", "須有 3 至 10 堆"),
        ({"params": "heaps=1,2,0"}, "參數", "各堆數目須為 1 至 500 的整數"),
        ({"params": "misere=7"}, "參數", "misere 須為是或否"),
        ({"params": "heaps=" + "[" * 900}, "參數", "不是參數"),
        ({"first": ""}, "第一位玩家", "沒有填寫"),
        ({"second": "x" * 201}, "第二位玩家", "最多 200 個字"),
        ({"second": "nobody"}, "第二位玩家", "沒有玩家「nobody」"),
        ({"first": "mcts:0"}, "第一位玩家", "mcts 的模擬次數須為 1 至 1000000 的整數"),
        ({"first": "random:1"}, "第一位玩家", "random 沒有參數"),
        (
            {"first": "best_response", "params": HUGE},
            "第一位玩家",
            "不能以這些參數玩",
        ),
        ({"second": "bot:ghost"}, "第二位玩家", "ghost"),
        ({"second": "bot:blue"}, "第二位玩家", "「blue」屬於「blue」"),
        ({"second": "bot:red@x"}, "第二位玩家", "「bot:red@x」不是機器人的版本"),
        ({"second": "bot:red@9"}, "第二位玩家", "9"),
        ({"game": "chess"}, "遊戲", "沒有遊戲「chess」"),
        ({"elo0": "0", "elo1": "10"}, "", "成對對局的檢定須交換先後手"),
        ({"elo0": "0"}, "第二個假設的 Elo", "沒有填寫"),
        ({"elo0": "5", "elo1": "5"}, "", "第一個假設的 Elo 須小於第二個，不能是 5 與 5"),  # noqa: RUF001
        ({"alpha": "0.5", "elo0": "0", "elo1": "9"}, "第一個假設為真卻判定為第二個的機率", "須小於 0.5"),
        ({"confidence": "1"}, "區間的信賴水準", "須小於 1"),
        ({"repetition": "1"}, "同一局面出現幾次即判和", "至少須為 2"),
        ({"max_plies": "many"}, "滿幾步即判和", "請填整數"),
        ({"opening_plies": "101"}, "開局手數", "最多 100"),
    ],
)
def test_every_refusal_names_its_field_in_chinese(
    site: Site, changes: dict[str, str], field: str, told: str
) -> None:
    """A Chinese reader is told on which field what is wrong, and finds all that was typed as it was."""
    form = {"seed": "0", "openings": "0", "stop_when_ci": "", "move_ms": ""} | FORM | changes
    answer = site.client.post(
        "/experiments/new", headers=sign_in(site, "red") | {"Accept-Language": "zh-TW"}, data=form
    )
    assert answer.status_code in {403, 404, 409, 422}
    (alert,) = re.findall(r'<div class="notice" role="alert".*?</div>', answer.text, re.DOTALL)
    (item,) = re.findall(r"<li>(.*?)</li>", alert, re.DOTALL)
    assert item.startswith(f"{field}: <span>" if field else "<span>"), item
    assert told in unescape(item)
    for name in set(form) - {"game"}:
        assert f'name="{name}" value="{form[name]}"' in unescape(answer.text), name
    assert site.get("/experiments", "red").json()["total"] == 0


FURTHER = {
    "game": "l_game",
    "params": "",
    "first": "random",
    "second": "random",
    "swap": "true",
    "elo0": "0",
    "elo1": "10",
    "alpha": "0.1",
    "look": "5",
    "model": "trinomial",
    "opening_plies": "4",
    "openings": "3",
    "repetition": "4",
    "max_plies": "90",
    "interval": "clopper-pearson",
    "confidence": "0.9",
    "match": "7",
}


def test_further_choices_are_those_of_the_api(site: Site) -> None:
    """A sequential test, draws, openings and intervals come out as they were typed; links fill them in."""
    form = _get(site, "/experiments/new?elo0=0&elo1=10&confidence=0.9", "red").text
    assert 'name="elo1" value="10"' in form
    assert '<details class="more" open>' in form
    assert '<details class="more">' in _get(site, "/experiments/new", "red").text
    assert _send(site, "/experiments/new", "red", **FORM | FURTHER).status_code == 303
    with site.world.database.reading() as session:
        made = store.by_id(session, 1)
        assert made is not None
        assert made.sprt == {
            "elo0": 0.0,
            "elo1": 10.0,
            "alpha": 0.1,
            "beta": 0.05,
            "look": 5,
            "model": "trinomial",
            "elo": "logistic",
        }
        assert (made.interval, made.confidence, made.opening_plies) == ("clopper-pearson", 0.9, 4)
        assert made.spec["policy"] == {"repetition": 4, "max_plies": 90}
        assert made.spec["match"] == 7


def test_columns_are_the_administrators(site: Site) -> None:
    """They are offered to nobody else, who is told so, also when they are asked for all the same."""
    assert 'name="columns"' in _get(site, "/experiments/new", "staff").text
    page = _get(site, "/experiments/new", "red").text
    assert 'name="columns"' not in page
    assert "Only an administrator records games in columns" in page
    refused = _send(site, "/experiments/new", "red", **FORM | {"columns": "ply"})
    assert refused.status_code == 422
    assert "only an administrator records games in columns" in refused.text
    assert _send(site, "/experiments/new", "staff", **FORM | {"columns": "ply"}).status_code == 303
    assert site.get("/experiments/1", "staff").json()["columns"] == "ply"


def test_all_that_is_wrong_is_told_at_once(site: Site) -> None:
    """Each field that cannot be read has its line, so that a form is sent twice and not five times."""
    answer = _send(site, "/experiments/new", "red", **FORM | {"games": "x", "seed": "y", "params": "z; w"})
    (alert,) = re.findall(r'<div class="notice" role="alert".*?</div>', answer.text, re.DOTALL)
    labels = re.findall(r"<li>([^:]*):", alert)
    assert labels == ["Parameters", "Parameters", "Number of games", "Seed"]


@pytest.mark.parametrize(
    "typed",
    [
        {"params": "heaps＝［１，２，３］；misere＝true", "games": "１００"},  # noqa: RUF001  (Chinese signs)
        {"params": "heaps=1、2、3; misere=True"},
        {"params": " heaps = 1,2,3 ;"},
    ],
)
def test_the_signs_of_chinese_and_lists_without_brackets_are_read(site: Site, typed: dict[str, str]) -> None:
    """Whoever types in Chinese, or as a tournament's form has it, is understood."""
    assert _send(site, "/experiments/new", "red", **FORM | typed).status_code == 303
    told = site.get("/experiments/1", "red").json()["game"]["params"]
    assert told == {"heaps": [1, 2, 3], "misere": "misere" in typed["params"]}


def test_a_bot_after_a_space_has_its_time(site: Site) -> None:
    """A bot is known without the spaces around its name; where no time is typed it has the usual."""
    with site.world.database.transaction() as session:
        versions.get_version(session, versions.get(session, "red")).games = ["heap_nim"]
    for number, typed in enumerate(({"move_ms": "70"}, {"move_ms": ""}), start=1):
        form = FORM | {"first": " bot:red", "games": "10"} | typed
        assert _send(site, "/experiments/new", "red", **form).status_code == 303
        told = site.get(f"/experiments/{number}/results", "red").json()["result"]["spec"]["time"]["move_ms"]
        assert told == int(typed["move_ms"] or 1000)


@pytest.mark.parametrize(
    ("plan", "place", "told"),
    [
        ("{", "", "這不是 JSON"),
        ("[1]", "", "須為物件"),
        ("{}", "name", "沒有填寫"),
        (GRID | {"more": 1}, "more", "沒有這個欄位"),
        (GRID | {"name": "7"}, "name", "掃描的名稱不能是 7 這樣的數字"),
        (GRID | {"vary": {"luck": []}}, "vary.luck", "至少須有 1 項"),
        (GRID | {"vary": {"luck": [1, 1]}}, "", "vary.luck 有重複的值"),
        (GRID | {"vary": {"luck": [1], "other": [1]}}, "", "vary.other 沒有作用"),
        (GRID | {"each": GRID["each"] | {"games": 0}}, "", "each.games：至少須為 1（luck=1）"),  # noqa: RUF001
        (GRID | {"each": GRID["each"] | {"first": "nobody"}}, "", "沒有玩家「nobody」"),
    ],
)
def test_a_grid_is_refused_in_chinese(site: Site, plan: Any, place: str, told: str) -> None:
    """What is wrong with it, where that stands, and the grid as it was sent."""
    text = plan if isinstance(plan, str) else json.dumps(plan)
    answer = site.client.post(
        "/experiments/grid", headers=sign_in(site, "red") | {"Accept-Language": "zh-TW"}, data={"plan": text}
    )
    assert answer.status_code == 422
    (alert,) = re.findall(r'<div class="notice" role="alert".*?</div>', answer.text, re.DOTALL)
    items = re.findall(r"<li>(.*?)</li>", alert, re.DOTALL)
    assert items[0].startswith(f"<code>{place}</code>: <span>" if place else "<span>"), items
    assert told in unescape(items[0])
    assert text in unescape(answer.text)


def test_who_sees_and_ends_an_experiment(site: Site) -> None:
    """A team's is nobody else's; the administrators' is everybody's to read, and theirs to end."""
    assert (
        site.post("/experiments", "red", json=FORM | {"params": PLAN["params"], "games": 100}).status_code
        == 201
    )
    assert site.post("/experiments", "staff", json=PLAN).status_code == 201
    assert _get(site, "/experiments/1").status_code == _get(site, "/experiments/1", "blue").status_code == 404
    assert "/experiments/1" not in _get(site, "/experiments", "blue").text
    assert "/experiments/2" in _get(site, "/experiments").text
    assert "Cancel the experiment" not in _get(site, "/experiments/2", "red").text
    assert _send(site, "/experiments/2/cancel", "red").status_code == 403
    assert _send(site, "/experiments/1/cancel", "blue").status_code == 404
    assert "Cancel the experiment" in _get(site, "/experiments/1", "red").text
    assert _send(site, "/experiments/1/cancel", "red").status_code == 303
    assert site.get("/experiments/1", "red").json()["state"] == "cancelled"
    again = _send(site, "/experiments/1/cancel", "red")
    assert again.status_code == 409
    assert "cannot be cancelled" in again.text


def test_one_that_has_failed_is_tried_again_by_an_administrator(site: Site) -> None:
    """The button is theirs alone, and it goes on."""
    site.post("/experiments", "staff", json=PLAN)
    with site.world.database.transaction() as session:
        experiment = store.lock(session, 1)
        experiment.trouble = "the host burnt down"
        lifecycle.fail(session, experiment)
    assert "/experiments/1/retry" not in _get(site, "/experiments/1", "red").text
    page = _get(site, "/experiments/1", "staff").text
    assert "the host burnt down" in page
    assert "/experiments/1/retry" in page
    assert _send(site, "/experiments/1/retry", "staff").status_code == 303
    assert site.get("/experiments/1").json()["state"] == ExperimentState.RUNNING
    assert _send(site, "/experiments/1/retry", "staff").status_code == 409


def test_the_documents_numbers_stand_beside(site: Site) -> None:
    """A cell of the document's tables has theirs beside ours; the same with exchanged seats has not."""
    for swap in (False, True):
        site.post("/experiments", "staff", json=CELL | {"swap": swap})
    _play(site)
    printed = site.get("/experiments/1/results").json()["printed"]
    assert [(each["table"], each["mean"], each["games"]) for each in printed] == [("table-11", "0.669", 3000)]
    page = _get(site, "/experiments/1").text
    assert "Circle Nim, table 11" in page
    assert "0.680, 0.664, 0.664" in page
    assert "document: 0.669" in page
    assert "table 11" not in _get(site, "/experiments/2").text
    assert "文件對相同對局的說法" in _get(site, "/experiments/1", language="zh-TW").text


def test_a_sweep_from_the_form_to_its_table(site: Site) -> None:
    """Sent as a grid, its cells come in, what was cancelled goes on, and the table is downloaded."""
    made = _send(site, "/experiments/grid", "red", plan=json.dumps(GRID))
    assert (made.status_code, made.headers["location"]) == (303, "/sweeps/heaps")
    assert _get(site, "/sweeps/heaps", "blue").status_code == 404
    assert _send(site, "/sweeps/heaps/cancel", "blue").status_code == 404
    assert "shown when it is over" not in _get(site, "/sweeps/heaps", "red").text
    assert _send(site, "/sweeps/heaps/cancel", "red").status_code == 303
    assert "/sweeps/heaps/resume" in _get(site, "/sweeps/heaps", "red").text
    assert _send(site, "/sweeps/heaps/resume", "red").status_code == 303
    _play(site)
    page = _get(site, "/sweeps/heaps", "red").text
    assert page.count('id="cell-') == 3
    assert page.count("40 / 40") == 3
    assert 'name="live"' not in page
    table = site.client.get("/sweeps/heaps/table.csv", headers=sign_in(site, "red")).text
    assert len(table.splitlines()) == 4
    lines = site.client.get("/sweeps/heaps/table.jsonl", headers=sign_in(site, "red")).text
    assert [json.loads(line)["luck"] for line in lines.splitlines()] == [1, 2, 3]
    assert "/sweeps/heaps" in _get(site, "/experiments", "red").text
    assert "掃描" in _get(site, "/sweeps", "red", "zh-TW").text
    refused = _send(site, "/experiments/grid", "red", plan='{"name": "x"}')
    assert refused.status_code == 422
    assert '<code>vary</code>: <span lang="en">it is missing<' in refused.text


def test_lists_without_anything_say_what_to_do(site: Site) -> None:
    """No list is an empty page."""
    assert "arena simulate GAME" in _get(site, "/experiments").text
    assert "arena experiment sweep" in _get(site, "/sweeps").text
