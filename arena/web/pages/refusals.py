"""What was refused, in the reader's language: the messages of errors are in the catalogue of the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from arena.core.errors import AnyOf, Term, Worded
from arena.core.terms import (
    Act,
    DeliveryState,
    ExperimentState,
    Leaving,
    MatchState,
    Role,
    SolveState,
    TournamentState,
    TrainingState,
    VersionState,
)
from arena.web.pages.wording import (
    ACTS,
    DELIVERY_STATES,
    LEAVING,
    MATCH_STATES,
    N_,
    ROLES,
    SOLVE_STATES,
    TOURNAMENT_STATES,
    TRAINING_STATES,
    VERSION_STATES,
)
from engines.game import GameError, Phrase

EXPERIMENT_STATES = {
    ExperimentState.WAITING: N_("Waiting"),
    ExperimentState.RUNNING: N_("Running"),
    ExperimentState.FINISHED: N_("Finished"),
    ExperimentState.CANCELLED: N_("Cancelled"),
    ExperimentState.FAILED: N_("Failed"),
}
WORDS: dict[type[StrEnum], Mapping[Any, str]] = {
    TournamentState: TOURNAMENT_STATES,
    MatchState: MATCH_STATES,
    VersionState: VERSION_STATES,
    ExperimentState: EXPERIMENT_STATES,
    Act: ACTS,
    Leaving: LEAVING,
    Role: ROLES,
    DeliveryState: DELIVERY_STATES,
    SolveState: SOLVE_STATES,
    TrainingState: TRAINING_STATES,
}
"""How these are called on the pages."""
TERMS = {
    each: each
    for each in (
        *(N_("amended"), N_("entered"), N_("started"), N_("cancelled"), N_("ended"), N_("closed to entries")),
        *(N_("set to open"), N_("set to running"), N_("set to paused"), N_("set to finished")),
        *(N_("set to cancelled"), N_("set to draft")),
        *(N_("retried"), N_("dropped"), N_("frozen already"), N_("paused"), N_("resumed")),
        *(N_("user"), N_("bot"), N_("class"), N_("team")),
        *(N_("games of bots"), N_("games of players by name"), N_("recorded games of players by name")),
        *(N_("the number of records"), N_("the number of games"), N_("the number of playouts")),
        *(N_("the number of winning records"), N_("the number of losing records")),
        *(N_("the number of hints"), N_("the seed")),
        *(N_("reading"), N_("handing in bots"), N_("enter your own"), N_("choose another name")),
    )
}
"""The words of ours that stand in messages (`Term`, and `Phrase` of the games)."""


class Refusal(NamedTuple):
    """Why something was refused; `is_english` where it is not said in the reader's language."""

    text: str
    is_english: bool


def told(error: Worded | GameError, translate: Callable[[str], str], *, english: bool) -> Refusal:
    """What to say of an error; a message that the catalogue does not have stays English."""
    message = translate(error.message)
    if english or message == error.message:
        return Refusal(str(error), is_english=True)

    def word(value: object) -> object:
        if isinstance(value, AnyOf):
            return _any_of([str(word(each)) for each in value], translate)
        if isinstance(value, Worded | GameError):
            return told(value, translate, english=False).text
        if isinstance(value, StrEnum):
            known = WORDS.get(type(value), {}).get(value)
            return translate(known) if known else str(value)
        return translate(TERMS.get(value, value)) if isinstance(value, Term | Phrase) else value

    values = {name: word(value) for name, value in error.values.items()}
    return Refusal(message % values if values else message, is_english=False)


def _any_of(words: list[str], translate: Callable[[str], str]) -> str:
    """Those before the last with signs between them, and the last one after an "or"; one stands as it is."""
    *before, last = words
    if not before:
        return last
    one = translate(N_(", ")).join(before)
    return translate(N_("%(one)s or %(other)s")) % {"one": one, "other": last}
