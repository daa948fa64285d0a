"""The words that tables, answers and commands share: how things stand, who may do what, what decided."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal


class Role(StrEnum):
    """What a user may do; whoever is not signed in and shows no token is the public.

    An administrator may do everything, an organiser the same with the classes and tournaments that are
    theirs. A team, and each of its members, has bots; a reader looks on.
    """

    ADMIN = "admin"
    ORGANISER = "organiser"
    TEAM = "team"
    READER = "reader"


class SignedInBy(StrEnum):
    """What somebody showed to begin a session of the pages."""

    TOKEN = "token"  # noqa: S105  (a way to sign in, not a token)
    PASSWORD = "password"  # noqa: S105  (likewise)
    CODE = "code"
    LINK = "link"
    PASSKEY = "passkey"
    OPENID = "openid"


class Scope(StrEnum):
    """What a token is good for: to read; also to hand in and enter bots; or all that its user may do.

    One for a feed is good for nothing but the address of the user's news.
    """

    FEED = "feed"
    READ = "read"
    SUBMIT = "submit"
    ALL = "all"


class QuestionState(StrEnum):
    """open → answered, perhaps several times; closed: nothing more is to be said, unless it is answered."""

    OPEN = "open"
    ANSWERED = "answered"
    CLOSED = "closed"


class NewsKind(StrEnum):
    """What is new: results of a bot's games in a tournament, a verdict, what somebody says, what happens.

    Of teams that are followed: their results, and versions that they handed in.
    """

    RESULTS = "results"
    CHECK = "check"
    VERSION = "version"
    ANNOUNCEMENT = "announcement"
    ANSWER = "answer"
    TOURNAMENT = "tournament"


class VersionState(StrEnum):
    """checking → passed or failed; unchecked when the check could not be done, through no fault of the bot.

    Only a version that has passed may play. Every new check begins with checking.
    """

    CHECKING = "checking"
    PASSED = "passed"
    FAILED = "failed"
    UNCHECKED = "unchecked"


class Handed(StrEnum):
    """What becomes, or became, of what one team sent among the bots of a class.

    A new bot, a new version of one that there is, or the same as a version that there is. Not handed in:
    whose it is is not known, it was left out on purpose, the team has another part of the upload for the same
    bot, it is no bot, or the arena refused it.
    """

    NEW_BOT = "new_bot"
    NEW_VERSION = "new_version"
    SAME = "same"
    UNMATCHED = "unmatched"
    LEFT_OUT = "left_out"
    TWICE = "twice"
    FAULTY = "faulty"
    REFUSED = "refused"


class Obstacle(StrEnum):
    """Why a bot cannot enter a tournament that is open to it, with any version or with another one.

    `entered`: it takes part with the best that it has. `left`: it has left, and cannot come back. The others
    say of its newest version that it is not there, not checked yet, has failed, could not be checked, or was
    checked in other games only.
    """

    ENTERED = "entered"
    LEFT = "left"
    NO_VERSION = "no_version"
    CHECKING = "checking"
    FAILED = "failed"
    UNCHECKED = "unchecked"
    OTHER_GAME = "other_game"


class Outcome(StrEnum):
    """How a match ended for one of its bots; a forfeit is lost by a fault of its own."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    FORFEIT = "forfeit"


class Ended(StrEnum):
    """How a match ended: by a win or a draw at the board, or by a fault or an absence."""

    WON = "won"
    DRAWN = "drawn"
    FORFEIT = "forfeit"


class MatchState(StrEnum):
    """Of a match, and of work of any other kind that is given out (`workers.programs.serving.KINDS`).

    pending → published → running → finished; back to pending when lost; parked after too many losses. An
    experiment fails instead of having a chunk parked; a solve or a training is paused then.
    """

    PENDING = "pending"
    PUBLISHED = "published"
    RUNNING = "running"
    FINISHED = "finished"
    PARKED = "parked"
    CANCELLED = "cancelled"


class Side(StrEnum):
    """Of which scrimmages: those that a team asked for, or that others did against its bots."""

    ASKED = "asked"
    AGAINST = "against"


class Unplayed(StrEnum):
    """Why nothing came of a game of a scrimmage.

    It was lost too often, or not over in time; its team called it off; the opponent's owner takes none any
    more; or the class has none any more.
    """

    LOST = "lost"
    OVERDUE = "overdue"
    CANCELLED = "cancelled"
    CONSENT = "consent"
    CLASS = "class"


MAX_HOST_CHARS = 200
"""No name of a worker host is longer."""
USUAL_REPEAT_SHARE = 0.05
"""So much of what a laboratory PC has played is played again elsewhere, where nobody says how much."""


class HostState(StrEnum):
    """Of a worker host: there and taking work; finishing what it has; done with that; or silent for long."""

    PRESENT = "present"
    DRAINING = "draining"
    DRAINED = "drained"
    GONE = "gone"


class Repeated(StrEnum):
    """What came of playing a match of a laboratory PC again on a trusted host.

    It went the same way; it went so until the laboratory's one ended by a bot's being late, which it was not
    here; it went another way, twice the same; it goes one way and another; or it could not be played.
    """

    SAME = "same"
    LATE = "late"
    DIFFERENT = "different"
    UNDECIDED = "undecided"
    GIVEN_UP = "given_up"


class TournamentState(StrEnum):
    """draft → open → running ⇄ paused → finished, or cancelled from any state before finished."""

    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


HERO_NAMES = "hero_names"
"""The option by which a gauntlet that has not begun knows its heroes, by their bots' names."""
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)
"""The states in which a tournament is over."""


class Act(StrEnum):
    """What a timetable has done to a tournament, in this order.

    Teams may enter their bots, and may no more; it starts; results are hidden from the public, and shown.
    """

    OPEN = "open"
    CLOSE = "close"
    START = "start"
    FREEZE = "freeze"
    REVEAL = "reveal"


class ExperimentState(StrEnum):
    """waiting → running → finished; cancelled by who asked for it, or failed when a chunk was lost too often.

    Only those of a sweep wait, for others of the sweep. Asking for the sweep again lets what was cancelled or
    has failed go on.
    """

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


UNFINISHED = (ExperimentState.WAITING, ExperimentState.RUNNING)
"""The states of an experiment that is not over."""


class SolveState(StrEnum):
    """running ↔ paused → finished; cancelled for good, or failed because two answers contradict each other.

    A solve is paused by an administrator, or where work of it was lost too often. What is known stays.
    """

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


OPEN_SOLVES = (SolveState.RUNNING, SolveState.PAUSED)
"""The states of a solve that is not over."""


class TrainingState(StrEnum):
    """running ↔ paused → finished; cancelled for good, or failed because it cannot be gone on with here.

    A training is paused by an administrator, or where work of it was lost too often. What is done stays.
    """

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


OPEN_TRAININGS = (TrainingState.RUNNING, TrainingState.PAUSED)
"""The states of a training that is not over."""


class WebhookState(StrEnum):
    """active ⇄ stopped, by the staff or by too many that could not be delivered."""

    ACTIVE = "active"
    STOPPED = "stopped"


class DeliveryState(StrEnum):
    """waiting → delivered or failed; the staff may have a failed one tried anew."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


class Leaving(StrEnum):
    """Why an entry takes part no more."""

    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


Winner = Literal["first", "second", "draw", "nobody"]
"""Who gets the point of a match that is decided without a game; with `nobody` both lose."""

HistoryKind = Literal["likelihood", "online"]
"""How a history of ratings is made: of the games up to a round, or by every game as it is recorded."""


class Source(StrEnum):
    """What durations rest on, the best first."""

    TOURNAMENT = "tournament"
    HISTORY = "history"
    CHECKS = "checks"
    PRIOR = "prior"


CONFIDENCE = 0.9
"""The share of resamples that the interval of a forecast holds."""


class Fits(StrEnum):
    """Whether it is over in time.

    Surely: even if every match is as long as it can be. Likely: by the upper end of the interval. Perhaps: by
    its lower end only.
    """

    SURELY = "surely"
    LIKELY = "likely"
    PERHAPS = "perhaps"
    NO = "no"


class Change(StrEnum):
    """What is changed."""

    OPENINGS = "openings"
    CYCLES = "cycles"
    TIME = "time"
    WORKERS = "workers"
    FORMAT = "format"


GOES_ON = "unfinished"
"""The reason in the record of a game of people that is not over."""


class ExportFormat(StrEnum):
    """`csv`: every match in a table. `jsonl`: the whole record of every finished match.

    `pgn`: the tags of every game. `ggf`: games of Othello. `trf`: FIDE's tournament report, of Swiss and
    round robin tournaments. `transcripts`: games as text.
    """

    CSV = "csv"
    JSONL = "jsonl"
    PGN = "pgn"
    GGF = "ggf"
    TRF = "trf"
    TRANSCRIPTS = "transcripts"


class ExperimentFormat(StrEnum):
    """`csv`: the counts in a table. `jsonl`: every game that is done, where they are recorded."""

    CSV = "csv"
    JSONL = "jsonl"


class Acts(StrEnum):
    """Which acts of a tournament are told."""

    ALL = "all"
    PEOPLE = "people"
    ARENA = "arena"
    CORRECTIONS = "corrections"
