"""The tables. Truth about what is to be played and what was played is here and nowhere else.

Times are UTC; measured durations are nanoseconds; points are counted in halves.
"""

from __future__ import annotations

from arena.store.models.analyses import Analysis
from arena.store.models.base import Base, Leased
from arena.store.models.events import Event
from arena.store.models.experiments import Experiment, ExperimentChunk, ExperimentGame, Sweep
from arena.store.models.frozen import FROZEN
from arena.store.models.grading import Grade, GradeRelease, Grading
from arena.store.models.hosts import EnrolmentCode, Environment, Host, SetAside, WorkerKey, WorkerProcess
from arena.store.models.matches import Ending, Match, Move, Result, SupersededResult, VoidAttempt
from arena.store.models.people import (
    Follow,
    Identity,
    JoinCode,
    OpenIdRequest,
    Passkey,
    PasskeyChallenge,
    SchoolClass,
    SignInAttempt,
    SignInLink,
    Token,
    User,
    WebSession,
)
from arena.store.models.play import PlayGame, PlayTurn
from arena.store.models.questions import Answer, Question
from arena.store.models.repeats import Repeat
from arena.store.models.scrimmages import Scrimmage, ScrimmageGame, ScrimmageResult
from arena.store.models.seasons import Season, SeasonTournament
from arena.store.models.solves import Solve, SolveBound, SolveLeaf, SolveProof
from arena.store.models.submissions import Bot, BotVersion, Check
from arena.store.models.timetables import Moment
from arena.store.models.tournaments import Bye, Encounter, Entry, OpeningTotal, PendingEntry, Tournament
from arena.store.models.trainings import Training, TrainingChunk, TrainingPart
from arena.store.models.watching import Counter, Leader
from arena.store.models.webhooks import Delivery, Webhook

__all__ = [
    "FROZEN",
    "Analysis",
    "Answer",
    "Base",
    "Bot",
    "BotVersion",
    "Bye",
    "Check",
    "Counter",
    "Delivery",
    "Encounter",
    "Ending",
    "EnrolmentCode",
    "Entry",
    "Environment",
    "Event",
    "Experiment",
    "ExperimentChunk",
    "ExperimentGame",
    "Follow",
    "Grade",
    "GradeRelease",
    "Grading",
    "Host",
    "Identity",
    "JoinCode",
    "Leader",
    "Leased",
    "Match",
    "Moment",
    "Move",
    "OpenIdRequest",
    "OpeningTotal",
    "Passkey",
    "PasskeyChallenge",
    "PendingEntry",
    "PlayGame",
    "PlayTurn",
    "Question",
    "Repeat",
    "Result",
    "SchoolClass",
    "Scrimmage",
    "ScrimmageGame",
    "ScrimmageResult",
    "Season",
    "SeasonTournament",
    "SetAside",
    "SignInAttempt",
    "SignInLink",
    "Solve",
    "SolveBound",
    "SolveLeaf",
    "SolveProof",
    "SupersededResult",
    "Sweep",
    "Token",
    "Tournament",
    "Training",
    "TrainingChunk",
    "TrainingPart",
    "User",
    "VoidAttempt",
    "WebSession",
    "Webhook",
    "WorkerKey",
    "WorkerProcess",
]
