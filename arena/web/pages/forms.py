"""What the pages with forms share: where they lead, and what they say of what was refused."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import TypeAdapter, ValidationError

from arena.core.errors import (
    ArenaError,
    AuthRequiredError,
    ForbiddenError,
    InvalidError,
    TooManyError,
)
from arena.people.classes import WorthlessCodeError
from arena.people.identities import (
    LastWayError,
    StrayAnswerError,
    TakenIdentityError,
    UnknownPersonError,
)
from arena.people.passkeys import (
    NoPasskeysHereError,
    TooManyPasskeysError,
    UnknownPasskeyError,
    UselessPasskeyError,
)
from arena.people.passwords import WeakPasswordError
from arena.people.provider import (
    DeniedError,
    NotOfTheSchoolError,
    ProviderDownError,
    UntrustedAnswerError,
)
from arena.planning import local_time
from arena.schemas.texts import MAX_TEXT_CHARS, LongText
from arena.web.pages.wording import N_

Field = Annotated[str, Form(max_length=1000)]
Text = Annotated[str, Form(max_length=100 * MAX_TEXT_CHARS)]
"""A text of several lines; one that is too long is shown again to be made shorter."""
_LONG_TEXT = TypeAdapter(LongText)

FAULTS: tuple[tuple[type[ArenaError], str], ...] = (
    (TooManyError, N_("Too many attempts have failed. Try again in %(seconds)s s.")),
    (
        WorthlessCodeError,
        N_("This code is wrong, used up, or has expired. Look again, or ask for another one."),
    ),
    (
        WeakPasswordError,
        N_("Take a password of 10 to 200 characters that others would not be the first to try."),
    ),
    (
        NoPasskeysHereError,
        N_("There are no passkeys here: open the arena by its name, at the address that begins with https."),
    ),
    (
        UselessPasskeyError,
        N_("This passkey cannot be kept: it was made elsewhere, is kept already, or too late. Try again."),
    ),
    (
        UnknownPasskeyError,
        N_("This passkey is not known here, or was shown too late. Try again, or sign in in another way."),
    ),
    (
        ProviderDownError,
        N_("The school's sign-in does not answer as it should. Try again in a while, or in another way."),
    ),
    (
        DeniedError,
        N_("The school's sign-in was broken off, or did not tell who you are. Try again, or in another way."),
    ),
    (
        UntrustedAnswerError,
        N_("What came from the school's sign-in cannot be believed. Try again; if it stays, tell the staff."),
    ),
    (
        NotOfTheSchoolError,
        N_("Your school account is not among those that may come in here. Ask the staff."),
    ),
    (
        StrayAnswerError,
        N_("This came too late, a second time, or from another browser. Begin again here."),
    ),
    (
        UnknownPersonError,
        N_(
            "Nobody here has your school account yet. With a code from your teacher, join with it; or sign "
            "in as before and link it in “my account”."
        ),
    ),
    (
        TakenIdentityError,
        N_("Your school account signs in somebody here already, or you have linked another one."),
    ),
    (
        LastWayError,
        N_("Nothing else would sign you in. Choose a password or make a passkey first."),
    ),
    (TooManyPasskeysError, N_("You have as many passkeys as anybody may have; remove one first.")),
    (ForbiddenError, N_("This token is for a program and signs nobody in. Take another one, or a password.")),
    (AuthRequiredError, N_("This name and password, or this token, are not known here.")),
)


def fault_of(error: ArenaError) -> dict[str, Any]:
    """What a form says of why it was refused, for the template: by the kind of error, else in its words."""
    message = next((message for kind, message in FAULTS if isinstance(error, kind)), "")
    seconds = error.retry_seconds if isinstance(error, TooManyError) else 0
    return {"fault": message, "seconds": seconds, "refused": error}


NO_FAULT: dict[str, Any] = {"fault": "", "seconds": 0, "refused": None}


def refused(page: HTMLResponse, error: ArenaError) -> HTMLResponse:
    """The page that shows a form again, with when to come back where it is too early."""
    if isinstance(error, TooManyError):
        page.headers["Retry-After"] = str(error.retry_seconds)
    return page


def text_of(text: str) -> str:
    """What somebody wrote for others to read, as it is kept.

    Raises:
        InvalidError: it is empty, too long, or has control characters.
    """
    try:
        kept: str = _LONG_TEXT.validate_python(text)
    except ValidationError:
        raise InvalidError(
            "write a text of 1 to %(most)s characters, without control characters", most=MAX_TEXT_CHARS
        ) from None
    return kept


def moment_of(text: str, zone: dt.tzinfo) -> dt.datetime | None:
    """The moment of a field of a form, as browsers write it in the arena's zone; None where it is empty.

    Raises:
        InvalidError: it cannot be read, is too far away, or no clock ever shows it.
    """
    try:
        given = dt.datetime.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidError("%(text)r is no moment; write one like 2100-06-01T09:00", text=text) from None
    return local_time.in_zone(given, zone).astimezone(dt.UTC) if given else None


def words(text: str) -> tuple[str, ...]:
    """The words of a field that takes several, whichever signs part them."""
    return tuple(word for word in re.split(r"[\s,;\u3001\uff0c\uff1b]+", text) if word)


def local(address: str, otherwise: str) -> str:
    """An address of ours to go on to; anything else is passed over."""
    try:
        parts = urlsplit(address) if address.isprintable() else None
    except ValueError:  # no address at all
        return otherwise
    ours = parts and not parts.scheme and not parts.netloc and "\\" not in address
    return address if ours and address.startswith("/") and not address.startswith("//") else otherwise


def see(address: str) -> RedirectResponse:
    """Have the browser read another page next."""
    return RedirectResponse(address, 303)


def base_url(request: Request) -> str:
    """Where this arena is, as the browser has it, for links that are given out."""
    return str(request.base_url).rstrip("/")
