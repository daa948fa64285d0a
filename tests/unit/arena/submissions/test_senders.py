"""Whose a part of an upload is, by names."""

from __future__ import annotations

import pytest

from arena.submissions.batches import Part
from arena.submissions.senders import Senders

TEAMS = Senders(
    [
        *(("red", "red"), ("ruby", "red"), ("Bob.Smith", "red")),
        *(("Team-1", "Team-1"), ("Team-10", "Team-10"), ("第三組", "第三組"), ("王小明", "第三組")),
        *(("x", "x"), ("same-name", "red"), ("Same_Name", "Team-1")),
    ]
)


@pytest.mark.parametrize(
    ("names", "team"),
    [
        (("red",), "red"),
        (("\uff32\uff25\uff24",), "red"),
        (("ruby",), "red"),
        (("smithbob",), "red"),
        (("team 1",), "Team-1"),
        (("TEAM_10",), "Team-10"),
        (("team-10 final",), "Team-10"),
        (("第三組_機器人 v2",), "第三組"),
        (("(王小明) 期末",), "第三組"),
        (("Group A-王小明", "Group A", "王小明"), "第三組"),
        (("red and team-1",), None),
        (("reddish",), None),
        (("same name",), None),
        (("x y z",), None),
        (("x",), "x"),
        (("!!!",), None),
    ],
)
def test_names(names: tuple[str, ...], team: str | None) -> None:
    """A whole name, of a team or a member, goes before words of it; two teams' names are nobody's."""
    assert TEAMS.of(Part("label", names)) == team
