"""The environment variables that a bot finds, and nothing besides."""

from __future__ import annotations

import os
from pathlib import Path

from bots.sdk import arena_bot

SDK = Path(arena_bot.__file__).parent
"""The folder with the kit for bots, which every Python bot can import."""


ONE_CORE = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "BLIS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "NUMBA_NUM_THREADS",
    ),
    "1",
)
"""A bot has one core, whatever the host has: with a thread for each of these a numerical library takes memory
for all of them, waits for itself, and rounds otherwise than on a smaller host."""


def environment(home: Path, packages: Path | None = None) -> dict[str, str]:
    """What a bot is told whose own folder is `home`, and which finds modules in `packages`."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
        "PYTHONPATH": os.pathsep.join(map(str, (SDK, packages) if packages else (SDK,))),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        **ONE_CORE,
    }
