"""A provider by which people sign in, and whom it vouches for."""

from __future__ import annotations

import asyncio

import pytest

from arena.people.provider import AuthorizationResponse, Person, Provider
from tests.integration.arena.people.fake_provider import ISSUER, QUESTION, FakeProvider

GOOD = AuthorizationResponse("code", issuer=ISSUER)


@pytest.fixture
def fake() -> FakeProvider:
    """A provider that answers as it should, until a test wants something else."""
    return FakeProvider()


def who(provider: Provider, told: AuthorizationResponse = GOOD) -> Person:
    """Whom the provider vouches for."""
    return asyncio.run(provider.who(QUESTION, told))
