"""Passkeys: keys that a device keeps for a user and this arena, and opens by a finger, a face or a PIN.

A challenge is kept here, is good once and for a few minutes, and only for what it was made for. A passkey
signs in by itself: the device knows whose it is (a discoverable credential), and has made sure that it is
they (user verification). Whatever is sent by a browser is a stranger's until it is verified.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import webauthn
from sqlalchemy.orm import Session
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from arena.core.clock import utc_now
from arena.core.errors import AuthRequiredError, ConflictError, InvalidError, NotFoundError
from arena.core.names import MAX_CHARS
from arena.people import attempts
from arena.people.secret import digest
from arena.store import events
from arena.store import passkeys as store
from arena.store.database import release
from arena.store.models import Passkey, PasskeyChallenge, User
from arena.store.models.account_events import PasskeyAdded, PasskeyRemoved

GOOD = dt.timedelta(minutes=5)
"""How long somebody may take to open their device."""
MOST = 20
"""Passkeys of one user."""
MAX_CHALLENGES = 10_000
HANDLE_BYTES = 32
ARENA = "Bot Arena"


class NoPasskeysHereError(InvalidError):
    """Browsers have passkeys on pages by https, and on localhost; on none whose address is only a number."""


class UselessPasskeyError(InvalidError):
    """What the browser sent is no new passkey for this page and user, or came too late; begin again."""


class UnknownPasskeyError(AuthRequiredError):
    """The passkey is not known here, was removed, or was shown too late; sign in in another way."""


class TooManyPasskeysError(ConflictError):
    """The user has as many passkeys as anybody may have; remove one first."""


@dataclass(frozen=True)
class Place:
    """Where the browser is: the origin of the page, and the host's name that passkeys are kept for."""

    origin: str
    host: str


@dataclass(frozen=True)
class _Shown:
    """What a browser sends of a passkey, as far as it says itself."""

    credential_id: str
    challenge: bytes
    handle: bytes | None = None


def registration_options(session: Session, user: User, place: Place) -> dict[str, Any]:
    """What a browser needs to have a device make a passkey for `user`, as a JSON object.

    Raises:
        TooManyPasskeysError: the user has enough.
    """
    known = store.of_user(session, user)
    _check_number(known)
    handle = known[0].handle if known else bytes_to_base64url(secrets.token_bytes(HANDLE_BYTES))
    options = webauthn.generate_registration_options(
        rp_id=place.host,
        rp_name=ARENA,
        user_id=base64url_to_bytes(handle),
        user_name=user.name,
        challenge=_new_challenge(session, user, handle),
        timeout=round(GOOD.total_seconds() * 1000),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(each.credential_id))
            for each in known
            if each.host == place.host
        ],
    )
    return dict(json.loads(webauthn.options_to_json(options)))


def register(session: Session, user: User, place: Place, sent: str, name: str) -> Passkey:
    """Keep the passkey that a device has made for `user`. The session is released before.

    Raises:
        UselessPasskeyError: it is none for this user and page, or its challenge was used or is too old.
        TooManyPasskeysError: the user has enough.
    """
    shown = _registration(sent)
    challenge = _take_challenge(session, shown) if shown else None
    release(session)
    if shown is None or challenge is None or challenge.user_id != user.id or challenge.handle is None:
        raise UselessPasskeyError("this is no passkey that was asked for here just now; begin again")
    try:
        made = webauthn.verify_registration_response(
            credential=sent,
            expected_challenge=shown.challenge,
            expected_rp_id=place.host,
            expected_origin=place.origin,
            require_user_verification=True,
        )
    except Exception as error:  # noqa: BLE001  (a stranger's bytes: however they are wrong, they are refused)
        raise UselessPasskeyError(f"this passkey cannot be kept: {error}; begin again") from None
    _check_number(store.of_user(session, user))
    if store.by_credential(session, shown.credential_id) is not None:
        raise UselessPasskeyError("this passkey is kept already")
    row = Passkey(
        user_id=user.id,
        credential_id=bytes_to_base64url(made.credential_id),
        public_key=bytes_to_base64url(made.credential_public_key),
        handle=challenge.handle,
        host=place.host,
        sign_count=made.sign_count,
        name="".join(filter(str.isprintable, name)).strip()[:MAX_CHARS],
        created_at=utc_now(),
    )
    session.add(row)
    events.log(session, PasskeyAdded(user.name), actor=user)
    session.flush()
    return row


def sign_in_options(session: Session, place: Place) -> dict[str, Any]:
    """What a browser needs to have somebody show a passkey, whoever it is, as a JSON object."""
    options = webauthn.generate_authentication_options(
        rp_id=place.host,
        challenge=_new_challenge(session),
        timeout=round(GOOD.total_seconds() * 1000),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(json.loads(webauthn.options_to_json(options)))


def sign_in(session: Session, place: Place, sent: str, address: str) -> User:
    """Who signs in by a passkey. The session is released: nothing may have been written before.

    Raises:
        TooManyError: too many attempts have failed by that passkey, or from that address.
        UnknownPasskeyError: it is nobody's, its challenge was used or is too old, or it was copied.
    """
    shown = _assertion(sent)
    name = None if shown is None else f"passkey:{shown.credential_id}"
    attempts.admit(session, address, name)
    challenge = _take_challenge(session, shown) if shown else None
    release(session)
    known = store.by_credential(session, shown.credential_id, locked=True) if shown else None
    if shown is None or challenge is None or challenge.user_id is not None or known is None:
        raise UnknownPasskeyError("this passkey is not known here, or was shown too late; try again")
    try:
        verified = webauthn.verify_authentication_response(
            credential=sent,
            expected_challenge=shown.challenge,
            expected_rp_id=place.host,
            expected_origin=place.origin,
            credential_public_key=base64url_to_bytes(known.public_key),
            credential_current_sign_count=known.sign_count,
            require_user_verification=True,
        )
    except Exception as error:  # noqa: BLE001  (as in `register`)
        raise UnknownPasskeyError(f"this passkey does not sign in: {error}") from None
    if shown.handle != base64url_to_bytes(known.handle):
        raise UnknownPasskeyError("this passkey was made for somebody else")
    known.sign_count, known.used_at = verified.new_sign_count, utc_now()
    attempts.succeeded(session, address, name)
    return known.user


def passkeys(session: Session, user: User) -> Sequence[Passkey]:
    """A user's passkeys, the oldest first."""
    return store.of_user(session, user)


def remove(session: Session, user: User, number: int) -> None:
    """Let one of one's own passkeys sign in no more.

    Raises:
        NotFoundError: it is not the user's, or is removed.
    """
    mine = next((each for each in store.of_user(session, user) if each.id == number), None)
    if mine is None:
        raise NotFoundError("you have no passkey %(number)s; it may be removed", number=number)
    session.delete(mine)
    events.log(session, PasskeyRemoved(user.name), actor=user)


def _check_number(known: Sequence[Passkey]) -> None:
    if len(known) >= MOST:
        raise TooManyPasskeysError(f"nobody has more than {MOST} passkeys; remove one first")


def _new_challenge(session: Session, user: User | None = None, handle: str | None = None) -> bytes:
    """A challenge that is good once: for `user` to make a passkey, or for anybody to sign in."""
    store.forget_challenges(session, MAX_CHALLENGES)
    challenge = secrets.token_bytes(32)
    row = PasskeyChallenge(
        hash=_key_of(challenge),
        user_id=None if user is None else user.id,
        handle=handle,
        expires_at=utc_now() + GOOD,
    )
    session.add(row)
    return challenge


def _take_challenge(session: Session, shown: _Shown) -> PasskeyChallenge | None:
    """The challenge that was answered, if it is good; it is good no more then, whatever comes of it."""
    return store.take_challenge(session, _key_of(shown.challenge))


def _key_of(challenge: bytes) -> str:
    return digest(bytes_to_base64url(challenge))


def _registration(sent: str) -> _Shown | None:
    try:
        credential = parse_registration_credential_json(sent)
        told = parse_client_data_json(credential.response.client_data_json)
    except Exception:  # noqa: BLE001  (as in `register`)
        return None
    return _Shown(credential.id, told.challenge)


def _assertion(sent: str) -> _Shown | None:
    try:
        credential = parse_authentication_credential_json(sent)
        told = parse_client_data_json(credential.response.client_data_json)
    except Exception:  # noqa: BLE001  (as in `register`)
        return None
    return _Shown(credential.id, told.challenge, credential.response.user_handle)
