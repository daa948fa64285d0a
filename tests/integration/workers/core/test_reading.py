"""Archives that a host may only read."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena.core.settings
from tests.small_disk import mounted
from workers.core.configuration import read_settings
from workers.core.errors import SettingsError
from workers.core.settings import WorkerSettings


def test_a_worker_needs_no_more_than_to_read_the_archives(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On another host they may be there for reading only; who takes bots in must write."""
    with mounted(tmp_path, "1m,ro"):
        monkeypatch.setenv("ARENA_ARCHIVE_URL", tmp_path.as_uri())
        read_settings(WorkerSettings)
        with pytest.raises(SettingsError, match="cannot be made or used"):
            read_settings(arena.core.settings.Settings)
