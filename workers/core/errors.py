"""What can go wrong on a worker's side. A bot's fault is never here: it is a `Forfeit` in a result.

WorkerError
├── ArchiveError          an upload is not an acceptable archive (the sender's to mend)
├── ArchiveMissingError   the archive store has no archive of that hash, or a damaged one
├── ArchiveUnwritableError   the archive store takes nothing, for want of room perhaps
├── BrokenOffError        a process that played games of a simulation was killed
├── BuildError            a bot's files do not build here
├── BusyError             another process is at a simulation's journal
├── ForeignFolderError    a folder for bots belongs to another user
├── HaltError             the work was broken off before its end
│   ├── StoppedError         the worker was told to stop
│   ├── TimeUpError          the time that it was given is over
│   └── UnwantedError        the trusted side listens to this attempt no more
├── LaunchError           a bot's process could not be started for a reason that is ours
│   ├── LodgingError         this host has no place for a bot now, whichever it is
│   └── NoConfinementError   this host cannot keep a bot of strangers from doing harm
├── MissingParquetError   pyarrow, which writes and reads games in columns, is not installed here
├── NotEnrolledError      this host has no keys by which it and an arena know each other, or a new name
├── PackagesError         an environment for Python bots cannot be built or removed here
├── RecordingError        the store of recordings takes or gives nothing
│   └── RecordingMissingError   it has no part of that name, or not any more
├── SettingsError         an environment variable of the arena's cannot be used
├── SpecError             a match cannot be played as it was asked for
├── TooSlowError          this host is too slow for matches
└── UnsupportedError      this host has not what a bot is written in
"""

from __future__ import annotations

from enum import StrEnum

from workers.core.stderr import Stderr


class WorkerError(Exception):
    """Something on our side failed; a match that it broke is played again."""


class Flaw(StrEnum):
    """What is wrong with an upload, for whoever says it in other words."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    UNKNOWN = "unknown"
    NO_MAIN = "no_main"
    SEVERAL_MAINS = "several_mains"
    NAME = "name"
    ZIP = "zip"
    NO_TEXT = "no_text"
    PROGRAM = "program"
    MANIFEST = "manifest"
    GAME = "game"


class ArchiveError(WorkerError):
    """The upload cannot be taken; the message says which rule it breaks and what to send instead."""

    def __init__(self, message: str, flaw: Flaw) -> None:
        super().__init__(message)
        self.flaw = flaw


class ArchiveMissingError(WorkerError):
    """The archive store has nothing under that hash, or what it has does not match its hash."""


class ArchiveUnwritableError(WorkerError):
    """The archive store takes nothing; `full` where that is for want of room."""

    def __init__(self, message: str, *, full: bool) -> None:
        super().__init__(message)
        self.full = full


class BuildError(WorkerError):
    """A bot's files do not build; `said` is what the compiler said of it.

    In a submission check that is the bot's fault; later, where what has been built before does not build
    any more, it is ours.
    """

    def __init__(self, detail: str, said: Stderr) -> None:
        super().__init__(detail)
        self.said = said


class ForeignFolderError(WorkerError):
    """A folder where bots are kept is another user's; the message says which, and what to do."""


class HaltError(WorkerError):
    """The work was broken off before its end, through nobody's fault; see `workers.core.halt`."""


class StoppedError(HaltError):
    """The worker was told to stop; what it had in hand is given back and done again."""


class TimeUpError(HaltError):
    """The time that the work was given is over; what is known by then has to be enough."""


class UnwantedError(HaltError):
    """The attempt was cancelled or given out anew; whatever is reported of it would be refused."""


class LaunchError(WorkerError):
    """A process could not be started although nothing is known against the bot."""


class LodgingError(LaunchError):
    """A bot gets no slot, folder or control group: that says nothing of the bot, nor of what confines it."""


class NoConfinementError(LaunchError):
    """This host cannot confine bots, or not at the level asked for; the message says what is lacking."""


class NotEnrolledError(WorkerError):
    """This host has no key that an arena knows, or does not know the arena's; the message says what to do."""


class SettingsError(WorkerError):
    """Environment variables cannot be used; the message has a line for each, with what is wrong with it."""


class RecordingError(WorkerError):
    """The store of recordings takes nothing, gives nothing, or is not known here; the message says which."""


class RecordingMissingError(RecordingError):
    """The store of recordings has no part of that name, or not any more."""


class TooSlowError(WorkerError):
    """This host is slower than a match may be played on; the message says how slow, and what to do."""


class SpecError(WorkerError):
    """The match as asked for cannot be played: unknown game, wrong version, or an impossible opening."""


class UnsupportedError(WorkerError):
    """The bot is written in a language whose tools this host does not have; another host may."""


class PackagesError(WorkerError):
    """An environment for Python bots cannot be built or removed; the message says why."""


def in_words(error: Exception) -> str:
    """Why work came to nothing, for whoever waits for it: the words of an error of ours, one line.

    Of any other error its kind and its first line are told; its traceback is in the worker's log.
    """
    text = next(iter(str(error).splitlines()), "")
    if isinstance(error, WorkerError):
        return text
    kind = type(error).__name__
    return (
        f"the worker failed; its log tells more ({kind}: {text})" if text else f"the worker failed ({kind})"
    )
