"""Secrets of (almost) 256 random bits, whose SHA-256 the store keeps: enough for what nobody can guess."""

from __future__ import annotations

import hashlib
import secrets


def new_secret() -> str:
    """Text that nobody else has; a command takes it as a word, so it does not begin as an option does."""
    while (text := secrets.token_urlsafe(32)).startswith("-"):
        pass
    return text


def digest(secret: str) -> str:
    """What is kept of it."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
