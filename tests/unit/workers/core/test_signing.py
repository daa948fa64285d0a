"""Keys, signatures, and messages that are none."""

from __future__ import annotations

import json
import os
import socket
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workers.core import enrolment
from workers.core.errors import NotEnrolledError
from workers.core.poison import MAX_BYTES, PoisonError, Unfit, read, told_in
from workers.core.signing import changed_key, is_key, new_key, read_key, read_or_make_key, signer_of


def test_a_signature_is_of_one_key_and_one_message() -> None:
    """Whatever is changed, in the message or the signature, nobody has signed it."""
    key, other = new_key(), new_key()
    told = ("results", "arena.record", "7", "e30=")
    signature = key.signature(*told)
    assert signer_of(signature, *told) == key.public
    for place in range(4):
        changed = [*told]
        changed[place] += "A"
        assert signer_of(signature, *changed) is None
    stolen = f"{other.public}:{signature.partition(':')[2]}"
    for wrong in (None, 7, "", ":", key.public, stolen, signature[:-4], f"{signature}x", "é:é"):
        assert signer_of(wrong, *told) is None


def test_a_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    """Who asks again has the same; what is no key is not taken for one."""
    path = tmp_path / "keys" / "key"
    made = read_or_make_key(path).public
    assert (read_or_make_key(path).public, read_key(path).public) == (made, made)
    assert (path.stat().st_mode & 0o777, [each.name for each in path.parent.iterdir()]) == (0o600, ["key"])
    assert (is_key(made), is_key(made.upper()), is_key("7"), is_key("é")) == (True, False, False, False)
    path.write_text("no key")
    with pytest.raises(ValueError, match="non-hexadecimal"):
        read_key(path)


def test_a_key_is_changed_only_for_one_that_is_of_use(tmp_path: Path) -> None:
    """Where nobody takes the new one the old one stays; it is never without one."""
    path = tmp_path / "key"
    before = read_or_make_key(path).public
    with pytest.raises(ZeroDivisionError), changed_key(path):
        raise ZeroDivisionError
    assert read_key(path).public == before
    with changed_key(path) as made:
        assert read_key(path).public == before
    assert read_key(path).public == made.public != before
    assert (path.stat().st_mode & 0o777, [each.name for each in tmp_path.iterdir()]) == (0o600, ["key"])


def test_a_key_that_could_not_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk there is neither a key, whole or in part, nor anything beside it; later one is made."""

    def full(_: int) -> None:
        raise OSError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="no room"):
            read_or_make_key(tmp_path / "key")
    assert [*tmp_path.iterdir()] == []
    read_or_make_key(tmp_path / "key")


def test_a_host_with_another_name_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: Callable[..., None]
) -> None:
    """Its workers would be believed in nothing: they do not start, and say why."""
    environment(key_dir=str(tmp_path))
    public = new_key().public
    enrolment.write_arena_key(tmp_path, public, "pc-7")
    monkeypatch.setattr(socket, "gethostname", lambda: "pc-7")
    assert enrolment.arena_key.__wrapped__() == public
    monkeypatch.setattr(socket, "gethostname", lambda: "pc-8")
    with pytest.raises(NotEnrolledError, match="enrolled as 'pc-7' and is called 'pc-8' now"):
        enrolment.arena_key.__wrapped__()


@pytest.mark.parametrize("name", [enrolment.ARENA, f"{enrolment.ARENA}.new"])
def test_whom_a_host_works_for_is_not_written_through_links(tmp_path: Path, name: str) -> None:
    """Root writes it into a folder that the workers' user owns."""
    (tmp_path / "shadow").write_text("root")
    (tmp_path / name).symlink_to(tmp_path / "shadow")
    enrolment.write_arena_key(tmp_path, "f" * 64, "pc-7")
    assert (tmp_path / "shadow").read_text() == "root"
    assert (tmp_path / enrolment.ARENA).read_text() == f"{'f' * 64} pc-7\n"
    assert not (tmp_path / enrolment.ARENA).is_symlink()


def _message(told: Any = None, **changes: Any) -> dict[str, Any]:
    body = b64encode(json.dumps([[], {"a": 1}, {"chain": None}] if told is None else told).encode()).decode()
    return {
        "body": body,
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": {"task": "t", "id": "i"},
        "properties": {"delivery_tag": "d"},
        **changes,
    }


def test_a_message_is_read() -> None:
    """A message is read with its signer, who is nobody on another queue or without a signature."""
    key, message = new_key(), _message()
    message["properties"]["signature"] = key.signature("q", "t", "i", message["body"])
    order = read(json.dumps(message).encode())
    assert (order.task, order.id, told_in(order.body), order.signer("q")) == ("t", "i", {"a": 1}, key.public)
    assert (order.signer("other"), read(json.dumps(_message()).encode()).signer("q")) == (None, None)


SHAPELESS: tuple[Any, ...] = (
    *(7, [], {}, _message(headers=[]), _message(properties=7)),
    *(_message(headers={"task": "t"}), _message(headers={"task": 7, "id": "i"})),
    _message(headers={"task": "t", "id": "i", "compression": "gzip"}),
    _message(headers={"task": "t", "id": "i", "eta": "2100-01-01"}),
    *(_message(**{"content-type": "application/x-python-serialize"}), _message(body=7)),
    *(_message(body="!"), _message(body="/w=="), _message(properties={"delivery_tag": 7})),
    *(_message(7), _message([]), _message([[], 7, {}]), _message([[7], {}, {}])),
    *(_message([[], {}, 7]), _message([[], {}, {"chain": [7]}])),
)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b" " * (MAX_BYTES + 1), Unfit.TOO_LARGE),
        (b"\xff", Unfit.NO_JSON),
        (b"[" * 100_000, Unfit.NO_JSON),
        *((json.dumps(each).encode(), Unfit.SHAPE) for each in SHAPELESS),
    ],
)
def test_what_is_no_message_is_none(raw: bytes, why: Unfit) -> None:
    """It is told what is wrong with it, and nothing else happens."""
    with pytest.raises(PoisonError) as caught:
        told_in(read(raw).body)
    assert caught.value.why == why
