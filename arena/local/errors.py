"""What can go wrong when something is done on this machine without a server.

LocalError          it was tried and failed
└── InputError      what was given cannot be used; the message says what to give instead
"""

from __future__ import annotations


class LocalError(Exception):
    """It was tried and failed; the message says what happened."""


class InputError(LocalError):
    """What was given cannot be used; the message says what to give instead."""
