"""`arena reproduce`: what it writes, and what it refuses before it begins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run


def test_a_report_is_written_and_written_again(run: Run, tmp_path: Path) -> None:
    """The folder is made, holds page, JSON and tables, and a second run leaves the same bytes."""
    out = tmp_path / "new" / "report"
    ran = run("reproduce", "--document", "nim", "--out", str(out))
    assert ran.code == 0
    assert "Heap Nim" in ran.out
    assert "nim: 1 of 1" in ran.err
    files = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert {Path("report.html"), Path("report.json"), Path("tables/nim/rule.csv")} <= set(files)
    (out / "report.html").write_text("old")
    assert run("reproduce", "--document", "nim", "--out", str(out), "--force").code == 0
    again = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert again == files


def test_a_published_report_lies_in_the_data_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --out it goes there alone, a second time in the place of the first, and has the figures too."""
    monkeypatch.setenv("ARENA_DATA_DIR", str(tmp_path / "data"))
    for _ in range(2):
        ran = run("reproduce", "--document", "nim", "--publish")
        assert ran.code == 0
    folder = tmp_path / "data" / "reproduction" / "nim"
    assert f"The report: {folder / 'report.html'}" in ran.out
    told = json.loads((folder / "report.json").read_text())
    (document,) = told["documents"]
    by_key = {claim["key"]: claim for claim in document["claims"]}
    page = "/play/heap_nim?opponent=@xor"
    assert by_key["hint"]["page"] == page
    assert by_key["hint"]["command"].startswith("arena game hint heap_nim")
    assert f"| `{page}` `arena game hint heap_nim --moves 1:1` |" in (folder / "report.md").read_text()
    assert f'<code class="command">{page}</code>' in (folder / "report.html").read_text()
    assert all((folder / "figures" / "nim" / f"{each['key']}.svg").exists() for each in document["figures"])


def test_json_prints_what_the_json_file_holds(run: Run, tmp_path: Path) -> None:
    """With --json standard output is the document that is also in the folder."""
    ran = run("reproduce", "--document", "nim", "--out", str(tmp_path / "out"), "--json")
    assert ran.code == 0
    assert ran.json() == json.loads((tmp_path / "out" / "report.json").read_text())


def test_a_file_is_no_place_for_a_report(run: Run, tmp_path: Path) -> None:
    """A file as --out, or as a folder on the way to it, is refused at once with exit code 2."""
    (tmp_path / "file").write_text("mine")
    for out in ("file", "file/below"):
        ran = run("reproduce", "--document", "nim", "--out", str(tmp_path / out))
        assert ran.code == 2
        assert "--out" in ran.err
        assert "nim: 0" not in ran.err
    assert (tmp_path / "file").read_text() == "mine"


def test_an_unknown_document_or_no_folder_is_refused(run: Run) -> None:
    """A document that there is none of, a seed out of range, and nowhere to write have exit code 2."""
    assert run("reproduce", "--document", "chess", "--out", "x").code == 2
    assert run("reproduce", "--document", "nim").code == 2
    assert run("reproduce", "--document", "nim", "--out", "x", "--seed", "-1").code == 2
    assert run("reproduce", "--document", "nim", "--out", "x", "--jobs", "0").code == 2
