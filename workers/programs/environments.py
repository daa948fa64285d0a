"""Environments: packages that Python bots find on this host, built once and never changed.

Each is a folder below that of its name, called by the digest of what is in it; the link `current` names the
one that was built last. What plays with an older one finds it for as long as it is not removed.
"""

from __future__ import annotations

import json
import logging
import os
import re
from pathlib import Path
from typing import NamedTuple

from workers.core.attempts import PAUSES_SECONDS, attempts
from workers.core.contract import Limits
from workers.core.errors import LaunchError, LodgingError, UnsupportedError
from workers.core.settings import get_settings
from workers.programs.runtimes.languages import EXACTLY, PYTHON, Words, with_environment
from workers.programs.runtimes.manifest import ENVIRONMENT
from workers.programs.tools import run_to_end
from workers.sandbox.confinement import Confinement, Program

ABOUT, SITE, CURRENT = "environment.json", "site", "current"
DIGEST = r"[0-9a-f]{16}"
RESERVE_MB = 512
"""Address space that compiled packages reserve and do not use, where only that can be limited."""
LOOK_SECONDS = 60.0
VERSION = (
    "import os, platform, sys; os.listdir(sys.argv[1]); "
    "print(platform.python_implementation(), '%d.%d' % sys.version_info[:2] + sys.abiflags)"
)
"""What an interpreter is for compiled packages; it sees the folder that it is given, or fails."""
MAX_TOLD = 200

log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())  # a command says nothing of it


class Environment(NamedTuple):
    """Packages in `folder`, such as `numpy==2.1.3`, for Pythons that say that they are `python`."""

    name: str
    digest: str
    python: str
    packages: tuple[str, ...]
    folder: Path

    @property
    def site(self) -> Path:
        """Where Python finds them."""
        return self.folder / SITE

    @property
    def word(self) -> str:
        """What its host says that it has."""
        return f"{with_environment(PYTHON.name, self.name)}{EXACTLY}{self.digest}"

    @property
    def is_current(self) -> bool:
        """Whether it is the one that its name means on this host."""
        return os.path.realpath(self.folder.parent / CURRENT) == os.path.realpath(self.folder)

    @property
    def told(self) -> str:
        """What is in it, for people; of a long list how it begins."""
        words = ", ".join([self.python, *self.packages])
        return words if len(words) <= MAX_TOLD else f"{words[: MAX_TOLD - 1]}…"


def environments() -> list[Environment]:
    """All that were built on this host, by name, the current one of each first."""
    found = [read(path) for name in _named(folder_of(), ENVIRONMENT) for path in _named(name, DIGEST)]
    return sorted(filter(None, found), key=lambda each: (each.name, not each.is_current, each.digest))


def _named(folder: Path, pattern: str) -> list[Path]:
    """What a folder has under such names; nothing of what is no folder, or none that we may look into."""
    try:
        return [path for path in folder.iterdir() if re.fullmatch(pattern, path.name)]
    except OSError:
        return []


def folder_of(name: str = "") -> Path:
    """Where environments are kept, or those of a name."""
    return get_settings().environments_dir.absolute() / name


def read(folder: Path) -> Environment | None:
    """The environment in a folder; None where it is not whole."""
    try:
        about = json.loads((folder / ABOUT).read_bytes())
        packages = tuple(map(str, about["packages"]))
        found = Environment(folder.parent.name, folder.name, str(about["python"]), packages, folder)
        return found if found.site.is_dir() else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def find(name: str, digest: str | None = None) -> Environment:
    """The environment that is meant, the current one of that name without a digest.

    Raises:
        UnsupportedError: it is not on this host.
    """
    here = environments()
    of_name = [each for each in here if each.name == name]
    for each in of_name:
        if each.digest == digest or (digest is None and each.is_current):
            return each
    if of_name and digest is None:
        raise UnsupportedError(
            f"which of the environments {name} of this host is meant is not known any more; build it again"
            " (`arena env build`)"
        )
    if of_name:
        have = ", ".join(each.digest for each in of_name)
        raise UnsupportedError(
            f"the environment {name} of this host is not the one that is asked for: it has {have}, and is to"
            f" have {digest}"
        )
    known = ", ".join(sorted({each.name for each in here})) or "none"
    raise UnsupportedError(
        f"there is no environment {name} on this host; there are: {known} "
        f"(`arena env build {name} PACKAGE==VERSION` makes one)"
    )


def trouble_with(environment: Environment, confinement: Confinement | None, python: Words) -> str | None:
    """Why bots cannot use an environment here; None if they can, or nothing confines them.

    Raises:
        LodgingError: nothing can be started now, whatever it is.
    """
    if confinement is None:
        return None
    command = (*python, "-c", VERSION, str(environment.site))
    program = Program(command, packages=environment.site, reserve_mb=RESERVE_MB)
    try:
        ran = run_to_end(confinement, program, Limits(), LOOK_SECONDS)
    except LodgingError:
        raise
    except LaunchError as error:
        return str(error)
    if ran.status != 0:
        return f"bots do not get to {environment.site}: {ran.stderr.head.strip()[-200:]}"
    if (found := ran.stdout.head.strip()) != environment.python:
        return (
            f"the environment {environment.name} was built for {environment.python}, and bots are run by"
            f" {found}; build it again: arena env build {environment.name} {' '.join(environment.packages)}"
        )
    return None


def offered(confinement: Confinement, python: Words) -> dict[str, str]:
    """The environments that bots can use on this host, each with what is in it; what fails is tried again.

    Raises:
        LodgingError: nothing can be started now, whatever it is.
    """
    usable, left = dict[str, str](), environments()
    for _ in attempts(*PAUSES_SECONDS):
        for each in list(left):
            if trouble := trouble_with(each, confinement, python):
                log.warning("bots cannot use the environment %s: %s", each.word, trouble)
            else:
                usable[each.word] = each.told
                left.remove(each)
        if not left:
            break
    return usable
