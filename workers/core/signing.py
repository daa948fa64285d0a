"""Who sent a message: each host of workers has a key of its own, and so has the arena.

What a message says is signed where it is sent, and verified where it is taken in: whoever reaches the broker
can read what stands there, but says nothing in the name of somebody else.
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

KEY_CHARS: Final = 64
"""So long is a public key as text, in hexadecimal."""
PURPOSE: Final = b"bot-arena message 1"


class SigningKey:
    """A private key; `public` is by which others know it."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw().hex()

    def signature(self, task: str, name: str, body: str) -> str:
        """What goes with a message, so that others know whose it is."""
        signed = self._private.sign(_signed(task, name, body))
        return f"{self.public}:{b64encode(signed).decode()}"


def new_key() -> SigningKey:
    """A key that nobody else has."""
    return SigningKey(Ed25519PrivateKey.generate())


def read_key(path: Path) -> SigningKey:
    """The key in a file.

    Raises:
        OSError: it cannot be read.
        ValueError: that is no key.
    """
    return SigningKey(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text("ascii").strip())))


def read_or_make_key(path: Path) -> SigningKey:
    """The key in a file, which is made where there is none; only its owner may read it.

    Raises:
        OSError, ValueError: as `read_key`, or it cannot be written.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123  (a descriptor, opened privately)
            file.write(Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n")
        try:
            path.hardlink_to(fresh)
        except FileExistsError:  # somebody else was faster: theirs it is
            pass
        finally:
            fresh.unlink()
    return read_key(path)


def signer_of(signature: object, task: str, name: str, body: str) -> str | None:
    """The public key of whoever signed a message; None where nobody did, or something else."""
    if not isinstance(signature, str):
        return None
    public, _, signed = signature.partition(":")
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(b64decode(signed, validate=True), _signed(task, name, body))
    except (ValueError, InvalidSignature):
        return None
    return public


def is_key(public: str) -> bool:
    """Whether that is a public key."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).public_bytes_raw().hex() == public
    except ValueError:
        return False


def _signed(task: str, name: str, body: str) -> bytes:
    return b"\0".join((PURPOSE, task.encode(), name.encode(), body.encode("ascii")))
