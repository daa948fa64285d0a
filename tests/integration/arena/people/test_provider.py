"""The provider is believed where it has signed for this arena and this question, and not waited for long."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from arena.people import provider as module
from arena.people.provider import (
    AWAY_SECONDS,
    KEYS_SECONDS,
    MAX_BYTES,
    METADATA_SECONDS,
    AuthorizationResponse,
    DeniedError,
    NotOfTheSchoolError,
    Provider,
    ProviderDownError,
    UntrustedAnswerError,
)
from tests.integration.arena.people.conftest import who
from tests.integration.arena.people.fake_provider import ISSUER, QUESTION, SETUP, Endless, FakeProvider


def test_people_are_sent_with_what_the_answer_is_known_by(fake: FakeProvider) -> None:
    """State, nonce and the verifier's challenge, never the verifier itself; what stood there stays."""
    provider = fake.provider(prompt="select_account", scopes=("openid", "email"))
    address = asyncio.run(provider.address(QUESTION))
    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert address.startswith(f"{ISSUER}/authorize?tenant=7&")
    assert asked == {
        "tenant": "7",
        "response_type": "code",
        "client_id": "arena",
        "redirect_uri": QUESTION.redirect_uri,
        "scope": "openid email",
        "state": "state",
        "nonce": "nonce",
        "code_challenge": create_s256_code_challenge(QUESTION.verifier),  # type: ignore[no-untyped-call]
        "code_challenge_method": "S256",
        "prompt": "select_account",
    }


def test_a_code_is_exchanged_for_who_it_is(fake: FakeProvider) -> None:
    """With the verifier and the client's secret; what the provider calls them is kept, shortened."""
    fake.claims = {"preferred_username": "安妮\u202e" + "x" * 200}
    person = who(fake.provider())
    assert (person.issuer, person.subject) == (ISSUER, "ann-1")
    assert person.label.startswith("安妮x")
    assert len(person.label) == 100
    assert fake.forms == [
        {
            "grant_type": "authorization_code",
            "code": "code",
            "redirect_uri": QUESTION.redirect_uri,
            "code_verifier": QUESTION.verifier,
        }
    ]
    assert fake.asked == ["/.well-known/openid-configuration", "/token", "/keys"]


@pytest.mark.parametrize(
    ("setup", "methods", "header", "fields"),
    [
        ({"client_secret": "s:+ü"}, None, "arena:s%3A%2B%C3%BC", {}),
        ({}, ["client_secret_post"], None, {"client_id": "arena", "client_secret": "s"}),
        ({}, ["private_key_jwt", "client_secret_basic", "client_secret_post"], "arena:s", {}),
        ({"client_secret": None}, ["none"], None, {"client_id": "arena"}),
    ],
)
def test_the_arena_says_who_it_is_as_the_provider_wants_it(
    fake: FakeProvider,
    setup: dict[str, Any],
    methods: list[str] | None,
    header: str | None,
    fields: dict[str, str],
) -> None:
    """In the header or in the form, encoded as RFC 6749 has it, or without a secret."""
    if methods is not None:
        fake.metadata = {"token_endpoint_auth_methods_supported": methods}
    who(fake.provider(**setup))
    expected = header and "Basic " + base64.b64encode(header.encode()).decode()
    assert fake.authorizations[1] == expected
    assert {name: fake.forms[0][name] for name in fake.forms[0] if name.startswith("client")} == fields


def test_what_is_known_is_asked_for_again_after_an_hour(fake: FakeProvider) -> None:
    """The configuration and the keys, which may have changed."""
    now = [0.0]
    provider = Provider(SETUP, fake, lambda: now[0])
    who(provider)
    now[0] = max(METADATA_SECONDS, KEYS_SECONDS) + 1
    who(provider)
    assert fake.asked == ["/.well-known/openid-configuration", "/token", "/keys"] * 2


@pytest.mark.parametrize(
    ("told", "error"),
    [
        (AuthorizationResponse(error="access_denied"), DeniedError),
        (AuthorizationResponse(error="access_denied", issuer=ISSUER), DeniedError),
        (AuthorizationResponse(error="interaction_required"), DeniedError),
        (AuthorizationResponse(), DeniedError),
        (AuthorizationResponse(error="temporarily_unavailable"), ProviderDownError),
        (AuthorizationResponse(error="server_error"), ProviderDownError),
        (AuthorizationResponse("code", issuer="https://evil.example"), UntrustedAnswerError),
        (AuthorizationResponse(error="access_denied", issuer="https://evil.example"), UntrustedAnswerError),
    ],
)
def test_what_is_brought_back_without_a_code_is_told_apart(
    fake: FakeProvider, told: AuthorizationResponse, error: type[Exception]
) -> None:
    """Who broke it off, a provider in trouble, and an answer of another one; no code is exchanged."""
    with pytest.raises(error):
        who(fake.provider(), told)
    assert "/token" not in fake.asked


def test_a_provider_that_names_itself_always_does(fake: FakeProvider) -> None:
    """An answer without it is another one's, where the provider says that it puts it in (RFC 9207)."""
    fake.metadata = {"authorization_response_iss_parameter_supported": True}
    with pytest.raises(UntrustedAnswerError):
        who(fake.provider(), AuthorizationResponse("code"))
    assert who(fake.provider()).subject == "ann-1"
    fake.metadata = {}
    assert who(fake.provider(), AuthorizationResponse("code")).subject == "ann-1"


@pytest.mark.parametrize(
    ("error", "status", "expected"),
    [
        ("invalid_grant", 400, UntrustedAnswerError),
        ("invalid_request", 400, UntrustedAnswerError),
        ("invalid_client", 401, ProviderDownError),
        ("unauthorized_client", 400, ProviderDownError),
    ],
)
def test_a_refused_code_is_told_from_a_refused_arena(
    fake: FakeProvider, error: str, status: int, expected: type[Exception]
) -> None:
    """The one is the reader's to try again, the other the operator's to mend."""
    fake.answers["/token"] = lambda _: httpx2.Response(status, json={"error": error})
    with pytest.raises(expected):
        who(fake.provider())


def _fails(_: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("nobody listens")


BROKEN: dict[str, Callable[[httpx2.Request], httpx2.Response]] = {
    "nobody listens": _fails,
    "a server's error": lambda _: httpx2.Response(500, text="oops"),
    "no object": lambda _: httpx2.Response(200, json=["a list"]),
    "no JSON": lambda _: httpx2.Response(200, text="<html>"),
    "no text": lambda _: httpx2.Response(200, content=b"\xff\xfe\x00"),
    "deep": lambda _: httpx2.Response(200, text="[" * 100_000),
    "leads in a circle": lambda request: httpx2.Response(302, headers={"Location": str(request.url)}),
    "packed": lambda _: httpx2.Response(200, headers={"Content-Encoding": "gzip"}, stream=Endless()),
}


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/keys"])
@pytest.mark.parametrize("answer", BROKEN.values(), ids=list(BROKEN))
def test_a_provider_that_does_not_do_its_work_is_down(
    fake: FakeProvider, path: str, answer: Callable[[httpx2.Request], httpx2.Response]
) -> None:
    """Whatever fails, and wherever: it is said so, and nothing else happens; no redirection is followed."""
    fake.answers[path] = answer
    with pytest.raises(ProviderDownError):
        who(fake.provider())
    assert fake.asked.count(path) == 1


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/keys"])
def test_an_answer_without_an_end_is_not_read_on(fake: FakeProvider, path: str) -> None:
    """Some more than the limit is taken in, and no more."""
    endless = Endless()
    fake.answers[path] = lambda _: httpx2.Response(200, stream=endless)
    with pytest.raises(ProviderDownError):
        who(fake.provider())
    assert MAX_BYTES < endless.read <= MAX_BYTES + 2048


def test_a_provider_that_keeps_silent_is_not_waited_for(
    fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that is asked at one time has one limit; and for some seconds nobody else waits for it."""

    class Silent(httpx2.AsyncByteStream):
        async def __aiter__(self) -> Any:
            yield b"{"
            await asyncio.Event().wait()

    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.05)
    now = [0.0]
    provider = Provider(SETUP, fake, lambda: now[0])
    fake.answers["/token"] = lambda _: httpx2.Response(200, stream=Silent())
    with pytest.raises(ProviderDownError):
        who(provider)
    asked = len(fake.asked)
    with pytest.raises(ProviderDownError):
        asyncio.run(provider.address(QUESTION))
    assert len(fake.asked) == asked
    monkeypatch.undo()
    now[0] = AWAY_SECONDS + 1
    del fake.answers["/token"]
    assert who(provider).subject == "ann-1"


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://login.school.example/"},
        {"issuer": "https://evil.example"},
        {"token_endpoint": None},
        {"token_endpoint": "http://login.school.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "https://evil.example\\@login.school.example/"},
        {"userinfo_endpoint": "http://127.0.0.1/userinfo"},
    ],
)
def test_a_configuration_that_leads_astray_is_not_followed(
    fake: FakeProvider, metadata: dict[str, Any]
) -> None:
    """One of another issuer, without what is needed, or with addresses that are not by https."""
    fake.metadata = metadata
    with pytest.raises(ProviderDownError):
        asyncio.run(fake.provider().address(QUESTION))


SCHOOL = ("school.example",)


@pytest.mark.parametrize(
    ("rules", "claims", "let_in"),
    [
        ({"domains": SCHOOL}, {"email": "ann@School.example", "email_verified": True}, True),
        ({"domains": SCHOOL}, {"email": "ann@school.example", "email_verified": False}, False),
        ({"domains": SCHOOL}, {"email": "ann@school.example", "email_verified": "false"}, False),
        ({"domains": SCHOOL}, {"email": "ann@evil.school.example", "email_verified": True}, False),
        ({"domains": SCHOOL}, {"email": "school.example@evil.example", "email_verified": True}, False),
        ({"domains": SCHOOL}, {}, False),
        ({"claim": ("groups", "students")}, {"groups": ["all", "students"]}, True),
        ({"claim": ("groups", "students")}, {"groups": "students"}, True),
        ({"claim": ("groups", "students")}, {"groups": ["students-of-another"]}, False),
        ({"claim": ("groups", "students")}, {}, False),
        ({"claim": ("groups", "students")}, {"groups": {"students": 1}}, False),
    ],
)
def test_only_who_is_of_the_school_is_let_in(
    fake: FakeProvider, rules: dict[str, Any], claims: dict[str, Any], *, let_in: bool
) -> None:
    """By verified e-mail address or by claim, whether they stand in the ID token or are asked for."""
    for place in ("claims", "userinfo"):
        fake.claims, fake.userinfo = {}, {"sub": "ann-1"}
        setattr(fake, place, claims | {"sub": "ann-1"})
        if let_in:
            assert who(fake.provider(**rules)).subject == "ann-1"
        else:
            with pytest.raises(NotOfTheSchoolError):
                who(fake.provider(**rules))


def test_what_is_told_of_somebody_else_does_not_count(fake: FakeProvider) -> None:
    """What is asked for beside the ID token has to be of the same subject, and overrides nothing of it."""
    fake.userinfo = {"sub": "bob-2", "email": "bob@school.example", "email_verified": True}
    with pytest.raises(UntrustedAnswerError):
        who(fake.provider(domains=SCHOOL))
    fake.claims = {"email": "ann@evil.example"}
    fake.userinfo = {"sub": "ann-1", "email": "ann@school.example", "email_verified": True}
    with pytest.raises(NotOfTheSchoolError):
        who(fake.provider(domains=SCHOOL))


def test_an_access_token_cannot_break_a_header(fake: FakeProvider) -> None:
    """What the provider calls one is sent on only where it can be one."""
    fake.token = {"access_token": "a\r\nX-Evil: 1"}
    with pytest.raises(UntrustedAnswerError):
        who(fake.provider(domains=SCHOOL))
    assert "/userinfo" not in fake.asked
