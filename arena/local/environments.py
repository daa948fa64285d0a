"""Environments of this machine: building, listing and removing them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from arena.local.errors import InputError
from workers.core.errors import PackagesError
from workers.core.settings import get_settings
from workers.programs import environment_builds
from workers.programs.environments import Environment, environments, trouble_with
from workers.sandbox.confinement import CONFINES, Confinement


class Listed(NamedTuple):
    """An environment, and why bots cannot use it here; None if they can."""

    environment: Environment
    trouble: str | None


def build(name: str, packages: Sequence[str], files: Sequence[Path], wheels: Path | None) -> Environment:
    """Build an environment of packages that are named here or in files, each with its version.

    Raises:
        InputError: it cannot be built.
    """
    try:
        wanted = environment_builds.read_list([*packages, *map(_text, files)])
        return environment_builds.build(
            name, wanted, wheels=wheels, python=_python(), confinement=_confinement()
        )
    except PackagesError as error:
        raise InputError(str(error)) from None


def list_all() -> list[Listed]:
    """All environments of this machine."""
    python, confinement = _python(), _confinement()
    return [Listed(each, trouble_with(each, confinement, python)) for each in environments()]


def remove(word: str) -> list[Environment]:
    """Remove what `NAME` or `NAME@DIGEST` names.

    Raises:
        InputError: there is no such environment.
    """
    name, _, digest = word.partition("@")
    try:
        return environment_builds.remove(name, digest or None)
    except PackagesError as error:
        raise InputError(str(error)) from None


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file} is no text in UTF-8") from None


def _python() -> tuple[str, ...]:
    return tuple(shlex.split(get_settings().bot_python))


def _confinement() -> Confinement | None:
    """What bots run in; None where they run as other programs do."""
    if not CONFINES:
        return None
    from workers.sandbox.levels import ByTrust

    return ByTrust()
