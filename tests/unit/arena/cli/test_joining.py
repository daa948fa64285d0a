"""A machine joins as a worker host."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.cli.shared.failures import CliError
from arena.cli.staff import worker
from arena.client import http
from arena.client.errors import SilentError
from arena.core.errors import ConflictError
from workers.core.enrolment import ARENA, OWN
from workers.core.settings import get_settings
from workers.core.signing import new_key, read_key


def test_who_joins_again_has_a_new_key(
    environment: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of a host which was revoked is of no more use; where the arena refuses, all stays as it was.

    Who does not hear what it answered is told that it may have believed the key.
    """
    environment(key_dir=str(tmp_path / "keys"))
    assert get_settings().key_dir == tmp_path / "keys"
    keys, arena = list[str](), new_key().public
    refuses: Exception | None = None

    def enrol(_: str, host: str, key: str) -> SimpleNamespace:
        if refuses:
            raise refuses
        keys.append(key)
        return SimpleNamespace(host=host, arena_key=arena, trusted=True, settings={})

    asked = SimpleNamespace(enrol_worker=enrol)
    monkeypatch.setattr(http, "ArenaClient", lambda *_, **_options: nullcontext(asked))
    for _ in range(2):
        worker.join("code", service=False)
    refuses = ConflictError("it is to be revoked first")
    with pytest.raises(ConflictError):
        worker.join("code", service=False)
    refuses = SilentError("the connection broke")
    with pytest.raises(CliError, match=r"broke: .*`arena worker revoke pc-7`.*new code"):
        worker.join("code", host="pc-7", service=False)
    assert (len({*keys}), read_key(tmp_path / "keys" / OWN).public) == (2, keys[-1])
    assert (tmp_path / "keys" / ARENA).read_text() == f"{arena} {socket.gethostname()}\n"
