"""Which OpenID provider people of a school sign in at, if one is set up (`ARENA_OIDC_...`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from arena.core.addresses import is_host_name, is_loopback
from workers.core.configuration import ArenaSettings
from workers.core.errors import SettingsError

_SIGNS = r"[\x21\x23-\x5b\x5d-\x7e]+"
"""What a scope is made of."""
_NAMES = {
    "oidc_client_id": "ARENA_OIDC_CLIENT_ID",
    "oidc_client_secret": "ARENA_OIDC_CLIENT_SECRET",
    "oidc_name": "ARENA_OIDC_NAME",
    "oidc_domains": "ARENA_OIDC_DOMAINS",
    "oidc_claim": "ARENA_OIDC_CLAIM",
    "oidc_address": "ARENA_OIDC_ADDRESS",
    "oidc_prompt": "ARENA_OIDC_PROMPT",
}
"""What means something beside an issuer only."""


@dataclass(frozen=True)
class OpenIdSetup:
    """The provider and what the arena is there; `claim` is a name and the value that is asked for."""

    issuer: str
    client_id: str
    client_secret: str | None = field(repr=False)
    name: str
    scopes: tuple[str, ...]
    domains: tuple[str, ...] = ()
    claim: tuple[str, str] | None = None
    address: str | None = None
    prompt: str | None = None


def is_safe_address(address: str) -> bool:
    """Whether that is an address by https, or by http on this machine, without names, passwords and parts."""
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return False
    plain = parts.username is None and parts.password is None and not parts.fragment and address.isascii()
    named = bool(host) and address.isprintable() and not set(address) & set(" \\\"'<>")
    return plain and named and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))


def _issuer(address: str) -> str:
    if not is_safe_address(address) or urlsplit(address).query or len(address) > 255:
        raise ValueError(
            "an issuer is https://HOST/PATH, or http:// on this machine, as the provider names it"
        )
    return address


def _origin(address: str) -> str:
    address = address.rstrip("/")
    parts = urlsplit(address) if is_safe_address(address) else None
    if parts is None or parts.path or parts.query:
        raise ValueError("an arena's address is https://HOST or https://HOST:PORT")
    return f"{parts.scheme}://{parts.netloc.casefold()}"


def _scopes(text: str) -> str:
    words = text.split()
    if "openid" not in words or not all(re.fullmatch(_SIGNS, word) for word in words):
        raise ValueError("scopes are words with spaces between them, and 'openid' is one of them")
    return " ".join(dict.fromkeys(words))


def _listed(text: object) -> object:
    if not isinstance(text, str):
        return text
    return tuple(part.strip().casefold() for part in text.split(",") if part.strip())


def _domains(domains: tuple[str, ...]) -> tuple[str, ...]:
    if not domains or not all("." in each and is_host_name(each) for each in domains):
        raise ValueError("domains are names such as school.edu.tw, with commas between them")
    return domains


def _claim(text: str) -> str:
    name, sign, value = text.partition("=")
    if not (sign and name.strip() and value.strip()):
        raise ValueError("a claim is NAME=VALUE, as in groups=students")
    return text


class OpenIdSettings(ArenaSettings):
    """The settings of a school's provider; without `oidc_issuer` there is none."""

    oidc_issuer: Annotated[str, AfterValidator(_issuer)] | None = None
    oidc_client_id: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    oidc_client_secret: SecretStr | None = None
    oidc_name: Annotated[str, Field(min_length=1, max_length=60)] | None = None
    oidc_scopes: Annotated[str, AfterValidator(_scopes)] = "openid profile"
    oidc_domains: (
        Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed), AfterValidator(_domains)] | None
    ) = None
    oidc_claim: Annotated[str, AfterValidator(_claim)] | None = None
    oidc_address: Annotated[str, AfterValidator(_origin)] | None = None
    oidc_prompt: Literal["login", "select_account", "consent"] | None = None


def openid_setup(settings: OpenIdSettings) -> OpenIdSetup | None:
    """The provider that is set up, if one is.

    Raises:
        SettingsError: something that it needs is missing, or stands there without it.
    """
    if settings.oidc_issuer is None:
        alone = [variable for name, variable in _NAMES.items() if getattr(settings, name) is not None]
        if alone:
            raise SettingsError(
                f"{', '.join(alone)} without ARENA_OIDC_ISSUER: say whose it is, or unset it; "
                "see docs/openid-connect.md"
            )
        return None
    if settings.oidc_client_id is None:
        raise SettingsError("ARENA_OIDC_ISSUER needs ARENA_OIDC_CLIENT_ID, what the provider calls the arena")
    name, _, value = (settings.oidc_claim or "").partition("=")
    scopes = settings.oidc_scopes.split()
    if settings.oidc_domains and "email" not in scopes:
        scopes.append("email")
    return OpenIdSetup(
        issuer=settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        client_secret=_secret(settings),
        name=settings.oidc_name or urlsplit(settings.oidc_issuer).hostname or settings.oidc_issuer,
        scopes=tuple(scopes),
        domains=settings.oidc_domains or (),
        claim=(name.strip(), value.strip()) if name else None,
        address=settings.oidc_address,
        prompt=settings.oidc_prompt,
    )


def _secret(settings: OpenIdSettings) -> str | None:
    """The client's secret; None where the arena is a public client."""
    told = settings.oidc_client_secret
    secret = told.get_secret_value() if told is not None else None
    if secret == "":
        raise SettingsError("the secret of the OpenID client is empty; unset it where the arena has none")
    return secret
