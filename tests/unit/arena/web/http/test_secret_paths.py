"""The log of requests without secrets."""

from __future__ import annotations

import logging

import pytest

from arena.web.http.secret_paths import hide_secrets


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/feed/arena_abc", "/feed/[secret]"),
        ("/feed/arena_abc?lang=en", "/feed/[secret]?lang=en"),
        ("/sign-in/link/xyz", "/sign-in/link/[secret]"),
        ("/join?code=ABCDE-23456&lang=en", "/join?code=[secret]&lang=en"),
        ("/sign-in/openid/callback?state=a&code=xyz", "/sign-in/openid/callback?state=a&code=[secret]"),
        ("/tournaments/feed", "/tournaments/feed"),
    ],
)
def test_addresses_are_told_without_their_secrets(
    path: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever reads the log can neither read a feed nor sign in, and still sees what was asked for."""
    hide_secrets()
    log = logging.getLogger("uvicorn.access")
    log.addHandler(caplog.handler)
    before = log.level
    log.setLevel(logging.INFO)
    log.info('%s - "%s %s HTTP/%s" %d', "127.0.0.1:5", "GET", path, "1.1", 200)
    log.setLevel(before)
    log.removeHandler(caplog.handler)
    assert f"GET {told} HTTP" in caplog.text
