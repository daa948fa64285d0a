"""What can go wrong when something is done on this machine without a server.

LocalError          it was tried and failed
└── InputError      what was given cannot be used; the message says what to give instead
"""

from __future__ import annotations

import errno

from arena.core.words import say, say_named

NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


class LocalError(Exception):
    """It was tried and failed; the message says what happened."""


class InputError(LocalError):
    """What was given cannot be used; the message says what to give instead."""


def in_words(error: Exception) -> str:
    """What an error says: a game's in the reader's language, the machine's with the file's name first."""
    from engines.game import GameError

    if isinstance(error, GameError):
        values = {
            name: in_words(value) if isinstance(value, GameError) else value
            for name, value in error.values.items()
        }
        return say_named(error.message, values)
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    if error.filename:
        return f"{error.filename}: {error.strerror}"
    if error.errno in NO_ROOM:
        return say("a disk is full ({strerror})", strerror=error.strerror)
    return error.strerror
