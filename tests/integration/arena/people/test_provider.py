"""The provider is believed where it has signed for this arena and this question, and not waited for long."""

from __future__ import annotations

import asyncio
import base64
import datetime as dt
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from arena.people import id_tokens
from arena.people import provider as module
from arena.people.id_tokens import SKEW_SECONDS
from arena.people.provider import (
    AWAY_SECONDS,
    KEYS_SECONDS,
    METADATA_SECONDS,
    MOST_BYTES,
    DeniedError,
    NotOfTheSchoolError,
    Person,
    Provider,
    ProviderDownError,
    Told,
    UntrustedAnswerError,
)
from tests.integration.arena.people.fake_provider import (
    ISSUER,
    QUESTION,
    SETUP,
    Endless,
    FakeProvider,
    another_rsa,
    elliptic,
)

GOOD = Told("code", issuer=ISSUER)
NOW = int(time.time())


@pytest.fixture
def fake() -> FakeProvider:
    """A provider that answers as it should, until a test wants something else."""
    return FakeProvider()


def who(provider: Provider, told: Told = GOOD) -> Person:
    """Whom the provider vouches for."""
    return asyncio.run(provider.who(QUESTION, told))


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


WRONG: dict[str, dict[str, Any]] = {
    "another audience": {"claims": {"aud": "another"}},
    "an audience of several without us": {"claims": {"aud": ["another", "third"]}},
    "several audiences and nobody named": {"claims": {"aud": ["arena", "another"]}},
    "issued to another": {"claims": {"azp": "another"}},
    "another nonce": {"claims": {"nonce": "another"}},
    "no nonce": {"claims": {"nonce": None}},
    "another issuer": {"claims": {"iss": "https://evil.example"}},
    "expired": {"claims": {"exp": NOW - 120, "iat": NOW - 400}},
    "without an end": {"claims": {"exp": None}},
    "an end that is no time": {"claims": {"exp": "never"}},
    "from the future": {"claims": {"iat": NOW + 3600}},
    "not yet good": {"claims": {"nbf": NOW + 3600}},
    "of nobody": {"claims": {"sub": None}},
    "of an empty subject": {"claims": {"sub": ""}},
    "of a number": {"claims": {"sub": 7}},
    "of a long subject": {"claims": {"sub": "x" * 256}},
    "of a subject that is not ASCII": {"claims": {"sub": "ann\u202e"}},
    "beside another access token": {"claims": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}},
    "no ID token": {"token": {"id_token": None}},
    "an ID token that is none": {"token": {"id_token": "a.b.c"}},
    "an ID token that is a number": {"token": {"id_token": 7}},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=list(WRONG))
def test_a_token_that_is_not_for_this_question_is_refused(fake: FakeProvider, wrong: dict[str, Any]) -> None:
    """However it is wrong: nobody is told of."""
    for name, value in wrong.items():
        setattr(fake, name, value)
    with pytest.raises(UntrustedAnswerError):
        who(fake.provider())


def _unsigned(fake: FakeProvider) -> None:
    head = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    fake.token = {"id_token": f"{head}.{fake.id_token().split('.')[1]}."}


def _by_another_key(fake: FakeProvider) -> None:
    own = fake.key
    fake.key = another_rsa()
    fake.header = {"kid": own.kid}


def _by_a_key_of_its_own(fake: FakeProvider) -> None:
    fake.key = another_rsa()
    fake.header = {"kid": None, "jwk": fake.key.as_dict(private=False)}


def _by_the_secret(fake: FakeProvider) -> None:
    fake.token = {"id_token": fake.signed_with(b"s")}


def _by_the_public_key(fake: FakeProvider) -> None:
    """The confusion of algorithms: what is public as a shared secret."""
    fake.token = {"id_token": fake.signed_with(fake.key.as_pem(private=False))}


def _by_a_shared_key_that_is_published(fake: FakeProvider) -> None:
    keys = [{"kty": "oct", "kid": fake.key.kid, "k": base64.urlsafe_b64encode(b"public").decode()}]
    fake.token = {"id_token": fake.signed_with(b"public")}
    fake.answers["/keys"] = lambda _: httpx.Response(200, json={"keys": keys})


def _changed(fake: FakeProvider) -> None:
    head, body, signature = fake.id_token().split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    forged = json.dumps(claims | {"sub": "staff"}).encode()
    fake.token = {"id_token": f"{head}.{base64.urlsafe_b64encode(forged).decode().rstrip('=')}.{signature}"}


@pytest.mark.parametrize(
    "forge",
    [
        *(_unsigned, _by_another_key, _by_a_key_of_its_own, _by_the_secret, _by_the_public_key),
        *(_by_a_shared_key_that_is_published, _changed),
    ],
)
def test_a_token_that_the_provider_has_not_signed_is_refused(
    fake: FakeProvider, forge: Callable[[FakeProvider], None]
) -> None:
    """Whoever else has, and by whatever key the token itself brings along."""
    forge(fake)
    with pytest.raises(UntrustedAnswerError):
        who(fake.provider())


def test_clocks_may_differ_a_little(fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token that is made in a minute or ended just less than a minute ago is good; in two it is not."""
    monkeypatch.setattr(id_tokens, "utc_now", lambda: dt.datetime.fromtimestamp(NOW, dt.UTC))
    for early, good in ((SKEW_SECONDS - 1, True), (2 * SKEW_SECONDS, False)):
        for claims in ({"iat": NOW + early, "exp": NOW + 900}, {"iat": NOW - 300, "exp": NOW - early}):
            fake.claims = claims
            if good:
                assert who(fake.provider()).subject == "ann-1"
            else:
                with pytest.raises(UntrustedAnswerError):
                    who(fake.provider())


def test_a_new_key_is_asked_for_when_a_token_names_it(fake: FakeProvider) -> None:
    """Of another kind too; meanwhile the keys are kept, and those that nobody can read are passed over."""
    provider = fake.provider()
    who(provider)
    who(provider)
    assert fake.asked.count("/keys") == 1
    fake.key, fake.algorithm = elliptic(), "ES256"
    strange = {"kty": "dilithium", "kid": "new"}
    keys = {"keys": [strange, 7, fake.key.as_dict(private=False)]}
    fake.answers["/keys"] = lambda _: httpx.Response(200, json=keys)
    assert who(provider).subject == "ann-1"
    assert fake.asked.count("/keys") == 2
    fake.header = {"kid": "nobody's"}
    with pytest.raises(UntrustedAnswerError):
        who(provider)


def test_a_token_that_names_no_key_may_be_by_any(fake: FakeProvider) -> None:
    """As where a provider has two and numbers neither."""
    fake.published = [another_rsa(), elliptic(), fake.key]
    fake.header = {"kid": None}
    assert who(fake.provider()).subject == "ann-1"


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
        (Told(error="access_denied"), DeniedError),
        (Told(error="access_denied", issuer=ISSUER), DeniedError),
        (Told(error="interaction_required"), DeniedError),
        (Told(), DeniedError),
        (Told(error="temporarily_unavailable"), ProviderDownError),
        (Told(error="server_error"), ProviderDownError),
        (Told("code", issuer="https://evil.example"), UntrustedAnswerError),
        (Told(error="access_denied", issuer="https://evil.example"), UntrustedAnswerError),
    ],
)
def test_what_is_brought_back_without_a_code_is_told_apart(
    fake: FakeProvider, told: Told, error: type[Exception]
) -> None:
    """Who broke it off, a provider in trouble, and an answer of another one; no code is exchanged."""
    with pytest.raises(error):
        who(fake.provider(), told)
    assert "/token" not in fake.asked


def test_a_provider_that_names_itself_always_does(fake: FakeProvider) -> None:
    """An answer without it is another one's, where the provider says that it puts it in (RFC 9207)."""
    fake.metadata = {"authorization_response_iss_parameter_supported": True}
    with pytest.raises(UntrustedAnswerError):
        who(fake.provider(), Told("code"))
    assert who(fake.provider()).subject == "ann-1"
    fake.metadata = {}
    assert who(fake.provider(), Told("code")).subject == "ann-1"


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
    fake.answers["/token"] = lambda _: httpx.Response(status, json={"error": error})
    with pytest.raises(expected):
        who(fake.provider())


def _fails(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("nobody listens")


BROKEN: dict[str, Callable[[httpx.Request], httpx.Response]] = {
    "nobody listens": _fails,
    "a server's error": lambda _: httpx.Response(500, text="oops"),
    "no object": lambda _: httpx.Response(200, json=["a list"]),
    "no JSON": lambda _: httpx.Response(200, text="<html>"),
    "no text": lambda _: httpx.Response(200, content=b"\xff\xfe\x00"),
    "deep": lambda _: httpx.Response(200, text="[" * 100_000),
    "leads in a circle": lambda request: httpx.Response(302, headers={"Location": str(request.url)}),
    "packed": lambda _: httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=Endless()),
}


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/keys"])
@pytest.mark.parametrize("answer", BROKEN.values(), ids=list(BROKEN))
def test_a_provider_that_does_not_do_its_work_is_down(
    fake: FakeProvider, path: str, answer: Callable[[httpx.Request], httpx.Response]
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
    fake.answers[path] = lambda _: httpx.Response(200, stream=endless)
    with pytest.raises(ProviderDownError):
        who(fake.provider())
    assert MOST_BYTES < endless.read <= MOST_BYTES + 2048


def test_a_provider_that_keeps_silent_is_not_waited_for(
    fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that is asked at one time has one limit; and for some seconds nobody else waits for it."""

    class Silent(httpx.AsyncByteStream):
        async def __aiter__(self) -> Any:
            yield b"{"
            await asyncio.Event().wait()

    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.05)
    now = [0.0]
    provider = Provider(SETUP, fake, lambda: now[0])
    fake.answers["/token"] = lambda _: httpx.Response(200, stream=Silent())
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
