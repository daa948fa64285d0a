"""Signatures of webhooks as Standard Webhooks 1.0 has them (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac


def signed(secret: str, message: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers of a message of that id, sent at that second."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{message}.{timestamp}.".encode() + body
    signature = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }
