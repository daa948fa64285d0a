"""The story of a tournament: acts as sentences, and as lines of CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from arena.core.errors import Worded
from arena.interchange.tables import BOM, csv_line
from arena.results.story import Act, Names
from arena.schemas.story import ActOut, PartOut
from arena.store.story import Part
from arena.web.answers import story_words as words

Gettext = Callable[[str], str]
Ngettext = Callable[[str, str, int], str]
COLUMNS = ("number", "at", "by", "kind", "what", "events")


def _english(message: str) -> str:
    return message


def _counted(one: str, many: str, number: int) -> str:
    return one if number == 1 else many


class Teller:
    """Says in a language what was done; English unless it is told how to translate."""

    def __init__(self, gettext: Gettext = _english, ngettext: Ngettext = _counted) -> None:
        self._gettext = gettext
        self._ngettext = ngettext

    def who(self, act: Act) -> str:
        """Who did it."""
        return act.by or self._gettext(words.ARENA)

    def what(self, act: Act) -> str:
        """What was done, and what followed from it, without who did it."""
        several = words.together(act)
        said = self._many(*several) if several else self._filled(*words.message(act))
        if followed := " ".join(self._many(*each) for each in words.follows(act)):
            between = " " if said.endswith(words.ENDS) else self._gettext(words.BETWEEN)
            return said + between + followed
        return said

    def part(self, part: Part, names: Names) -> str:
        """What one event of an act says."""
        return self._filled(*words.part_message(part, names))

    def _many(self, message: tuple[str, str], number: int) -> str:
        return self._ngettext(*message, number) % {"num": number}

    def _said(self, error: Worded) -> str:
        return str(error)

    def _word(self, value: words.Value) -> str:
        if isinstance(value, Worded):
            return self._said(value)
        if isinstance(value, words.Moments):
            return ", ".join(f"{self._gettext(act)} {at}" for act, at in value) or "-"
        return self._gettext(value) if isinstance(value, words.Word) else value

    def _filled(self, message: str, values: Mapping[str, words.Value]) -> str:
        told = {name: self._word(value) for name, value in values.items()}
        return self._gettext(message) % told if message else ""


ENGLISH = Teller()


def act_of(act: Act) -> ActOut:
    """An act, in English."""
    return ActOut(
        number=act.number,
        at=act.at,
        by=act.by,
        kind=act.main.event.kind,
        text=f"{ENGLISH.who(act)} {ENGLISH.what(act)}",
        size=act.size,
        parts=[part_of(each, act.names) for each in act.parts],
    )


def part_of(part: Part, names: Names) -> PartOut:
    """An event of an act, in English."""
    event = part.event
    return PartOut(
        number=event.id,
        at=event.at,
        kind=event.kind,
        match=part.match,
        text=ENGLISH.part(part, names),
        data=event.data,
    )


def csv_lines(acts: Iterable[Act], teller: Teller) -> Iterator[str]:
    """Acts for a spreadsheet: a heading, then a line an act."""
    yield BOM + csv_line(COLUMNS)
    for act in acts:
        at = act.at.isoformat(timespec="seconds")
        yield csv_line(
            [act.number, at, teller.who(act), str(act.main.event.kind), teller.what(act), act.size]
        )
