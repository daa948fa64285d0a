"""Who sent a message: each host of workers has a key of its own, and so has the arena.

What a message says is signed where it is sent, and verified where it is taken in: whoever reaches the broker
can read what stands there, but says nothing in the name of somebody else.
"""

from __future__ import annotations

import os
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PURPOSE: Final = b"bot-arena message 1"


class SigningKey:
    """A private key; `public` is by which others know it."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw().hex()

    def signature(self, queue: str, task: str, name: str, body: str) -> str:
        """What goes with a message to that queue, so that others know whose it is."""
        signed = self._private.sign(_signed(queue, task, name, body))
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
        with _fresh(path) as (_, fresh), suppress(FileExistsError):  # somebody else was faster: theirs it is
            path.hardlink_to(fresh)
    return read_key(path)


@contextmanager
def changed_key(path: Path) -> Iterator[SigningKey]:
    """A new key, which takes the place of the one in a file once the block is left without an error.

    Raises:
        OSError: it cannot be written; known before the block is entered.
    """
    with _fresh(path) as (key, fresh):
        yield key
        fresh.replace(path)


@contextmanager
def _fresh(path: Path) -> Iterator[tuple[SigningKey, Path]]:
    """A new key, and its file beside `path`, which is gone afterwards."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    private = Ed25519PrivateKey.generate()
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123  (a descriptor, opened privately)
            file.write(private.private_bytes_raw().hex() + "\n")
            file.flush()
            os.fsync(descriptor)
        yield SigningKey(private), Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def signer_of(signature: object, queue: str, task: str, name: str, body: str) -> str | None:
    """The public key of whoever signed a message to that queue; None where nobody did, or something else."""
    if not isinstance(signature, str):
        return None
    public, _, signed = signature.partition(":")
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(b64decode(signed, validate=True), _signed(queue, task, name, body))
    except (ValueError, InvalidSignature):
        return None
    return public


def is_key(public: str) -> bool:
    """Whether that is a public key."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).public_bytes_raw().hex() == public
    except ValueError:
        return False


def _signed(queue: str, task: str, name: str, body: str) -> bytes:
    return b"\0".join((PURPOSE, *map(str.encode, (queue, task, name, body))))
