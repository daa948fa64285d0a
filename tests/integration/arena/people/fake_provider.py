"""An OpenID provider that answers whatever a test wants, wrong things too; it is asked without a socket."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64encode as padded
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any
from urllib.parse import parse_qs

import httpx2
from joserfc import jwt
from joserfc.jwk import ECKey, Key, KeySet, RSAKey

from arena.core.openid import OpenIdSetup
from arena.people.provider import Provider, Question

ISSUER = "https://login.school.example"
SETUP = OpenIdSetup(
    issuer=ISSUER, client_id="arena", client_secret="s", name="Sunny School", scopes=("openid",)
)
QUESTION = Question("state", "nonce", "v" * 43, "https://arena.example/sign-in/openid/callback")
Answer = Callable[[httpx2.Request], httpx2.Response]


def _encoded(content: bytes) -> str:
    return padded(content).decode().rstrip("=")


class Endless(httpx2.AsyncByteStream):
    """A body without an end; `read` is how much was taken."""

    read = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.read += 1024
            yield b" " * 1024


class FakeProvider(httpx2.AsyncBaseTransport):
    """Answers as a provider does. `claims` and `key` make the ID token, `answers` replace whole answers."""

    def __init__(self) -> None:
        self.key: RSAKey | ECKey = own_rsa()
        self.algorithm = "RS256"
        self.published: list[Key] = [self.key]
        self.header: dict[str, Any] = {}
        self.claims: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.token: dict[str, Any] = {}
        self.userinfo: dict[str, Any] = {}
        self.nonce = QUESTION.nonce
        self.answers: dict[str, Answer] = {}
        self.now: Callable[[], float] = time.time
        self.asked: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.authorizations: list[str | None] = []

    def provider(self, **setup: Any) -> Provider:
        """The arena's side."""
        return Provider(OpenIdSetup(**{**vars(SETUP), **setup}), self)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        path = request.url.path
        self.asked.append(path)
        self.authorizations.append(request.headers.get("authorization"))
        if path in self.answers:
            return self.answers[path](request)
        if path == "/.well-known/openid-configuration":
            return httpx2.Response(200, json=self._about())
        if path == "/keys":
            keys = KeySet(self.published).as_dict(private=False)
            return httpx2.Response(200, json=keys)
        if path == "/userinfo":
            return httpx2.Response(200, json=self.userinfo)
        assert path == "/token"
        form = {name: values[0] for name, values in parse_qs((await request.aread()).decode()).items()}
        self.forms.append(form)
        told = {"access_token": "opaque", "token_type": "Bearer", "id_token": self.id_token()} | self.token
        return httpx2.Response(200, json={name: value for name, value in told.items() if value is not None})

    def id_token(self) -> str:
        """A token with what the test wants in it."""
        now = int(self.now())
        claims = {"iss": ISSUER, "sub": "ann-1", "aud": "arena", "iat": now, "exp": now + 300}
        claims |= {"nonce": self.nonce, "preferred_username": "ann"}
        claims = {name: value for name, value in (claims | self.claims).items() if value is not None}
        header = {"alg": self.algorithm, "kid": self.key.kid} | self.header
        header = {name: value for name, value in header.items() if value is not None}
        return jwt.encode(header, claims, self.key, algorithms=[self.algorithm])

    def signed_with(self, secret: bytes) -> str:
        """The same claims by a shared secret."""
        header = json.dumps({"alg": "HS256", "kid": self.key.kid}).encode()
        told = f"{_encoded(header)}.{self.id_token().split('.')[1]}"
        return f"{told}.{_encoded(hmac.digest(secret, told.encode(), 'sha256'))}"

    def _about(self) -> dict[str, Any]:
        return {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/authorize?tenant=7",
            "token_endpoint": f"{ISSUER}/token",
            "jwks_uri": f"{ISSUER}/keys",
            "userinfo_endpoint": f"{ISSUER}/userinfo",
        } | self.metadata


@cache
def own_rsa() -> RSAKey:
    """The provider's key, which takes a while to make."""
    return RSAKey.generate_key(2048, auto_kid=True)


def another_rsa() -> RSAKey:
    """A key that nobody knows."""
    return RSAKey.generate_key(2048, auto_kid=True)


def elliptic() -> ECKey:
    """A key of another kind."""
    return ECKey.generate_key("P-256", auto_kid=True)
