"""ID tokens of an OpenID provider: by which key one is signed, and whether it is good here and now.

The signature is checked by joserfc and the claims by Authlib, as OpenID Connect Core has it (3.1.3.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key

from arena.core.clock import utc_now

SKEW_SECONDS = 60
"""By how much the provider's clock may differ."""
MAX_SUBJECT = 255
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
"""Signatures with a public key. With `none` and `HS…` others could sign."""
FAULTS = (JoseError, ValueError, TypeError, KeyError)
"""What a stranger's token can come to."""


class BadTokenError(ValueError):
    """The token is not good; the message is for the log."""


@dataclass(frozen=True)
class Expected:
    """What the token has to say: who signed it for whom, for which question and beside which access token."""

    issuer: str
    client_id: str
    nonce: str
    access_token: object


def header_of(token: object) -> Mapping[str, Any]:
    """What a token says of itself; nothing of it is verified.

    Raises:
        BadTokenError: it is none.
    """
    try:
        return jws.extract_compact(str(token).encode()).headers()
    except FAULTS as error:
        raise BadTokenError(f"it cannot be read: {error!r}") from None


def verified(token: str, keys: Sequence[Key], expected: Expected) -> dict[str, Any]:
    """The claims of a token that one of these keys has signed, and that is good now.

    Raises:
        BadTokenError: none has, or it is not.
    """
    try:
        decoded = _decoded(token, keys)
        claims = CodeIDToken(
            decoded.claims,
            decoded.header,
            options={
                "iss": {"essential": True, "value": expected.issuer},
                "aud": {"essential": True, "value": expected.client_id},
            },
            params={
                "nonce": expected.nonce,
                "client_id": expected.client_id,
                "access_token": expected.access_token,
            },
        )
        claims.validate(now=int(utc_now().timestamp()), leeway=SKEW_SECONDS)
    except FAULTS as error:
        raise BadTokenError(repr(error)) from None
    subject = claims["sub"]
    if not (isinstance(subject, str) and subject.isascii() and subject.isprintable()):
        raise BadTokenError("its subject is none")
    if not 0 < len(subject) <= MAX_SUBJECT:
        raise BadTokenError("its subject is empty or too long")
    return dict(claims)


def key_of(told: object) -> Key | None:
    """A public key to verify with, if it is one that is known here."""
    if not isinstance(told, dict) or told.get("use", "sig") != "sig" or told.get("kty") == "oct":
        return None
    try:
        return JWKRegistry.import_key(told)
    except FAULTS:
        return None


def fitting(keys: Sequence[Key], header: Mapping[str, Any]) -> list[Key]:
    """Those that are named as the token says; where it names none, all."""
    name = header.get("kid")
    return [key for key in keys if name is None or key.kid == name]


def _decoded(token: str, keys: Sequence[Key]) -> jwt.Token:
    """The token, which one of these keys has signed.

    Raises:
        JoseError, ValueError: none has.
    """
    for key in keys[:-1]:
        try:
            return jwt.decode(token, key, algorithms=ALGORITHMS)
        except FAULTS:
            continue
    return jwt.decode(token, keys[-1], algorithms=ALGORITHMS)
