"""Compiles what is written in C into the packages, where there is a C compiler.

Elsewhere Python does it, but for the searches for Reversi, which are then not there.

Puts the kit for bots into the wheel as a module of its own, too, as bots import it. A wheel with compiled
modules belongs to its platform and its Python; one without is for all. The catalogues of the command line are
compiled, too, as it reads them by the standard library's gettext.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGUES = "arena/core/locale/*/LC_MESSAGES/arena.po"
KIT = Path("bots/sdk/arena_bot.py")
SOURCES = (
    "engines/_reversi.c",
    "engines/_search.c",
    "engines/_estimate.c",
    "engines/_training.c",
    "workers/play/_exchange.c",
)


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling is there only while it builds
    """Puts each module beside its source."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and have the wheel carry what came of it, and the kit once more at its top."""
        del version
        self._copies = tempfile.TemporaryDirectory()  # a file that is named to the wheel stands nowhere else
        kit = shutil.copy(Path(self.root) / KIT, self._copies.name)
        build_data["force_include"][str(kit)] = KIT.name
        built = [path for source in SOURCES if (path := compiled(Path(self.root) / source))]
        catalogues = [translated(path) for path in sorted(Path(self.root).glob(CATALOGUES))]
        build_data["artifacts"] += [
            f"/{path.relative_to(self.root).as_posix()}" for path in (*built, *catalogues)
        ]
        if built:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


def translated(source: Path) -> Path:
    """The catalogue as gettext reads it, beside the one that people write."""
    target = source.with_suffix(".mo")
    partial = target.with_suffix(f".{os.getpid()}")
    with source.open("rb") as messages, partial.open("wb") as file:
        write_mo(file, read_po(messages, abort_invalid=True))
    partial.replace(target)
    return target


def compiled(source: Path) -> Path | None:
    """The module made of `source`; None, said in a line, where it cannot be made."""
    target = source.with_name(source.stem + sysconfig.get_config_var("EXT_SUFFIX"))
    shared = ["-undefined", "dynamic_lookup", "-bundle"] if sys.platform == "darwin" else ["-shared"]
    compiler = shlex.split(os.environ.get("CC", "cc"))
    include = f"-I{sysconfig.get_path('include')}"
    partial = target.with_suffix(f".{os.getpid()}")  # the finished one replaces what may be in use
    options = ["-O3", "-fPIC", "-std=c11", "-ffp-contract=off"]  # fused operations would round otherwise
    command = [*compiler, *options, *shared, include, "-o", str(partial), str(source), "-lm"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", None) or str(error)
        sys.stderr.write(
            f"{source.name} is not compiled; Python does its work, or it is not there: {reason}\n"
        )
        target.unlink(missing_ok=True)
        return None
    partial.replace(target)
    return target
