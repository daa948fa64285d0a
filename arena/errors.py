"""What can go wrong on the trusted side. Every message says what was wrong and what to do.

    ArenaError
    ├── InvalidError        422  what was asked for cannot be accepted as it is
    ├── AuthRequiredError   401  no token, or one that is not known
    ├── ForbiddenError      403  the user may not do this
    ├── NotFoundError       404  there is nothing of that name or number
    ├── ConflictError       409  the present state of things does not allow it
    ├── TooLargeError       413  more bytes than accepted
    └── UnavailableError    503  the database or the broker does not answer

`status`, `title` and `code` are what the API answers with. A bot's fault is a result and never one of these.
"""

from __future__ import annotations

from typing import ClassVar


class ArenaError(Exception):
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
    """No token was shown, or one that is not known; log in."""

    status = 401
    title = "A valid token is needed"
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


class TooLargeError(ArenaError):
    """More bytes were sent than are accepted; the message says how many are."""

    status = 413
    title = "Too large"
    code = "too-large"


class UnavailableError(ArenaError):
    """The database or the broker does not answer; try again in a moment."""

    status = 503
    title = "Not available now"
    code = "unavailable"
