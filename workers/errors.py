"""What can go wrong on a worker's side. A bot's fault is never here: it is a `Forfeit` in a result.

WorkerError
├── ArchiveError          an upload is not an acceptable archive (the sender's to mend)
├── ArchiveMissingError   the archive store has no archive of that hash, or a damaged one
├── LaunchError           a bot's process could not be started for a reason that is ours
├── SpecError             a match cannot be played as it was asked for
└── TooSlowError          this host is too slow for matches
"""

from __future__ import annotations


class WorkerError(Exception):
    """Something on our side failed; a match that it broke is played again."""


class ArchiveError(WorkerError):
    """The upload cannot be taken; the message says which rule it breaks and what to send instead."""


class ArchiveMissingError(WorkerError):
    """The archive store has nothing under that hash, or what it has does not match its hash."""


class LaunchError(WorkerError):
    """A process could not be started although nothing is known against the bot."""


class TooSlowError(WorkerError):
    """This host is slower than a match may be played on; the message says how slow, and what to do."""


class SpecError(WorkerError):
    """The match as asked for cannot be played: unknown game, wrong version, or an impossible opening."""
