"""What a worker host is told when it is enrolled: lines `NAME=VALUE` of a file, the same for all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from workers.core import tracing
from workers.core.configuration import check_variables
from workers.core.errors import SettingsError
from workers.core.settings import WorkerSettings

OTHER_PREFIXES = ("AWS_", tracing.PREFIX)
"""What a store at `s3://` is reached by, and a collector of traces."""
OF_EACH_HOST = ("key_dir",)
SPECIAL, ESCAPED = re.compile(r'["\\$`]'), r"\\\g<0>"
LINE = re.compile(r"([A-Za-z_]\w*)=(.+)", re.ASCII)


def read_environment(path: Path) -> dict[str, str]:
    """The variables of such a file; lines that are empty or begin with `#` say nothing.

    Raises:
        SettingsError: it cannot be read, or names what a worker has no use for.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise SettingsError(f"ARENA_WORKER_SETTINGS_FILE={path} cannot be read: {why}") from None
    found = {}
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or line.startswith("#"):
            continue
        fields = LINE.fullmatch(line)
        if fields is None or not line.isprintable():
            raise SettingsError(f"ARENA_WORKER_SETTINGS_FILE={path}: line {number} is not NAME=VALUE")
        found[fields[1]] = fields[2]
    check_told(found)
    return found


def check_told(told: Mapping[str, str]) -> None:
    """Make sure that all of that is for workers.

    Raises:
        SettingsError: some is not; a host that obeyed could be made to do what nobody meant.
    """
    ours = {name: value for name, value in told.items() if not name.startswith(OTHER_PREFIXES)}
    if strange := sorted(name for name in ours if not name.startswith("ARENA_")):
        raise SettingsError(f"{', '.join(strange)} is nothing that worker hosts are told")
    check_variables((name for name in WorkerSettings.model_fields if name not in OF_EACH_HOST), ours)
    if bad := sorted(name for name, value in told.items() if not value.isprintable()):
        raise SettingsError(f"{', '.join(bad)} has signs that cannot be written in a line")


def as_lines(told: Mapping[str, str]) -> str:
    """The variables as systemd and shells read them."""
    return "".join(f'{name}="{SPECIAL.sub(ESCAPED, value)}"\n' for name, value in told.items())
