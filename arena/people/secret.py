"""Secrets of 256 random bits, of which the store keeps the SHA-256: enough for what nobody can guess."""

from __future__ import annotations

import hashlib
import secrets


def new_secret() -> str:
    """Text that nobody else has."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """What is kept of it."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
