"""The tables. Truth about what is to be played and what was played is here and nowhere else.

Times are UTC; measured durations are nanoseconds; points are counted in halves.
"""

from __future__ import annotations

from arena.store.models.base import Base, Leased
from arena.store.models.events import Event
from arena.store.models.experiments import Experiment, ExperimentChunk, ExperimentGame
from arena.store.models.hosts import Host, WorkerProcess
from arena.store.models.matches import Ending, Match, Move, Result, SupersededResult, VoidAttempt
from arena.store.models.people import Token, User
from arena.store.models.submissions import Bot, BotVersion, Check
from arena.store.models.tournaments import Bye, Encounter, Entry, Tournament

__all__ = [
    "Base",
    "Bot",
    "BotVersion",
    "Bye",
    "Check",
    "Encounter",
    "Ending",
    "Entry",
    "Event",
    "Experiment",
    "ExperimentChunk",
    "ExperimentGame",
    "Host",
    "Leased",
    "Match",
    "Move",
    "Result",
    "SupersededResult",
    "Token",
    "Tournament",
    "User",
    "VoidAttempt",
    "WorkerProcess",
]
