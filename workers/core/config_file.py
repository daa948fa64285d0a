"""Settings that stand in a file, `arena.toml`, beside the environment, which goes before it.

It is the file that ARENA_CONFIG names (empty: none); else `arena.toml` in the data folder that an option or
ARENA_DATA_DIR names; where no folder is named, `arena.toml` in the user's own settings. One that merely lies
below the working folder is never read, for it may have come with somebody's bot. Its keys are the variables'
names without `ARENA_`, in small letters.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from engines.places import user_folder
from workers.core.data_dir import DATA_DIR_VARIABLE
from workers.core.errors import SettingsError

CONFIG_VARIABLE = "ARENA_CONFIG"
NAME = "arena.toml"
OUTSIDE = ("config", "data_dir", "tables_dir")
"""Where the file is looked for, and what is needed by those who know of no file."""


def config_file(named: Path | None = None) -> Path | None:
    """The file for the data folder that was named, by the environment unless here; None where there is none.

    Raises:
        SettingsError: ARENA_CONFIG names one that is not there.
    """
    if (file := os.environ.get(CONFIG_VARIABLE)) is not None:
        if file and not Path(file).is_file():
            raise SettingsError(f"{CONFIG_VARIABLE}={file} cannot be used: there is no such file")
        return Path(file).absolute() if file else None
    folder = named or os.environ.get(DATA_DIR_VARIABLE)
    if not folder:
        return _of_the_user()
    path = Path(folder).absolute() / NAME
    return path if path.is_file() else None


def _of_the_user() -> Path | None:
    """The user's own file, if there is one; there is none where the home is nobody's, or closed to us."""
    try:
        path = user_folder("config", "arena") / NAME
        return path if path.is_file() else None
    except (RuntimeError, PermissionError):
        return None


@contextmanager
def for_all(named: Path | None) -> Iterator[None]:
    """Have also those parts of this process read that file which do not know the folder."""
    before = os.environ.get(CONFIG_VARIABLE)
    os.environ[CONFIG_VARIABLE] = str(config_file(named) or "")
    try:
        yield
    finally:
        if before is None:
            del os.environ[CONFIG_VARIABLE]
        else:
            os.environ[CONFIG_VARIABLE] = before


def file_values(named: Path | None = None) -> dict[str, Any]:
    """What stands in that file; nothing where there is none.

    Raises:
        SettingsError: it cannot be read, or is no TOML.
    """
    path = config_file(named)
    if path is None:
        return {}
    try:
        return dict(_parsed(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(
            f"{path} is not UTF-8 (PowerShell's > writes UTF-16; `Set-Content -Encoding utf8` does not)"
        ) from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path} is not TOML: {error}") from None


@lru_cache(maxsize=4)
def _parsed(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415  (for who has such a file)

    return tomllib.loads(text)


def check_file(known: Iterable[str], named: Path | None = None) -> None:
    """Make sure that every key of the file is one that somebody reads.

    Raises:
        SettingsError: some are not; the message has a line for each, with the one that was likely meant.
    """
    names = [name for name in known if name not in OUTSIDE]
    path = config_file(named)
    strange = [key for key in file_values(named) if key not in names]
    if strange:
        raise SettingsError("\n".join(f"{path}: {_unknown(key, names)}" for key in strange))


def _unknown(key: str, names: Iterable[str]) -> str:
    if key in OUTSIDE:
        return f"{key} cannot stand in the file; set ARENA_{key.upper()}"
    close = difflib.get_close_matches(key.lower().removeprefix("arena_"), names, n=1, cutoff=0.6)
    meant = f"did you mean {close[0]}?" if close else "`arena config` lists the settings"
    return f"{key} is no setting of the arena; {meant}"


def unset_values(named: Path | None) -> dict[str, Any]:
    """What stands in the file and not in the environment, which goes before it."""
    return {
        key: value
        for key, value in file_values(named).items()
        if not {f"ARENA_{key.upper()}", f"ARENA_{key.upper()}_FILE"} & os.environ.keys()
    }


def as_variables(named: Path | None) -> dict[str, str]:
    """The file as variables of the environment, without those that are set; for started processes."""
    return {
        f"ARENA_{key.upper()}": value if isinstance(value, str) else json.dumps(value)
        for key, value in unset_values(named).items()
    }
