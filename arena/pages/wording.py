"""The words for what the store holds as codes. `N_` marks a message that is translated where it is shown."""

from __future__ import annotations

from arena.class_report import WALKOVER
from arena.plans import Format
from arena.store.models import Leaving, MatchState, TournamentState, VersionState
from workers.check_contract import BUILD
from workers.contract import FaultCode
from workers.runtimes.languages import LANGUAGES


def N_(message: str) -> str:  # noqa: N802  (gettext's own name for it)
    """The message itself; the catalogues find it by this call."""
    return message


TOURNAMENT_STATES = {
    TournamentState.DRAFT: N_("Draft"),
    TournamentState.OPEN: N_("Open for entries"),
    TournamentState.RUNNING: N_("Running"),
    TournamentState.PAUSED: N_("Paused"),
    TournamentState.FINISHED: N_("Finished"),
    TournamentState.CANCELLED: N_("Cancelled"),
}
VERSION_STATES = {
    VersionState.CHECKING: N_("Being checked"),
    VersionState.PASSED: N_("Passed"),
    VersionState.FAILED: N_("Failed"),
    VersionState.UNCHECKED: N_("Could not be checked"),
}
MATCH_STATES = {
    MatchState.PENDING: N_("Waiting"),
    MatchState.PUBLISHED: N_("Waiting for a worker"),
    MatchState.RUNNING: N_("Being played"),
    MatchState.FINISHED: N_("Played"),
    MatchState.PARKED: N_("Parked for the staff"),
    MatchState.CANCELLED: N_("Called off"),
}
FORMATS = {
    Format.ROUND_ROBIN: N_("Round robin"),
    Format.DOUBLE_ROUND_ROBIN: N_("Double round robin"),
    Format.SWISS_DUTCH: N_("Swiss (FIDE Dutch)"),
    Format.SWISS: N_("Swiss"),
    Format.KNOCKOUT: N_("Knockout"),
    Format.GROUPS: N_("Groups and bracket"),
    Format.GAUNTLET: N_("Gauntlet"),
    Format.LADDER: N_("Ladder"),
}
LEAVING = {
    Leaving.WITHDRAWN: N_("withdrawn"),
    Leaving.DISQUALIFIED: N_("disqualified"),
}
GAMES = {
    "reversed_reversi": N_("Reversed Reversi"),
    "heap_nim": N_("Heap Nim"),
    "circle_nim": N_("Circle Nim"),
    "l_game": N_("L-Game"),
    "rhombic_chess": N_("Rhombic Chess"),
}
REASONS = {
    "fewest_discs": N_("fewest discs"),
    "most_discs": N_("most discs"),
    "equal_discs": N_("equal discs"),
    "took_the_last": N_("took the last one"),
    "left_the_last": N_("left the last one to the other side"),
    "cannot_place": N_("the other side cannot put its L down"),
    "blocked": N_("the other side cannot move"),
    "repetition": N_("the same position came up too often"),
    "ply_limit": N_("the match took as many plies as it may"),
    "resign": N_("the other side resigned"),
    "withdrawn": N_("the other side withdrew"),
    "disqualified": N_("the other side was disqualified"),
    "manual": N_("the staff decided"),
}
FAULTS = {
    FaultCode.TIMEOUT: N_("out of time"),
    FaultCode.CRASH: N_("crashed"),
    FaultCode.ILLEGAL_MOVE: N_("illegal move"),
    FaultCode.MALFORMED: N_("unreadable answer"),
    FaultCode.OVERSIZE: N_("too much output"),
    FaultCode.PROTOCOL_ERROR: N_("answer out of turn"),
    FaultCode.RESOURCE: N_("used more than allowed"),
    FaultCode.STARTUP: N_("did not start"),
}
NOT_PLAYED = N_("lost without a game")
NOT_BUILT = N_("did not build")
ADVICE = {
    404: N_(
        "No page, tournament, game or bot has this address. Check how it is written, or look for it from the "
        "list of tournaments."
    ),
    405: N_("This address is only for reading. Follow the links of the pages instead."),
    422: N_(
        "The address asks for something that cannot be. Check its numbers and what stands after the “?”."
    ),
    503: N_("The database does not answer at the moment. Try again shortly."),
}
REFUSED = N_("The request cannot be answered as it is. Follow the links of the pages instead.")
FAILED = N_("Something failed in the arena. Try again; if it stays so, tell the staff: the log says why.")


def advice(status: int) -> str:
    """The message for an error of this HTTP status: what has happened and what to do."""
    return ADVICE.get(status) or (REFUSED if status < 500 else FAILED)


def reason(code: str) -> str:
    """The message for the reason of a result; a reason without words stands for itself."""
    return REASONS.get(code) or FAULTS.get(code) or code.replace("_", " ")  # type: ignore[call-overload]  # a StrEnum's keys equal their texts


def forfeit(kind: str) -> str:
    """The message for a kind of forfeit in a class report."""
    return NOT_PLAYED if kind == WALKOVER else reason(kind)


def check_fault(code: str) -> str:
    """The message for the code of a fault in a submission check."""
    return NOT_BUILT if code == BUILD else reason(code)


def language(name: str) -> str:
    """What a language is called; one that is not known any more stands for itself."""
    return LANGUAGES[name].title if name in LANGUAGES else name


def game(name: str) -> str:
    """The message for a game's name; a game without words stands for itself."""
    return GAMES.get(name, name.replace("_", " "))
