"""The commands about the arena's own work, against a fake of the API."""

from __future__ import annotations

from arena.schemas.staff import SetAsideOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]


def test_what_was_set_aside_is_listed(run: Run, api: FakeApi) -> None:
    """Why, by whom and how large, with a hint where to look; without any there is no hint."""
    rows = [
        sample(SetAsideOut, number=8, why="signature", detail="pc-7", host=None, size=2048, head="{x"),
        sample(SetAsideOut, number=7, why="no_json", detail="", host="pc-9", size=5, head="hello"),
    ]
    api.answers["GET", "/staff/set-aside"] = page(*rows)
    ran = run("staff", "set-aside")
    first, second = (line for line in ran.out.splitlines() if line.split()[:1] in (["8"], ["7"]))
    assert "signature: pc-7" in first
    assert "the recorder" in first
    assert "2.0 KiB" in first
    assert "pc-9" in second
    assert "hello" in second
    assert "look who else" in ran.err
    assert len(run("staff", "set-aside", "--limit", "1").out.splitlines()) == len(ran.out.splitlines()) - 1
    assert [each["number"] for each in run("staff", "set-aside", "--json").json()["set_aside"]] == [8, 7]
    api.answers["GET", "/staff/set-aside"] = page()
    assert "look who else" not in run("staff", "set-aside").err
