"""Refusals that a broker keeps."""

from __future__ import annotations

import pytest
import redis

from workers.host.refusals import KEPT_SECONDS, Refusals


class Kept:
    """What redis-py would keep, with how long."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}

    def set(self, key: str, value: int, ex: int) -> None:
        """Keep the key for so many seconds."""
        del value
        self.values[key] = ex

    def exists(self, key: str) -> int:
        """Whether it is kept."""
        return int(key in self.values)

    def close(self) -> None:
        """Nothing is held open."""


def test_a_token_is_refused_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only that token, not for ever, and nothing is kept that cannot be one."""
    kept = Kept()
    monkeypatch.setattr(redis.Redis, "from_url", lambda *_, **__: kept)
    refusals = Refusals("redis://localhost/0")
    refusals.refuse("one")
    refusals.refuse("x" * 1000)
    assert [refusals.refused(token) for token in ("one", "other", "x" * 1000)] == [True, False, False]
    assert list(kept.values.values()) == [KEPT_SECONDS]
    refusals.close()
