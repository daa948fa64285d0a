"""Secrets that people pass on as words of a command."""

from __future__ import annotations

import secrets

import pytest

from arena.people.secret import digest, new_secret


def test_a_secret_is_no_option_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that would begin with a dash is drawn again: `arena worker join CODE` takes every code as it is."""
    drawn = iter(["-d0keP", "--url", "0keP-d"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: next(drawn))
    assert new_secret() == "0keP-d"


def test_no_two_secrets_are_alike() -> None:
    """Nor what is kept of them, which does not tell them."""
    made = [new_secret() for _ in range(1000)]
    assert len(set(map(digest, made))) == len(made)
    assert not any(secret in digest(secret) for secret in made)
