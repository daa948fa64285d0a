"""Every setting that is in force here, and where it comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import SecretStr
from pydantic_settings import BaseSettings

from arena.client.credentials import find_credentials
from arena.core.folder import DataFolder
from workers.core.config_file import OUTSIDE, config_file, unset_values
from workers.core.configuration import FILE, read_settings, variable_of
from workers.core.escape import without_password
from workers.core.settings import ELSEWHERE, WorkerSettings, check_names, known_names

MASKED = "***"


class InForce(NamedTuple):
    """A setting, its value in words that tell no secret, and where it comes from."""

    name: str
    value: str | None
    source: str


def settings_in_force(folder: DataFolder, *, by_option: bool) -> list[InForce]:
    """All of them by name; those of a server only where one is installed.

    `by_option` says that the folder was named by --data.

    Raises:
        SettingsError: one cannot be used, or is nobody's.
    """
    check_names(folder.named)
    told = (*_of_workers(folder.named), *_of_server(folder.named), *_elsewhere(folder.named))
    found = {each.name: each for each in told}
    if by_option:
        found["data_dir"] = InForce("data_dir", str(folder.root), "--data")
    return [found[name] for name in sorted(found)]


def has_server() -> bool:
    """Whether the settings of a server can be told here."""
    try:
        import arena.core.settings  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


def _of_workers(named: Path | None) -> Iterator[InForce]:
    yield from _told(read_settings(WorkerSettings, named), named)


def _of_server(named: Path | None) -> Iterator[InForce]:
    if has_server():
        from arena.core.settings import read

        yield from _told(read(named), named)


def _told(settings: BaseSettings, named: Path | None) -> Iterator[InForce]:
    for name in type(settings).model_fields:
        yield InForce(name, _shown(getattr(settings, name)), _source(name, named))


def _elsewhere(named: Path | None) -> Iterator[InForce]:
    credentials = find_credentials(named=named)
    of_login = {
        "url": credentials.url,
        "token": MASKED if credentials.token else None,
        "ca": credentials.ca,
        "config": config_file(named),
        "tables_dir": os.environ.get(variable_of("tables_dir")),
    }
    for name in ELSEWHERE:
        source = _source(name, named)
        if source == "default" and name in {"url", "token", "ca"} and of_login[name] is not None:
            source = credentials.source
        yield InForce(name, _shown(of_login[name]), source)


def _source(name: str, named: Path | None) -> str:
    """The variable, the file of a secret, or the file with settings; else the default."""
    variable = variable_of(name)
    for each in (variable, f"{variable}{FILE}"):
        if each in os.environ and (each == variable or f"{name}_file" in known_names()):
            return each
    return str(config_file(named)) if name not in OUTSIDE and name in unset_values(named) else "default"


def _shown(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, SecretStr):
        return MASKED
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    return without_password(str(value)) if "://" in str(value) else str(value)
