"""A token tells who somebody is only if the provider has signed it, for this arena and this question."""

from __future__ import annotations

import base64
import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from arena.people import id_tokens
from arena.people.id_tokens import SKEW_SECONDS
from arena.people.provider import UntrustedAnswerError
from tests.integration.arena.people.conftest import who
from tests.integration.arena.people.fake_provider import FakeProvider, another_rsa, elliptic

NOW = 1_800_000_000
"""The time that it is in these tests, for both sides, in seconds."""


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


@pytest.fixture
def fake(fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    """The provider, where it is `NOW` however long ago the tests began."""
    fake.now = lambda: NOW
    monkeypatch.setattr(id_tokens, "utc_now", lambda: dt.datetime.fromtimestamp(NOW, dt.UTC))
    return fake


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
    fake.answers["/keys"] = lambda _: httpx2.Response(200, json={"keys": keys})


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


def test_clocks_may_differ_a_little(fake: FakeProvider) -> None:
    """A token that is made in a minute or ended just less than a minute ago is good; in two it is not."""
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
    fake.answers["/keys"] = lambda _: httpx2.Response(200, json=keys)
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
