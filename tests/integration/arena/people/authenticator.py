"""A device that keeps passkeys, for tests: what a browser would send of it, right or wrong."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """One passkey, and how often it was used. A device that is not `verified` did not ask for its owner."""

    origin: str = "https://teacher.local:8443"
    verified: bool = True
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    handle: bytes = b""
    count: int = 0
    _key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: dict[str, Any]) -> str:
        """What a browser sends of a new passkey."""
        self.handle = base64url_to_bytes(options["user"]["id"])
        numbers = self._key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        told = b"\0" * 16 + len(self.credential_id).to_bytes(2, "big") + self.credential_id
        data = self._data(options["rp"]["id"], ATTESTED) + told + cbor2.dumps(public)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._sent(
            {
                "clientDataJSON": self._client("webauthn.create", options),
                "attestationObject": attestation,
            }
        )

    def show(self, options: dict[str, Any]) -> str:
        """What a browser sends to sign in."""
        self.count += 1
        client, data = self._client("webauthn.get", options), self._data(options["rpId"])
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._sent(
            {
                "clientDataJSON": client,
                "authenticatorData": data,
                "signature": signature,
                "userHandle": self.handle,
            }
        )

    def _data(self, host: str, flags: int = 0) -> bytes:
        flags |= PRESENT | (VERIFIED if self.verified else 0)
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        told = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return json.dumps(told).encode()

    def _sent(self, response: dict[str, bytes]) -> str:
        name = bytes_to_base64url(self.credential_id)
        parts = {key: bytes_to_base64url(value) for key, value in response.items()}
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": parts})
