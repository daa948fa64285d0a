"""A school's OpenID provider, asked who somebody is (OpenID Connect Core, the code flow with PKCE).

Whatever it answers is a stranger's until it is verified, and bounded in time and length. Nothing is asked of
it before somebody wants to sign in by it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2
import structlog
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc.jwk import Key
from pydantic import BaseModel, ValidationError

from arena.core.errors import AuthRequiredError, ForbiddenError, UnavailableError
from arena.core.openid import OpenIdSetup, is_safe_address
from arena.people import id_tokens
from arena.people.id_tokens import BadTokenError, Expected

ANSWER_SECONDS = 10.0
"""How long the provider has in all for what is asked of it at one time."""
MAX_BYTES = 256 * 1024
"""Of one answer."""
METADATA_SECONDS = 3600.0
KEYS_SECONDS = 3600.0
AWAY_SECONDS = 5.0
"""So long after no answer came nobody else is kept waiting for one."""
MAX_LABEL = 100
HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "bot-arena"}
log = structlog.get_logger(__name__)


class ProviderDownError(UnavailableError):
    """The school's provider does not answer, or not as it should; other ways to sign in go on."""


class UntrustedAnswerError(AuthRequiredError):
    """What came from the provider cannot be believed; begin again, and tell the staff if it stays."""


class DeniedError(AuthRequiredError):
    """The reader or the provider has not told the arena who it is; begin again, or sign in otherwise."""


class NotOfTheSchoolError(ForbiddenError):
    """The provider knows who it is, but lets in nobody of that domain, or without that claim."""


class Metadata(BaseModel):
    """What a provider says of itself, as far as it matters here."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic"]
    authorization_response_iss_parameter_supported: bool = False


@dataclass(frozen=True)
class AuthorizationResponse:
    """What a browser brings back from the provider: a code or an error, and who says to have sent it."""

    code: str = ""
    error: str = ""
    issuer: str | None = None


@dataclass(frozen=True)
class Person:
    """Whom the provider has vouched for: nobody else has that `subject` there. `label` may be empty."""

    issuer: str
    subject: str
    label: str


@dataclass(frozen=True)
class Question:
    """With what somebody is sent to the provider; `verifier` is told to it only with the code."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str


class Provider:
    """The provider that is set up; it holds what that says of itself, and its keys, in memory."""

    def __init__(
        self,
        setup: OpenIdSetup,
        transport: httpx2.AsyncBaseTransport | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.setup = setup
        self._transport = transport
        self._now = now
        self._metadata: tuple[float, Metadata] | None = None
        self._keys: tuple[float, list[Key]] | None = None
        self._away_until = float("-inf")

    async def address(self, question: Question) -> str:
        """Where somebody is sent to.

        Raises:
            ProviderDownError: it does not say where.
        """
        async with self._asking() as ask:
            metadata = await self._about(ask)
        return str(
            prepare_grant_uri(
                metadata.authorization_endpoint,
                self.setup.client_id,
                "code",
                question.redirect_uri,
                " ".join(self.setup.scopes),
                question.state,
                nonce=question.nonce,
                code_challenge=create_s256_code_challenge(question.verifier),  # type: ignore[no-untyped-call]
                code_challenge_method="S256",
                prompt=self.setup.prompt,
            )
        )

    async def who(self, question: Question, told: AuthorizationResponse) -> Person:
        """Whom the provider vouches for by what a browser brought back.

        Raises:
            DeniedError: by nothing; it was broken off there.
            ProviderDownError: it does not answer, or not as it should.
            UntrustedAnswerError: it refuses the code, or what it sends is not good for this question.
            NotOfTheSchoolError: it knows them, but they may not come in here.
        """
        async with self._asking() as ask:
            metadata = await self._about(ask)
            self._check_told(metadata, told)
            given = await self._exchanged(ask, metadata, question, told.code)
            claims = await self._verified(ask, metadata, question, given)
            claims = await self._completed(ask, metadata, claims, given)
        self._check_rules(claims)
        return Person(self.setup.issuer, claims["sub"], _label(claims))

    def _check_told(self, metadata: Metadata, told: AuthorizationResponse) -> None:
        """Go on where a code was brought back, and from this provider (RFC 9207)."""
        missing = told.issuer is None and metadata.authorization_response_iss_parameter_supported
        if missing or told.issuer not in {None, self.setup.issuer}:
            raise self._untrusted(f"the answer says that it is of {told.issuer!r}")
        if told.error in {"temporarily_unavailable", "server_error"}:
            raise self.is_down(f"it sends readers back with {told.error}")
        if told.error or not told.code:
            log.info(
                "nobody was told of by the OpenID provider", issuer=self.setup.issuer, error=told.error[:100]
            )
            raise DeniedError("the school's sign-in was broken off, or did not tell who you are; begin again")

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[_Asking]:
        """A conversation with the provider, as long as it may take; nobody waits for one that is away."""
        if self._now() < self._away_until:
            raise self.is_down("it did not answer a moment ago")
        verify = self._trusted if self._transport is None else False
        try:
            async with (
                asyncio.timeout(ANSWER_SECONDS),
                httpx2.AsyncClient(
                    transport=self._transport, verify=verify, timeout=ANSWER_SECONDS
                ) as client,
            ):
                yield _Asking(client, self)
        except TimeoutError:
            raise self.is_away(f"it takes more than {ANSWER_SECONDS:g} s") from None

    @cached_property
    def _trusted(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context()

    def is_away(self, reason: str) -> ProviderDownError:
        """What to say where no answer comes at all; for some seconds nobody asks again."""
        self._away_until = self._now() + AWAY_SECONDS
        return self.is_down(reason)

    def is_down(self, reason: str) -> ProviderDownError:
        """What to say where the provider does not answer as it should; the log says why."""
        log.warning("the OpenID provider does not do its work", issuer=self.setup.issuer, reason=reason)
        return ProviderDownError(f"{self.setup.name} does not answer as it should; sign in in another way")

    def _untrusted(self, reason: str) -> UntrustedAnswerError:
        log.warning("an answer of the OpenID provider is refused", issuer=self.setup.issuer, reason=reason)
        return UntrustedAnswerError(f"what came from {self.setup.name} cannot be believed; begin again")

    async def _about(self, ask: _Asking) -> Metadata:
        """What the provider says of itself, kept for an hour."""
        if self._metadata is not None and self._now() < self._metadata[0] + METADATA_SECONDS:
            return self._metadata[1]
        address = self.setup.issuer.rstrip("/") + "/.well-known/openid-configuration"
        try:
            metadata = Metadata.model_validate(await ask.json("GET", address))
        except ValidationError as error:
            wrong = ", ".join(str(fault["loc"][0]) for fault in error.errors())
            raise self.is_down(f"its configuration cannot be used: {wrong}") from None
        if metadata.issuer != self.setup.issuer:
            raise self.is_down(f"its configuration is of {metadata.issuer!r}: set ARENA_OIDC_ISSUER to that")
        addresses = (metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri)
        for each in (*addresses, metadata.userinfo_endpoint or self.setup.issuer):
            self._check_address(each)
        self._metadata = self._now(), metadata
        return metadata

    def _check_address(self, address: str) -> None:
        """Go on where nobody reads along: what is by https stays so."""
        secured = urlsplit(self.setup.issuer).scheme == "https"
        if not is_safe_address(address) or (secured and not address.startswith("https:")):
            raise self.is_down(f"its configuration leads to {address!r}, which is not by https")

    async def _exchanged(
        self, ask: _Asking, metadata: Metadata, question: Question, code: str
    ) -> Mapping[str, Any]:
        """What the provider gives for a code."""
        setup, methods = self.setup, metadata.token_endpoint_auth_methods_supported
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": question.redirect_uri,
            "code_verifier": question.verifier,
        }
        headers = {}
        if setup.client_secret is None:
            fields["client_id"] = setup.client_id
        elif "client_secret_basic" in methods or "client_secret_post" not in methods:
            headers["Authorization"] = _basic(setup.client_id, setup.client_secret)
        else:
            fields |= {"client_id": setup.client_id, "client_secret": setup.client_secret}
        given = await ask.json("POST", metadata.token_endpoint, headers=headers, data=fields, refusals=True)
        if "error" in given:
            raise self._refused(str(given["error"])[:100])
        return given

    def _refused(self, error: str) -> UntrustedAnswerError | ProviderDownError:
        """What to say where the provider gives nothing for a code: because of the arena, or of the code."""
        if error in {"invalid_client", "unauthorized_client"}:
            return self.is_down(f"it refuses the arena: {error}; look at ARENA_OIDC_CLIENT_ID and its secret")
        return self._untrusted(f"it gives nothing for the code: {error!r}")

    async def _verified(
        self, ask: _Asking, metadata: Metadata, question: Question, given: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """The claims of the ID token, if the provider has signed it for this question and it is good now."""
        token = given.get("id_token")
        expected = Expected(
            self.setup.issuer, self.setup.client_id, question.nonce, given.get("access_token")
        )
        try:
            keys = await self._keys_for(ask, metadata, id_tokens.header_of(token))
            return id_tokens.verified(str(token), keys, expected)
        except BadTokenError as error:
            raise self._untrusted(f"the ID token is not good: {error}") from None

    async def _keys_for(self, ask: _Asking, metadata: Metadata, header: Mapping[str, Any]) -> list[Key]:
        """The provider's keys that may have signed; asked for again where it has others by now."""
        found = list[Key]()
        if self._keys is not None and self._now() < self._keys[0] + KEYS_SECONDS:
            found = id_tokens.fitting(self._keys[1], header)
        if not found:
            found = id_tokens.fitting(await self._ask_keys(ask, metadata), header)
        if not found:
            raise BadTokenError(f"the provider has no key {header.get('kid')!r}")
        return found

    async def _ask_keys(self, ask: _Asking, metadata: Metadata) -> list[Key]:
        told = (await ask.json("GET", metadata.jwks_uri)).get("keys")
        if not isinstance(told, list):
            raise self.is_down("its keys cannot be read")
        keys = [key for each in told if (key := id_tokens.key_of(each)) is not None]
        self._keys = self._now(), keys
        return keys

    async def _completed(
        self, ask: _Asking, metadata: Metadata, claims: Mapping[str, Any], given: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """The claims, with those that the rules need and the provider tells elsewhere only."""
        needed = {"email", "email_verified"} if self.setup.domains else set()
        needed |= {self.setup.claim[0]} if self.setup.claim else set()
        token = given.get("access_token")
        if needed <= claims.keys() or metadata.userinfo_endpoint is None or not isinstance(token, str):
            return claims
        if not (token.isascii() and token.isprintable()):
            raise self._untrusted("the access token is none")
        more = await ask.json("GET", metadata.userinfo_endpoint, headers={"Authorization": f"Bearer {token}"})
        if more.get("sub") != claims["sub"]:
            raise self._untrusted("what it tells of the user is of somebody else")
        return {**more, **claims}

    def _check_rules(self, claims: Mapping[str, Any]) -> None:
        """Let in whom the operator lets in."""
        name = self.setup.name
        if self.setup.domains:
            domain = str(claims.get("email", "")).rpartition("@")[2].casefold()
            if claims.get("email_verified") is not True or domain not in self.setup.domains:
                raise NotOfTheSchoolError(
                    f"this account of {name} has no verified e-mail address of the school"
                )
        if self.setup.claim:
            claim, value = self.setup.claim
            has = claims.get(claim)
            if value not in (map(str, has) if isinstance(has, list) else [str(has)]):
                raise NotOfTheSchoolError(f"this account of {name} is not among those that may come in here")


class _Asking:
    """One conversation with the provider."""

    def __init__(self, client: httpx2.AsyncClient, provider: Provider) -> None:
        self._client = client
        self._provider = provider

    async def json(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str] | None = None,
        data: Mapping[str, str] | None = None,
        *,
        refusals: bool = False,
    ) -> dict[str, Any]:
        """The object that is answered; with `refusals` also one with a status that refuses.

        Raises:
            ProviderDownError: there is none, or it is too long. A redirection is none.
        """
        try:
            async with self._client.stream(
                method, address, headers=HEADERS | dict(headers or {}), data=data
            ) as answer:
                status, body = answer.status_code, await _body(answer)
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError) as error:
            raise self._provider.is_away(f"{address}: {str(error) or type(error).__name__}") from None
        except ValueError as error:
            raise self._provider.is_down(f"{address}: {error}") from None
        if status != 200 and not (refusals and status in {400, 401}):
            raise self._provider.is_down(f"{address} answers with status {status}")
        try:
            told = json.loads(body)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            raise self._provider.is_down(f"{address} does not answer with an object")
        return told


async def _body(answer: httpx2.Response) -> bytes:
    """What is answered, as it was sent.

    Raises:
        ValueError: it is too long, or packed.
    """
    if answer.headers.get("content-encoding", "identity") != "identity":
        raise ValueError("its answer is packed, which was not asked for")
    body = b""
    async for part in answer.aiter_bytes():
        body += part
        if len(body) > MAX_BYTES:
            raise ValueError(f"its answer has more than {MAX_BYTES} bytes")
    return body


def _basic(client_id: str, secret: str) -> str:
    """Who the arena is, as RFC 6749 has it (2.3.1)."""
    named = f"{quote(client_id, safe='')}:{quote(secret, safe='')}"
    return f"Basic {base64.b64encode(named.encode()).decode()}"


def _label(claims: Mapping[str, Any]) -> str:
    """What the provider calls them, for themselves to recognise."""
    found = (claims.get(name) for name in ("preferred_username", "email", "name"))
    text = next((each for each in found if isinstance(each, str) and each), "")
    return "".join(filter(str.isprintable, text)).strip()[:MAX_LABEL]
