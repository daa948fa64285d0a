"""Whose a part of an upload is: names of files compared with those of a class's teams and their members."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

from arena.submissions.batches import Part

SEPARATORS = re.compile(r"[\W_]+")
MIN_CHARS = 2
"""A word within a longer name has so many to be taken for a team's."""
MAX_WORDS = 12


class Senders:
    """The teams of a class by all the names that they and their members have."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Take names, each with the name of its team."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for name, team in names:
            family_first = "".join(reversed(SEPARATORS.split(name)))  # as Canvas has names
            for way in {folded(name), folded(family_first)}:
                found[way].add(team)
        self._teams: Mapping[str, str] = {
            name: next(iter(teams)) for name, teams in found.items() if name and len(teams) == 1
        }

    def knows(self, name: str) -> bool:
        """Whether a team, or a member of one, is called so."""
        return folded(name) in self._teams

    def of(self, part: Part) -> str | None:
        """The team that a part is from: by a whole name, else by words that name one team only.

        What the platform or the folder says goes before what the files in it are called.
        """
        inside = part.file_names if part.count == 1 else ()
        for names in (part.names, inside):
            whole = next((team for name in names if (team := self._teams.get(folded(name)))), None)
            if whole is not None:
                return whole
            teams = {team for name in names for team in self._within(name)}
            if len(teams) == 1:
                return teams.pop()
        return None

    def _within(self, name: str) -> set[str]:
        """The teams that words of a name stand for; a word of a longer one counts only there."""
        words = [word for word in SEPARATORS.split(unicodedata.normalize("NFKC", name)) if word][:MAX_WORDS]
        teams, taken = set[str](), set[int]()
        for length in range(len(words), 0, -1):
            for at in range(len(words) - length + 1):
                run, places = folded("".join(words[at : at + length])), range(at, at + length)
                if len(run) >= MIN_CHARS and run in self._teams and taken.isdisjoint(places):
                    taken.update(places)
                    teams.add(self._teams[run])
        return teams


def folded(name: str) -> str:
    """What two ways to write a name have in common: letters and digits, however wide and large."""
    composed = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in composed if sign.isalnum())
