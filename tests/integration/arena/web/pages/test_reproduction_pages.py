"""The report on the documents as pages: with nothing computed, with a report, and with a broken one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from arena.core.folder import DataFolder
from arena.documents.inventory import DOCUMENTS, inventory, known
from arena.reproduction.files import files
from engines.games import all_games
from tests.integration.arena.reproduction.test_files import report
from tests.integration.arena.site import API, Site


def _get(site: Site, path: str, language: str = "en") -> Any:
    return site.client.get(path, headers={"Accept-Language": language})


def _publish(site: Site, name: str = "all") -> Path:
    """Put a small report on circle Nim where the pages look for reports."""
    folder = DataFolder(site.world.settings.data_dir).reproduction / name
    for each, content in files(report()):
        path = folder / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_without_a_report_every_claim_stands_there(site: Site, name: str, language: str) -> None:
    """The page says how a report is made, and has a row for each claim with what does it now."""
    page = _get(site, f"/reproduction/{name}", language).text
    assert f"arena reproduce --document {name} --publish" in page
    for claim in inventory(name):
        assert f'id="says-{claim.key}"' in page
    for answer in known(name).values():
        if answer.page:
            assert f'href="{answer.page.replace("&", "&amp;")}"' in page
    told = site.client.get(f"{API}/reproduction/{name}").json()
    assert told["computed"] is None
    assert len(told["claims"]) == len(inventory(name))


def test_the_overview_counts_what_is_known(site: Site) -> None:
    """Without a report nothing is said to agree, and every document is linked."""
    page = _get(site, "/reproduction").text
    assert "arena reproduce --publish" in page
    assert all(f'href="/reproduction/{name}"' in page for name in DOCUMENTS)
    assert "待計算" in _get(site, "/reproduction", "zh-TW").text


def test_every_page_that_a_claim_names_is_there(site: Site) -> None:
    """Each leads to an address of this arena, for a game that there is, and opens what it says."""
    for name in DOCUMENTS:
        for answer in known(name).values():
            path = answer.page.partition("?")[0]
            if path.startswith(("/games/", "/play/")):
                assert path.rpartition("/")[2] in all_games(), path
            if path:
                page = _get(site, answer.page)
                assert page.status_code == 200, answer.page
                assert not path.startswith("/play/") or 'class="notice"' not in page.text, answer.page


def test_a_report_in_the_data_folder_is_shown(site: Site) -> None:
    """Tables, verdicts, comments and figures, in the reader's language; its words are no markup."""
    _publish(site)
    page = _get(site, "/reproduction/circle_nim").text
    assert "a title &lt;with&gt; marks" in page
    assert "<with>" not in page
    assert 'class="num differs"' in page
    assert "agrees within error" in page
    assert "a comment" in page
    assert 'src="/reproduction/circle_nim/figures/figure-5.svg"' in page
    chinese = _get(site, "/reproduction/circle_nim", "zh-TW").text
    assert "誤差內一致" in chinese
    assert "a comment" not in chinese
    assert ("每格棋譜組數" in chinese, "record sets" in chinese) == (True, False)
    assert "computed on" in _get(site, "/reproduction").text
    told = site.client.get(f"{API}/reproduction/circle_nim").json()
    assert told["computed"]["seed"] == 5
    assert [each["key"] for each in told["computed"]["exhibits"]] == ["table-1"]


def test_a_drawing_can_do_nothing(site: Site) -> None:
    """It is served with a policy of its own under which nothing in it runs; others are not found."""
    _publish(site)
    answer = _get(site, "/reproduction/circle_nim/figures/figure-5.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    policies = answer.headers.get_list("content-security-policy")
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; sandbox"]
    for path in ("circle_nim/figures/figure-6.svg", "nim/figures/figure-5.svg", "chess/figures/figure-5.svg"):
        assert _get(site, f"/reproduction/{path}").status_code == 404
    assert _get(site, "/reproduction/circle_nim/figures/..%2freport.svg").status_code in {404, 422}


def test_the_newest_report_on_a_document_is_shown(site: Site) -> None:
    """Of two the later one is, whatever they are called."""
    older, newer = _publish(site, "b"), _publish(site, "a")
    told = json.loads((newer / "report.json").read_text())
    (newer / "report.json").write_text(json.dumps(told | {"seed": 77}))
    os.utime(older / "report.json", (1_000_000_000, 1_000_000_000))
    os.utime(newer / "report.json", (1_000_000_100, 1_000_000_100))
    assert site.client.get(f"{API}/reproduction/circle_nim").json()["computed"]["seed"] == 77
    os.utime(older / "report.json", (1_000_000_200, 1_000_000_200))
    assert site.client.get(f"{API}/reproduction/circle_nim").json()["computed"]["seed"] == 5


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 1}'])
def test_a_report_that_cannot_be_read_is_passed_over(site: Site, content: str) -> None:
    """The pages are as without it."""
    (_publish(site) / "report.json").write_text(content)
    assert "arena reproduce --document circle_nim --publish" in _get(site, "/reproduction/circle_nim").text


def test_there_are_five_documents(site: Site) -> None:
    """Another one is not found."""
    assert _get(site, "/reproduction/chess").status_code == 404
    assert site.client.get(f"{API}/reproduction/chess").status_code == 404
