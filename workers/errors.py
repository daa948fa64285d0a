"""What can go wrong on a worker's side. A bot's fault is never here: it is a `Forfeit` in a result.

WorkerError
├── ArchiveError          an upload is not an acceptable archive (the sender's to mend)
├── ArchiveMissingError   the archive store has no archive of that hash, or a damaged one
├── BuildError            a bot's files do not build here
├── LaunchError           a bot's process could not be started for a reason that is ours
│   └── NoConfinementError   this host cannot keep a bot of strangers from doing harm
├── SpecError             a match cannot be played as it was asked for
├── TooSlowError          this host is too slow for matches
└── UnsupportedError      this host has not what a bot is written in
"""

from __future__ import annotations

from workers.player import Stderr


class WorkerError(Exception):
    """Something on our side failed; a match that it broke is played again."""


class ArchiveError(WorkerError):
    """The upload cannot be taken; the message says which rule it breaks and what to send instead."""


class ArchiveMissingError(WorkerError):
    """The archive store has nothing under that hash, or what it has does not match its hash."""


class BuildError(WorkerError):
    """A bot's files do not build; `said` is what the compiler said of it.

    In a submission check that is the bot's fault; later, where what has been built before does not build
    any more, it is ours.
    """

    def __init__(self, detail: str, said: Stderr) -> None:
        super().__init__(detail)
        self.said = said


class LaunchError(WorkerError):
    """A process could not be started although nothing is known against the bot."""


class NoConfinementError(LaunchError):
    """This host cannot confine bots, or not at the level asked for; the message says what is lacking."""


class TooSlowError(WorkerError):
    """This host is slower than a match may be played on; the message says how slow, and what to do."""


class SpecError(WorkerError):
    """The match as asked for cannot be played: unknown game, wrong version, or an impossible opening."""


class UnsupportedError(WorkerError):
    """The bot is written in a language whose tools this host does not have; another host may."""
