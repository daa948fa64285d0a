"""The settings of a school's provider are taken as they are meant, or refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core import settings
from arena.core.openid import OpenIdSetup, openid_setup
from workers.core.errors import SettingsError

Give = Callable[..., None]
KNOWN = {"oidc_issuer": "https://login.school.example/realm", "oidc_client_id": "arena"}


def setup() -> OpenIdSetup | None:
    """What the environment sets up."""
    return openid_setup(settings.read())


def test_without_an_issuer_there_is_none(environment: Give) -> None:
    """Which is how it is, unless somebody wants it."""
    environment()
    assert setup() is None


def test_an_issuer_and_a_client_are_enough(environment: Give) -> None:
    """The provider is called by its host, and the arena is a public client."""
    environment(**KNOWN)
    assert setup() == OpenIdSetup(
        issuer=KNOWN["oidc_issuer"],
        client_id="arena",
        client_secret=None,
        name="login.school.example",
        scopes=("openid", "profile"),
    )


def test_everything_can_be_said(environment: Give, tmp_path: Path) -> None:
    """Lists with commas, a claim with its value, the secret from a file; domains need the e-mail address."""
    file = tmp_path / "secret"
    file.write_text("s3cret\n")
    environment(
        **KNOWN,
        oidc_client_secret_file=str(file),
        oidc_name="陽光高中",
        oidc_scopes="openid  groups openid",
        oidc_domains="School.example, gapp.school.example",
        oidc_claim="groups=a=b",
        oidc_address="https://Arena.school.example:8443/",
        oidc_prompt="select_account",
    )
    assert setup() == OpenIdSetup(
        issuer=KNOWN["oidc_issuer"],
        client_id="arena",
        client_secret="s3cret",
        name="陽光高中",
        scopes=("openid", "groups", "email"),
        domains=("school.example", "gapp.school.example"),
        claim=("groups", "a=b"),
        address="https://arena.school.example:8443",
        prompt="select_account",
    )


def test_a_secret_is_not_shown(environment: Give) -> None:
    """Neither by the settings nor by what is made of them."""
    environment(**KNOWN, oidc_client_secret="s3cret")
    read = settings.read()
    assert openid_setup(read) is not None
    assert "s3cret" not in repr(read) + repr(openid_setup(read))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"oidc_issuer": "http://login.school.example"}, "ARENA_OIDC_ISSUER=.* cannot be used"),
        ({"oidc_issuer": "login.school.example"}, "ARENA_OIDC_ISSUER=.* cannot be used"),
        ({"oidc_issuer": "https://me:pass@login.school.example"}, "ARENA_OIDC_ISSUER=.* cannot be used"),
        ({"oidc_issuer": "https://login.school.example?x=1"}, "ARENA_OIDC_ISSUER=.* cannot be used"),
        ({"oidc_issuer": "https://login.school.example:port"}, "ARENA_OIDC_ISSUER=.* cannot be used"),
        ({"oidc_client_id": ""}, "ARENA_OIDC_CLIENT_ID= cannot be used"),
        ({"oidc_client_secret": ""}, "the secret of the OpenID client is empty"),
        ({"oidc_client_secret": "s", "oidc_client_secret_file": "/s"}, "and not both"),
        ({"oidc_client_secret_file": "/nowhere/secret"}, "ARENA_OIDC_CLIENT_SECRET_FILE=.* cannot be read"),
        ({"oidc_scopes": "profile"}, "ARENA_OIDC_SCOPES=profile cannot be used"),
        ({"oidc_scopes": 'openid "all"'}, "ARENA_OIDC_SCOPES=.* cannot be used"),
        ({"oidc_domains": "school"}, "ARENA_OIDC_DOMAINS=school cannot be used"),
        ({"oidc_domains": ","}, "ARENA_OIDC_DOMAINS=, cannot be used"),
        ({"oidc_claim": "groups"}, "ARENA_OIDC_CLAIM=groups cannot be used"),
        ({"oidc_claim": "=students"}, "ARENA_OIDC_CLAIM==students cannot be used"),
        ({"oidc_address": "https://arena.example/sign-in"}, "ARENA_OIDC_ADDRESS=.* cannot be used"),
        ({"oidc_address": "http://arena.example"}, "ARENA_OIDC_ADDRESS=.* cannot be used"),
        ({"oidc_prompt": "none"}, "ARENA_OIDC_PROMPT=none cannot be used"),
    ],
)
def test_what_cannot_be_used_is_refused(environment: Give, given: dict[str, str], words: str) -> None:
    """Before anything starts, with the variable and what is wrong with it."""
    environment(**KNOWN | given)
    with pytest.raises(SettingsError, match=words):
        settings.read()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"oidc_issuer": "https://login.school.example"}, "ARENA_OIDC_ISSUER needs ARENA_OIDC_CLIENT_ID"),
        ({"oidc_client_secret": "s"}, "ARENA_OIDC_CLIENT_SECRET without ARENA_OIDC_ISSUER"),
        ({"oidc_client_id": "arena", "oidc_name": "x"}, "ARENA_OIDC_CLIENT_ID, ARENA_OIDC_NAME without"),
    ],
)
def test_half_of_it_is_refused(environment: Give, given: dict[str, str], words: str) -> None:
    """Otherwise somebody would believe that the school signs in."""
    environment(**given)
    with pytest.raises(SettingsError, match=words):
        settings.read()


def test_this_machine_needs_no_https(environment: Give) -> None:
    """Addresses of this machine are taken without HTTPS."""
    environment(**KNOWN | {"oidc_issuer": "http://localhost:9000", "oidc_address": "http://127.0.0.1:8080"})
    found = setup()
    assert found is not None
    assert (found.issuer, found.address) == ("http://localhost:9000", "http://127.0.0.1:8080")
