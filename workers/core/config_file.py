"""Settings that stand in a file, `arena.toml`, beside the environment, which goes before it.

It is the file that ARENA_CONFIG names (empty: none), else the one in the data folder. Its keys are
the variables' names without `ARENA_`, in small letters.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from workers.core.data_dir import DATA_DIR_VARIABLE, USUAL_DATA_DIR
from workers.core.errors import SettingsError

CONFIG_VARIABLE = "ARENA_CONFIG"
NAME = "arena.toml"
OUTSIDE = ("config", "data_dir", "tables_dir")
"""Where the file is looked for, and what is needed by those who know of no file."""
OF_ITS_OWNER = ("bot_python", "ca", "token", "url")
"""What is started outside of a sandbox, and who is told a token: no folder that is only found says that."""


def config_file(data_dir: Path | None = None) -> Path | None:
    """The file for that data folder, else for the one that is in use; None where there is none.

    Raises:
        SettingsError: the variable names one that is not there.
    """
    if (named := os.environ.get(CONFIG_VARIABLE)) is not None:
        if named and not Path(named).is_file():
            raise SettingsError(f"{CONFIG_VARIABLE}={named} cannot be used: there is no such file")
        return Path(named) if named else None
    path = (data_dir or Path(os.environ.get(DATA_DIR_VARIABLE) or USUAL_DATA_DIR)) / NAME
    return path if path.is_file() else None


def file_values(data_dir: Path | None = None) -> dict[str, Any]:
    """What stands in that file; nothing where there is none.

    Raises:
        SettingsError: it cannot be read, is no TOML, or says what it may not.
    """
    path = config_file(data_dir)
    if path is None:
        return {}
    try:
        values = dict(_parsed(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:  # also where it is not UTF-8
        raise SettingsError(f"{path} is not TOML: {error}") from None
    named = data_dir or os.environ.get(CONFIG_VARIABLE) or os.environ.get(DATA_DIR_VARIABLE)
    if not named and (theirs := [key for key in OF_ITS_OWNER if key in values]):
        raise SettingsError(
            f"{path}: {', '.join(theirs)} cannot stand in a file that is only found here, as it may come "
            f"with somebody's bot; name it with {CONFIG_VARIABLE} if it is yours"
        )
    return values


@lru_cache(maxsize=4)
def _parsed(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415  (for who has such a file)

    return tomllib.loads(text)


def check_file(known: Iterable[str], data_dir: Path | None = None) -> None:
    """Make sure that every key of the file is one that somebody reads.

    Raises:
        SettingsError: some are not; the message has a line for each, with the one that was likely meant.
    """
    names = [name for name in known if name not in OUTSIDE]
    path = config_file(data_dir)
    strange = [key for key in file_values(data_dir) if key not in names]
    if strange:
        raise SettingsError("\n".join(f"{path}: {_unknown(key, names)}" for key in strange))


def _unknown(key: str, names: Iterable[str]) -> str:
    if key in OUTSIDE:
        return f"{key} cannot stand in the file; set ARENA_{key.upper()}"
    close = difflib.get_close_matches(key.lower().removeprefix("arena_"), names, n=1, cutoff=0.6)
    meant = f"did you mean {close[0]}?" if close else "`arena config` lists the settings"
    return f"{key} is no setting of the arena; {meant}"


def unset_values(data_dir: Path | None) -> dict[str, Any]:
    """What stands in the file and not in the environment, which goes before it."""
    return {
        key: value
        for key, value in file_values(data_dir).items()
        if not {f"ARENA_{key.upper()}", f"ARENA_{key.upper()}_FILE"} & os.environ.keys()
    }


def as_variables(data_dir: Path) -> dict[str, str]:
    """The file as variables of the environment, without those that are set; for started processes."""
    return {
        f"ARENA_{key.upper()}": value if isinstance(value, str) else json.dumps(value)
        for key, value in unset_values(data_dir).items()
    }
