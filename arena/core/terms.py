"""The words that tables, answers and commands share: how things stand, who may do what, what decided."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal


class Role(StrEnum):
    """What a user may do; whoever shows no token is the public."""

    ADMIN = "admin"
    TEAM = "team"


class VersionState(StrEnum):
    """checking → passed or failed; unchecked when the check could not be done, through no fault of the bot.

    Only a version that has passed may play. Every new check begins with checking.
    """

    CHECKING = "checking"
    PASSED = "passed"
    FAILED = "failed"
    UNCHECKED = "unchecked"


class MatchState(StrEnum):
    """Of a match, and of any other work that is given out: checks, and chunks of experiments.

    pending → published → running → finished; back to pending when lost; parked after too many losses. An
    experiment fails instead of having a chunk parked.
    """

    PENDING = "pending"
    PUBLISHED = "published"
    RUNNING = "running"
    FINISHED = "finished"
    PARKED = "parked"
    CANCELLED = "cancelled"


class TournamentState(StrEnum):
    """draft → open → running ⇄ paused → finished, or cancelled from any state before finished."""

    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class ExperimentState(StrEnum):
    """running → finished; cancelled by the staff, or failed when a chunk was lost too often."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
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
