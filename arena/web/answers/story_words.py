"""A sentence for every kind of act, to be said after who did it, and for what followed from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.core.errors import Worded
from arena.core.kept_words import said
from arena.core.terms import Act as Timed
from arena.results.story import Act, Names
from arena.store.models.event_types import EventKind as Kind
from arena.store.story import Part
from arena.web.answers.marking import N_, NN_


class Word(str):
    """A value that is a message itself."""

    __slots__ = ()


class Moments(list[tuple[Word, str]]):
    """What is to be done, and when."""


Value = str | Worded | Moments
Values = dict[str, Value]
Follow = tuple[tuple[str, str], int]
"""What followed from an act: a message for one thing and for several, and how many."""

ARENA = N_("The arena")
BETWEEN = N_("; ")
ENDS = (".", "。")
"""What a sentence ends with that takes nothing between itself and the next one."""
SENTENCES: dict[Kind, str] = {
    Kind.ANNOUNCEMENT: N_("announced: %(text)s"),
    Kind.QUESTION_ASKED: N_("asked question %(question)s."),
    Kind.QUESTION_ANSWERED: N_("answered question %(question)s for its team."),
    Kind.ANSWER_PUBLISHED: N_("answered question %(question)s to all: %(answer)s"),
    Kind.QUESTION_CLOSED: N_("closed question %(question)s."),
    Kind.TOURNAMENT_CREATED: N_("made the tournament."),
    Kind.TOURNAMENT_TITLED: N_("gave it the title %(title)s."),
    Kind.TOURNAMENT_OPEN: N_("opened it for entries."),
    Kind.TOURNAMENT_RUNNING: N_("let it go on."),
    Kind.TOURNAMENT_PAUSED: N_("paused it."),
    Kind.TOURNAMENT_ENDED: N_("ended the ladder: no further rounds follow."),
    Kind.TOURNAMENT_FINISHED: N_("declared it finished: all is played."),
    Kind.TOURNAMENT_CANCELLED: N_("cancelled it."),
    Kind.TOURNAMENT_STUCK: N_("stands still, as the format does not know how it goes on: %(trouble)s"),
    Kind.TOURNAMENT_FROZEN: N_("froze it: later results are hidden."),
    Kind.TOURNAMENT_REVEALED: N_("revealed all results."),
    Kind.TIMETABLE_SET: N_("set the timetable: %(moments)s"),
    Kind.TIMETABLE_DONE: N_("kept the timetable: %(act)s."),
    Kind.TIMETABLE_FAILED: N_("could not keep the timetable (%(act)s): %(why)s"),
    Kind.REVEAL_MOVED: N_("took the reveal to step %(step)s."),
    Kind.GRADING_SET: N_("set how it is graded."),
    Kind.GRADES_RELEASED: N_("told the teams their grades."),
    Kind.ROUND_PAIRED: N_("paired round %(round)s."),
    Kind.ROUND_RERUN: N_("had round %(round)s played again: %(reason)s"),
    Kind.BYE_GIVEN: N_("gave %(bot)s of %(team)s a bye in round %(round)s."),
    Kind.ENTRY_MADE: N_("entered %(bot)s of %(team)s, version %(version)s."),
    Kind.ENTRY_WITHDRAWN: N_("withdrew %(bot)s of %(team)s: %(reason)s"),
    Kind.ENTRY_DISQUALIFIED: N_("disqualified %(bot)s of %(team)s: %(reason)s"),
    Kind.ENTRY_ANNULLED: N_("let no game of %(bot)s of %(team)s count: %(why)s"),
    Kind.MATCH_PARKED: N_("parked game %(match)s for the staff: %(trouble)s"),
    Kind.MATCH_RETRIED: N_("had the parked game %(match)s tried again."),
    Kind.MATCH_DROPPED: N_("called the parked game %(match)s off: %(reason)s"),
    Kind.MATCH_DECIDED: N_("decided game %(match)s, %(winner)s: %(why)s"),
    Kind.MATCH_SUPERSEDED: N_("let the result of game %(match)s count no more: %(why)s"),
    Kind.MATCH_RERUN: N_("had game %(match)s played again: %(reason)s"),
}
"""What is said of every kind of event that is told of a tournament."""
STARTED = N_("started it.")
UNTITLED = N_("took its title away.")
ENTERED_ALL = NN_("entered %(num)s bot.", "entered %(num)s bots.")
CHANGED_GRADING = N_("changed how it is graded, after grades had been told.")
TOLD_AGAIN = N_("told the teams other grades: %(reason)s")
ANNULLED = N_("disqualified %(bot)s of %(team)s, and none of its games counts: %(reason)s")
WINNERS = {
    "first": N_("won by the first side"),
    "second": N_("won by the second side"),
    "draw": N_("drawn"),
    "nobody": N_("lost by both"),
}
TIMED = {
    Timed.OPEN: N_("Entries open"),
    Timed.CLOSE: N_("Entries close"),
    Timed.START: N_("Start"),
    Timed.FREEZE: N_("Freeze"),
    Timed.REVEAL: N_("Reveal"),
}
FOLLOWS: dict[Kind, tuple[str, str]] = {
    Kind.MATCH_DECIDED: NN_(
        "%(num)s game was decided without being played.", "%(num)s games were decided without being played."
    ),
    Kind.MATCH_SUPERSEDED: NN_("%(num)s result counts no more.", "%(num)s results count no more."),
    Kind.MATCH_RERUN: NN_("%(num)s game is played again.", "%(num)s games are played again."),
    Kind.ROUND_PAIRED: NN_("%(num)s round was paired.", "%(num)s rounds were paired."),
    Kind.BYE_GIVEN: NN_("%(num)s bot has a bye.", "%(num)s bots have a bye."),
    Kind.TOURNAMENT_RUNNING: NN_("The tournament goes on.", "The tournament goes on."),
    Kind.TOURNAMENT_FINISHED: NN_("The tournament is over.", "The tournament is over."),
    Kind.TIMETABLE_DONE: NN_("So the timetable said.", "So the timetable said."),
    Kind.REVEAL_MOVED: NN_("It was the last step of the reveal.", "It was the last step of the reveal."),
    Kind.TOURNAMENT_REVEALED: NN_("All results are shown.", "All results are shown."),
}
"""What is said of events that are not what an act was, by their kinds."""
LOST = NN_("%(num)s game counts as lost.", "%(num)s games count as lost.")
GAMES = NN_("%(num)s game is to be played.", "%(num)s games are to be played.")
CALLED_OFF = NN_("%(num)s game was called off.", "%(num)s games were called off.")
GRADED = NN_("%(num)s team was told.", "%(num)s teams were told.")
LEAVING = (Kind.ENTRY_WITHDRAWN, Kind.ENTRY_DISQUALIFIED)
OF_MATCHES = {
    Kind.TOURNAMENT_RUNNING: GAMES,
    Kind.ROUND_PAIRED: GAMES,
    Kind.TOURNAMENT_CANCELLED: CALLED_OFF,
}
"""What is said of the number of matches that an event of these kinds has."""


def message(act: Act) -> tuple[str, Values]:
    """What was done, and what is filled in; of several entries at once it is `follows` that tells it."""
    main = act.main
    data, kind = main.event.data, main.event.kind
    sentence = SENTENCES[kind]
    if kind is Kind.TOURNAMENT_RUNNING and data.get("matches") is not None:
        sentence = STARTED
    elif kind is Kind.TOURNAMENT_TITLED and not data["title"]:
        sentence = UNTITLED
    elif kind is Kind.ENTRY_DISQUALIFIED and data.get("annulled"):
        sentence = ANNULLED
    elif kind is Kind.GRADING_SET and data["releases"]:
        sentence = CHANGED_GRADING
    elif kind is Kind.GRADES_RELEASED and data["reason"]:
        sentence = TOLD_AGAIN
    return sentence, values(main, act.names)


def part_message(part: Part, names: Names) -> tuple[str, Values]:
    """What one event of an act says."""
    return SENTENCES.get(part.event.kind, ""), values(part, names)


def together(act: Act) -> Follow | None:
    """What an act is called that entered several bots at once."""
    count = act.counts.get(Kind.ENTRY_MADE, 0)
    return (ENTERED_ALL, count) if act.main.event.kind is Kind.ENTRY_MADE and count > 1 else None


def follows(act: Act) -> list[Follow]:
    """What followed from an act, with how often."""
    main, data = act.main.event.kind, act.main.event.data
    told: list[Follow] = []
    if main in OF_MATCHES and data.get("matches"):
        told.append((OF_MATCHES[main], data["matches"]))
    if main is Kind.GRADES_RELEASED:
        told.append((GRADED, data["teams"]))
    for kind, words in FOLLOWS.items():
        count = act.counts.get(kind, 0) - (kind is main)
        if count > 0:
            told.append((LOST if kind is Kind.MATCH_DECIDED and main in LEAVING else words, count))
    return told


def values(part: Part, names: Names) -> Values:
    """What is filled into the message of an event."""
    told = {name: str(value) for name, value in part.event.data.items() if name != "words"}
    if part.match is not None:
        told["match"] = str(part.match)
    if "bot" not in told and "entry" in part.event.data:
        number = part.event.data["entry"]
        told["bot"] = names.bots.get(number, f"#{number}")
    if "bot" in told:
        told["team"] = names.owners.get(told["bot"], "?")
    if "act" in told:
        told["act"] = Word(TIMED[Timed(told["act"])])
    if part.event.kind is Kind.MATCH_DECIDED:
        told["winner"] = Word(WINNERS.get(told["winner"], told["winner"]))
    return told | _composed(part.event.data)


def _composed(data: Mapping[str, Any]) -> Values:
    """The values that are said in parts."""
    composed: Values = {}
    if "moments" in data:
        composed["moments"] = Moments((Word(TIMED[Timed(act)]), at) for act, at in data["moments"].items())
    if "words" in data:
        name = "why" if "why" in data else "trouble"
        composed[name] = said(data["words"], data[name])
    return composed
