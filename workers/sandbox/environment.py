"""The environment variables that a bot finds, and nothing besides."""

from __future__ import annotations

from pathlib import Path

from bots.sdk import arena_bot

SDK = Path(arena_bot.__file__).parent
"""The folder with the kit for bots, which every Python bot can import."""


def environment(home: Path) -> dict[str, str]:
    """What a bot is told whose own folder is `home`."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
        "PYTHONPATH": str(SDK),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }
