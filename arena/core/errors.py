"""What can go wrong on the trusted side. Every message says what was wrong and what to do.

    ArenaError
    ├── InvalidError        422  what was asked for cannot be accepted as it is
    ├── AuthRequiredError   401  no token, or one that is not known
    ├── ForbiddenError      403  the user may not do this
    ├── NotFoundError       404  there is nothing of that name or number
    ├── ConflictError       409  the present state of things does not allow it
    ├── TooLargeError       413  more bytes than accepted
    ├── PendingError        202  it is being worked out, which takes a while
    ├── TooManyError        429  the caller asks for more than is theirs, or failed to sign in too often
    └── UnavailableError    503  the arena is busy, or its database or broker does not answer
        ├── FullError       503  there is no room left where something must be written
        └── UnusableDatabaseError   waiting does not help: damaged, of a newer version, or not writable

`status`, `title` and `code` are what the API answers with. A bot's fault is a result and never one of these.

Around a running arena:

    SupervisorError
    ├── AlreadyRunningError   another supervisor holds the data folder
    ├── NotRunningError       nothing runs on the data folder
    ├── PortInUseError        somebody else listens on the port
    ├── UnusableError         a folder, an address or a URL that was given cannot be used
    └── StartError            a part of the arena did not come up; the message quotes its log
"""

from __future__ import annotations

from typing import ClassVar


class Term(str):
    """A word of ours in a message, which is translated with it."""

    __slots__ = ()


class AnyOf(tuple[object, ...]):
    """Several things in a message, of which one would do."""

    __slots__ = ()

    def __str__(self) -> str:
        """As they stand in an English sentence."""
        return " or ".join(map(str, self))


class Worded(Exception):  # noqa: N818  (what errors have in common)
    """What an error says: a message with names for its values, so that it can be said in any language.

    `str` of it is English. Without values the message stands as it is.
    """

    def __init__(self, message: str = "", **values: object) -> None:
        super().__init__(message % values if values else message)
        self.message = message
        self.values = values


class ArenaError(Worded):
    """Something was refused or could not be done; the message is for whoever asked."""

    status: ClassVar[int] = 500
    title: ClassVar[str] = "The arena failed"
    code: ClassVar[str] = "failure"


class InvalidError(ArenaError):
    """What was asked for cannot be accepted as it is; change it as the message says."""

    status = 422
    title = "Not acceptable as it is"
    code = "invalid"


class AuthRequiredError(ArenaError):
    """Nobody is signed in, or by what is not known: a token, or a name with its password; sign in."""

    status = 401
    title = "Sign in first"
    code = "auth-required"


class ForbiddenError(ArenaError):
    """The user is known but may not do this; ask the staff or the owner."""

    status = 403
    title = "Not allowed"
    code = "forbidden"


class NotFoundError(ArenaError):
    """There is nothing of that name or number."""

    status = 404
    title = "Not found"
    code = "not-found"


class ConflictError(ArenaError):
    """The present state of things does not allow it; the message says which state would."""

    status = 409
    title = "Not possible in the present state"
    code = "conflict"


class ChangedError(ConflictError):
    """Somebody else was quicker; the same may be possible when it is tried again."""


class TooLargeError(ArenaError):
    """More bytes were sent than are accepted; the message says how many are."""

    status = 413
    title = "Too large"
    code = "too-large"


class PendingError(ArenaError):
    """What was asked for takes a while and is being worked out; ask again after `Retry-After` seconds."""

    status = 202
    title = "Being worked out"
    code = "pending"

    def __init__(self, message: str, retry_seconds: int) -> None:
        super().__init__(message)
        self.retry_seconds = retry_seconds


class TooManyError(ArenaError):
    """Of what takes long you have as much as may be, or too many attempts to sign in have failed.

    Ask again after `Retry-After` seconds.
    """

    status = 429
    title = "Too much at once"
    code = "too-many"

    def __init__(self, message: str, retry_seconds: int, **values: object) -> None:
        super().__init__(message, **values)
        self.retry_seconds = retry_seconds


class UnavailableError(ArenaError):
    """The arena is busy, or its database or broker does not answer; try again after `Retry-After` seconds."""

    status = 503
    title = "Not available now"
    code = "unavailable"


class FullError(UnavailableError):
    """There is no room left where something must be written; it has to be made first."""


class UnusableDatabaseError(UnavailableError):
    """The database is damaged, not writable, or of a newer version; the message says what to do."""


class SupervisorError(Exception):
    """The arena on this machine could not be started, found or stopped; the message says what to do."""


class AlreadyRunningError(SupervisorError):
    """Another supervisor holds the data folder; use it, or stop it with `arena down`."""


class NotRunningError(SupervisorError):
    """Nothing runs on the data folder; start it with `arena up`."""


class PortInUseError(SupervisorError):
    """Somebody else listens on the port; choose another one with `--port`."""


class UnusableError(SupervisorError):
    """A folder, an address or a URL that was given cannot be used; the message says what to give instead."""


class StartError(SupervisorError):
    """A part of the arena did not come up; the message names it and quotes the end of its log."""
