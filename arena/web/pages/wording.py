"""The words for what the store holds as codes. `N_` marks a message that is translated where it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arena.coordinator.watch import ARCHIVES, BROKER, DATABASE, Trouble
from arena.core.terms import (
    Act,
    DeliveryState,
    Ended,
    ExperimentState,
    ExportFormat,
    HostState,
    Leaving,
    MatchState,
    Role,
    Scope,
    SignedInBy,
    SolveState,
    TournamentState,
    TrainingState,
    VersionState,
    WebhookState,
)
from arena.store.failures import Failure
from arena.theory.pairing.contract import FormatName
from arena.theory.standings.tally import WALKOVER
from arena.web.answers.endings import FAULTS as FAULTS  # noqa: PLC0414  (likewise)
from arena.web.answers.endings import reason
from arena.web.answers.marking import N_ as N_  # noqa: PLC0414  (it is had from here)
from engines.games import all_games, find_presentation
from engines.presentation import Words
from workers.checks.contract import BUILD
from workers.core.contract import GameSpec
from workers.core.poison import Unfit
from workers.programs.runtimes.languages import ADAPTERS, title_of
from workers.training.plan import Part

GAMES = Words("Games", "遊戲")
"""What can be played; the “Games” of the catalogue are those that were."""
TOURNAMENT_STATES = {
    TournamentState.DRAFT: N_("Draft"),
    TournamentState.OPEN: N_("Open for entries"),
    TournamentState.RUNNING: N_("Running"),
    TournamentState.PAUSED: N_("Paused"),
    TournamentState.FINISHED: N_("Finished"),
    TournamentState.CANCELLED: N_("Cancelled"),
}
ACTS = {
    Act.OPEN: N_("Entries open"),
    Act.CLOSE: N_("Entries close"),
    Act.START: N_("Start"),
    Act.FREEZE: N_("Freeze"),
    Act.REVEAL: N_("Reveal"),
}
VERSION_STATES = {
    VersionState.CHECKING: N_("Being checked"),
    VersionState.PASSED: N_("Passed"),
    VersionState.FAILED: N_("Failed"),
    VersionState.UNCHECKED: N_("Unchecked"),
}
SET_ASIDE = {
    Unfit.TOO_LARGE: N_("too large"),
    Unfit.NO_JSON: N_("no JSON"),
    Unfit.SHAPE: N_("no message"),
    Unfit.TASK: N_("no task of that name"),
    Unfit.FORM: N_("not what is reported"),
    Unfit.SIGNATURE: N_("not signed by whom it should be"),
    Unfit.FAILED: N_("could not be taken in"),
}
MATCH_STATES = {
    MatchState.PENDING: N_("Waiting"),
    MatchState.PUBLISHED: N_("Waiting for a worker"),
    MatchState.RUNNING: N_("Being played"),
    MatchState.FINISHED: N_("Played"),
    MatchState.PARKED: N_("Parked for the staff"),
    MatchState.CANCELLED: N_("Called off"),
}
EXPERIMENT_STATES = {
    ExperimentState.WAITING: N_("Waiting"),
    ExperimentState.RUNNING: N_("Being played"),
    ExperimentState.FINISHED: N_("Finished"),
    ExperimentState.CANCELLED: N_("Cancelled"),
    ExperimentState.FAILED: N_("Failed"),
}
EXPERIMENT_LOOKS = {
    ExperimentState.WAITING: "open",
    ExperimentState.RUNNING: "running",
    ExperimentState.FINISHED: "finished",
    ExperimentState.CANCELLED: "cancelled",
    ExperimentState.FAILED: "cancelled",
}
"""The colours of these states are those of tournaments' states."""
SOLVE_STATES = {
    SolveState.RUNNING: N_("Being solved"),
    SolveState.PAUSED: N_("Paused"),
    SolveState.FINISHED: N_("Solved"),
    SolveState.CANCELLED: N_("Cancelled"),
    SolveState.FAILED: N_("Failed"),
}
TRAINING_STATES = {
    TrainingState.RUNNING: N_("Being learned"),
    TrainingState.PAUSED: N_("Paused"),
    TrainingState.FINISHED: N_("Learned"),
    TrainingState.CANCELLED: N_("Cancelled"),
    TrainingState.FAILED: N_("Failed"),
}
TRAINING_LOOKS = {
    TrainingState.RUNNING: "running",
    TrainingState.PAUSED: "paused",
    TrainingState.FINISHED: "finished",
    TrainingState.CANCELLED: "cancelled",
    TrainingState.FAILED: "cancelled",
}
TRAINING_PARTS = {
    Part.GAMES: N_("Games against itself"),
    Part.STAGE: N_("Fit to these games"),
    Part.POINTS: N_("Match against the round before"),
}
SOLVE_LOOKS = {
    SolveState.RUNNING: "running",
    SolveState.PAUSED: "paused",
    SolveState.FINISHED: "finished",
    SolveState.CANCELLED: "cancelled",
    SolveState.FAILED: "cancelled",
}
"""The colours of these states are those of tournaments' states."""
ENDED = {
    Ended.WON: N_("Won at the board"),
    Ended.DRAWN: N_("Drawn"),
    Ended.FORFEIT: N_("Forfeit"),
}
CHECK_STATES = {
    MatchState.PENDING: N_("Waiting"),
    MatchState.PUBLISHED: N_("Waiting for a worker"),
    MatchState.RUNNING: N_("Being done"),
}
HOST_STATES = {
    HostState.PRESENT: N_("Takes work"),
    HostState.DRAINING: N_("Draining"),
    HostState.DRAINED: N_("Drained"),
    HostState.GONE: N_("Gone"),
}
HOST_LOOKS = {
    HostState.PRESENT: "running",
    HostState.DRAINING: "paused",
    HostState.DRAINED: "open",
    HostState.GONE: "cancelled",
}
"""The colours of these states are those of tournaments' states."""
WEBHOOK_STATES = {WebhookState.ACTIVE: N_("Active"), WebhookState.STOPPED: N_("Stopped")}
DELIVERY_STATES = {
    DeliveryState.WAITING: N_("Waiting"),
    DeliveryState.DELIVERED: N_("Delivered"),
    DeliveryState.FAILED: N_("Given up"),
}
FOLDERS = {
    "archives": N_("Archives of bots"),
    "recordings": N_("Recorded games of experiments"),
    "cache": N_("Cache of built bots"),
    "logs": N_("Logs"),
}
REMOVABLE = {
    "archives": N_("Nothing: what was played is replayed from them."),
    "recordings": N_("The folder of an experiment whose games were fetched with “arena experiment export”."),
    "cache": N_("All of it while the workers are stopped (“arena down”): bots are built anew."),
    "logs": N_("Nothing: they are turned over at 4 MiB, and three old ones of each are kept."),
}
"""What may be removed from a folder, and when."""
FORMATS = {
    FormatName.ROUND_ROBIN: N_("Round robin"),
    FormatName.DOUBLE_ROUND_ROBIN: N_("Double round robin"),
    FormatName.SWISS_DUTCH: N_("Swiss (FIDE Dutch)"),
    FormatName.SWISS: N_("Swiss"),
    FormatName.KNOCKOUT: N_("Knockout"),
    FormatName.GROUPS: N_("Groups and bracket"),
    FormatName.GAUNTLET: N_("Gauntlet"),
    FormatName.LADDER: N_("Ladder"),
}
EXPORTS = {
    ExportFormat.CSV: N_("All games in a table, for a spreadsheet"),
    ExportFormat.JSONL: N_("Whole records of the games that are over, to show and replay"),
    ExportFormat.PGN: N_("The results, for programs that rate"),
    ExportFormat.GGF: N_("The games, for programs that play Reversi"),
    ExportFormat.TRF: N_("The tournament report of FIDE, for pairing programs and tie-breaks"),
    ExportFormat.TRANSCRIPTS: N_("The games as text, move by move"),
}
"""What each file of a tournament is for."""
LEAVING = {
    Leaving.WITHDRAWN: N_("withdrawn"),
    Leaving.DISQUALIFIED: N_("disqualified"),
}
NOT_PLAYED = N_("lost without a game")
NOT_BUILT = N_("did not build")
ROLES = {
    Role.ADMIN: N_("Administrator"),
    Role.ORGANISER: N_("Organiser"),
    Role.TEAM: N_("Team"),
    Role.READER: N_("Reader"),
}
SCOPES = {
    Scope.ALL: N_("everything that you may do"),
    Scope.SUBMIT: N_("reading, handing in and entering bots"),
    Scope.READ: N_("reading only"),
}
SIGNED_IN_BY = {
    SignedInBy.TOKEN: N_("by a token"),
    SignedInBy.PASSWORD: N_("by password"),
    SignedInBy.CODE: N_("by a join code"),
    SignedInBy.LINK: N_("by a link"),
    SignedInBy.PASSKEY: N_("by a passkey"),
    SignedInBy.OPENID: N_("by a school account"),
}
ADVICE = {
    400: N_("The form could not be read. Perhaps it had more than 1000 files; send a zip of fewer."),
    202: N_(
        "It takes a while to work out, because the tournament is large. This page comes by itself when it is "
        "ready."
    ),
    403: N_(
        "You may not do this: it is for others, or it was sent by another site, or a password came where "
        "others can read it. Open the page here again, or ask the staff."
    ),
    409: N_("This is not possible as things stand now. Look at the page again."),
    404: N_(
        "No page, tournament, game or bot has this address. Check how it is written, or look for it from the "
        "list of tournaments."
    ),
    405: N_("This address is only for reading. Follow the links of the pages instead."),
    413: N_("More was sent than is taken here. Go back, and leave out what is not needed."),
    422: N_(
        "The address asks for something that cannot be. Check its numbers and what stands after the “?”."
    ),
    429: N_(
        "You have asked for much that takes long to work out. This page tries again by itself, after a while."
    ),
    503: N_(
        "The arena cannot answer at the moment: too many ask at once, or its database does not let it. This "
        "page tries again by itself."
    ),
}
REFUSED = N_("The request cannot be answered as it is. Follow the links of the pages instead.")
FAILED = N_(
    "Something failed in the arena. This page tries again by itself; if it stays so, tell the staff: the log "
    "says why."
)

TROUBLES = {
    (DATABASE, Failure.LOCKED): N_(
        "The arena stands still: another program has locked its database. Results are recorded when it lets "
        "go."
    ),
    (DATABASE, Failure.FULL): N_(
        "The arena stands still: the disk of its database is full. Results are recorded when there is room "
        "again."
    ),
    (DATABASE, Failure.UNWRITABLE): N_(
        "The arena stands still: its database takes no writes, because it is read-only or damaged, or its "
        "disk is."
    ),
    (DATABASE, Failure.AWAY): N_("The arena stands still: its database does not answer."),
    (BROKER, Failure.FULL): N_(
        "No matches are played: the memory of the broker, which hands them to the workers, is full."
    ),
    (BROKER, Failure.AWAY): N_(
        "No matches are played: the broker, which hands them to the workers, does not answer."
    ),
    (ARCHIVES, Failure.FULL): N_("No bots can be submitted: the disk on which they are kept is full."),
    (ARCHIVES, Failure.AWAY): N_("No bots can be submitted: what they are kept in does not answer."),
}


def trouble(which: Trouble) -> str:
    """The message for a part that does not do its work."""
    return TROUBLES[which]


def advice(status: int) -> str:
    """The message for an error of this HTTP status: what has happened and what to do."""
    return ADVICE.get(status) or (REFUSED if status < 500 else FAILED)


PLAYERS = frozenset(
    {
        N_("any legal move, each equally likely"),
        N_("wins as fast as it can, else draws, else loses as late as it can"),
        N_("wins most against random, and as soon as it can"),
        N_("sees one move ahead, and is told a best move in HINTS of 100 turns"),
        N_("tries its moves out: Monte Carlo tree search with PLAYOUTS a move"),
        N_("the document's first algorithm: winning records"),
        N_("the document's second algorithm: winning and losing records"),
        N_("the document's third algorithm: winning and losing records, then the odd rule"),
        N_(
            "the third algorithm as the document's program for people has it: "
            "all losing records at every turn"
        ),
        N_("the document's rule: leave heaps whose exclusive or is 0"),
        N_("learned from its lost games: goes where, so far, defeat was farthest"),
        N_("the best score right after its own move, looking no further"),
        N_("a class's depth-5 alpha-beta with its weights, quirks kept"),
        N_("searches as deep as its time allows, solves the last moves"),
        N_("a program in C that learned from its own games; LEVEL goes from 1, for beginners, to 8"),
    }
)
"""What the reference bots of the arena do; those of installed games speak English only."""


def forfeit(kind: str) -> str:
    """The message for a kind of forfeit: a fault, or a game that was not played."""
    return NOT_PLAYED if kind == WALKOVER else reason(kind)


def check_fault(code: str) -> str:
    """The message for the code of a fault in a submission check."""
    return NOT_BUILT if code == BUILD else reason(code)


ADAPTING = N_("adapters (bots of other protocols)")


def language(name: str) -> str:
    """What a language is called, or adapters; what is not known any more stands for itself."""
    return ADAPTING if name == ADAPTERS else title_of(name) or name


def game(spec: GameSpec) -> Words:
    """What a game is called with its parameters."""
    return find_presentation(spec.name).title(spec.params)


def is_installed(spec: GameSpec) -> bool:
    """Whether there is a page of the game."""
    return spec.name in all_games()


def aim(spec: GameSpec) -> Words:
    """What its scores are to be."""
    return find_presentation(spec.name).aim(spec.params)


def best(spec: GameSpec, hinted: Iterable[Mapping[str, Any]]) -> Words:
    """The moves that a hint tells, each with the game's own words for it where it has some."""
    return find_presentation(spec.name).best(hinted)


def chance(spec: GameSpec, share: float) -> Words:
    """How promising a drawn position is for the side that moves into it."""
    return find_presentation(spec.name).chance_words(share)
