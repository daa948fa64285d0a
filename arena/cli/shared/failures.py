"""Errors of the command line, and the exit code that belongs to every error a user can cause.

CliError            1  it was tried and failed
├── UsageError      2  what was typed cannot be used; the message says what to type instead
│   └── FieldsError
└── LoginError      4  there is no token, or it does not allow this
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from arena.client.errors import Fault

FAILED, USAGE, LOGIN = 1, 2, 4


class CliError(Exception):
    """It was tried and failed; the message says what happened."""

    exit_code: ClassVar[int] = FAILED


class UsageError(CliError):
    """What was typed cannot be used; the message says what to type instead."""

    exit_code = USAGE


class FieldsError(UsageError):
    """Fields of what was asked for cannot be used; they are told by the options that said them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(": ".join(fault) for fault in faults))
        self.faults = faults


class LoginError(CliError):
    """There is no token, or it does not allow this; log in with `arena auth login`."""

    exit_code = LOGIN


def exit_code_of(error: Exception) -> int | None:
    """The exit code for an error that is the user's or the surroundings'; None for a defect of ours."""
    if isinstance(error, CliError):
        return error.exit_code
    return _of_server(error) or _of_match(error) or _of_machine(error)


def _of_server(error: Exception) -> int | None:
    from arena.client.errors import CertificateError, ClientError, RefusedError, TokenError, UrlError

    if isinstance(error, RefusedError):
        return LOGIN if error.status in {401, 403} else USAGE if error.status < 500 else FAILED
    if isinstance(error, UrlError | CertificateError):
        return USAGE
    if isinstance(error, TokenError):
        return LOGIN
    return FAILED if isinstance(error, ClientError) else None


def _of_match(error: Exception) -> int | None:
    from arena.local.errors import InputError, LocalError
    from engines.game import GameError
    from workers.core.errors import LaunchError, SettingsError, SpecError, UnsupportedError

    usage = GameError | InputError | LaunchError | SettingsError | SpecError | UnsupportedError
    if isinstance(error, usage):
        return USAGE
    return FAILED if isinstance(error, LocalError) else None


def _of_machine(error: Exception) -> int | None:
    from arena.core.errors import ArenaError, SupervisorError, UnavailableError, UnusableError
    from workers.core.errors import ArchiveMissingError, ArchiveUnwritableError, RecordingError

    if isinstance(error, ArenaError):
        return FAILED if isinstance(error, UnavailableError) else USAGE
    if isinstance(error, UnusableError):
        return USAGE
    stores = (ArchiveMissingError, ArchiveUnwritableError, RecordingError)
    return FAILED if isinstance(error, (SupervisorError, OSError, *stores)) else None
