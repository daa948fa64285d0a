"""What the form of a new tournament is filled in with, by a click."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from arena.web.pages.wording import N_


class Template(NamedTuple):
    """Values that fill the form in."""

    label: str
    told: str
    values: Mapping[str, str]


TEMPLATES: Mapping[str, Template] = {
    "afternoon": Template(
        N_("Class afternoon"),
        N_("Everybody meets everybody twice, quickly: over in a lesson or two."),
        {"format": "double_round_robin", "move": "2", "extensions": "0", "extension": "0", "openings": "0"},
    ),
    "groups": Template(
        N_("Groups and finals"),
        N_("As in the class competition: groups, then a bracket of the best, with a minute for a move."),
        {
            "format": "groups",
            "option-groups": "4",
            "option-qualifiers": "2",
            "option-third_place": "on",
            "move": "60",
            "extensions": "3",
            "extension": "120",
            "openings": "1",
        },
    ),
    "night": Template(
        N_("Over night"),
        N_("Everybody meets everybody over many openings, which tells best who is stronger."),
        {
            "format": "round_robin",
            "move": "10",
            "extensions": "3",
            "extension": "30",
            "openings": "10",
            "opening_plies": "6",
        },
    ),
    "ladder": Template(
        N_("Ladder"),
        N_("Open without an end: bots come and are replaced at any time, and the best rise."),
        {"format": "ladder", "move": "5", "extensions": "0", "extension": "0", "openings": "1"},
    ),
}
