"""What can go wrong between the command line and an arena.

ClientError
├── UrlError           what was given for a URL is none
├── TokenError         what was given for a token is none
├── CertificateError   what was given for a CA's certificate is none
├── UnreachableError   nobody answers there, or the connection broke
│   ├── SilentError    somebody is there and has not answered
│   └── UntrustedError somebody is there whose certificate is not trusted
├── ForeignError       somebody answers, but not an arena
└── RefusedError       the arena refused; carries the status and the words of its problem document
    └── BusyError      it cannot do it at the moment, and may be asked again
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Fault(NamedTuple):
    """A part of a request that cannot be used, as in `body.time.move_ms`, and what is wrong with it."""

    where: str
    message: str


class ClientError(Exception):
    """The arena could not be used; the message says what happened and what to do."""


class UrlError(ClientError):
    """What was given for a URL is none; it begins with http:// or https:// and a host."""


class TokenError(ClientError):
    """What was given for a token is none; it is printable ASCII without spaces."""


class CertificateError(ClientError):
    """What was given for a CA's certificate is none; it is a file in PEM form."""


class UnreachableError(ClientError):
    """Nobody answers at the URL, or the connection broke; is the arena up?"""


class SilentError(UnreachableError):
    """Somebody is there and has not answered; what was asked for may have been done all the same."""


class UntrustedError(UnreachableError):
    """Somebody is there by https whose certificate is not trusted here; nothing was sent."""


class ForeignError(ClientError):
    """Somebody answers at the URL, but not in an arena's way; is the URL right?"""


class RefusedError(ClientError):
    """The arena refused with an HTTP status of 400 or more; `title` and the message are its own words.

    `faults` are the parts of the request that cannot be used, where it named them.
    """

    def __init__(self, status: int, title: str, detail: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(detail)
        self.status = status
        self.title = title
        self.faults = faults


class BusyError(RefusedError):
    """The arena cannot do it at the moment (503); the message says why, and it may be asked again."""
