"""Bots that speak another protocol than `arena/1`: started behind an adapter, and known by their files.

An adapter is a program of ours that the bot's interpreter for Python runs, in the bot's own sandbox; see
`bots.adapters`. It starts the bot as a process of its own, which it may where processes are counted
(decision 12).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from bots import adapters
from bots.adapters import PROTOCOLS, recognised
from workers.core.attempts import PAUSES_SECONDS, attempts
from workers.core.contract import Limits
from workers.core.errors import LodgingError
from workers.programs.runtimes.detection import Source
from workers.programs.runtimes.languages import PYTHON, Words
from workers.programs.runtimes.manifest import FILE, Manifest
from workers.programs.runtimes.toolchains import fill
from workers.programs.tools import run_to_end
from workers.sandbox.confinement import Confinement, Program

FOLDER = Path(adapters.__file__).parent
START = FOLDER / "start.py"
TRIAL_SECONDS = 60.0


def adapted(program: Program, source: Source, python: Words) -> Program:
    """`program` behind the adapter of the protocol that its manifest names; itself where that names none."""
    manifest = source.manifest
    if manifest.protocol is None:
        return program
    interpreter = fill(("{python}",), python, {}) or python
    command = (*program.command, *(manifest.arguments or ()))
    if source.language is PYTHON:
        command = ("{python}", *command[len(interpreter) :])
    return program._replace(
        command=(*interpreter, str(START), _options(manifest), *command),
        readable=(*program.readable, FOLDER),
    )


def _options(manifest: Manifest) -> str:
    """What the adapter is told, without what nobody has said; a template it gets in full."""
    said = manifest.model_dump(include={"protocol", "moves", "depth", "lines"}, exclude_none=True)
    return json.dumps(said)


def starts_processes(confinement: Confinement) -> bool:
    """Whether bots may start processes here, as an adapter must; where it fails it is tried again.

    Raises:
        LodgingError: a program that tries it does not get to its end now.
        LaunchError: no bot can be started here.
    """
    trial = Program(("/bin/sh", "-c", "/bin/true; exit 0"))
    status = None
    for _ in attempts(*PAUSES_SECONDS):
        status = run_to_end(confinement, trial, Limits(), TRIAL_SECONDS).status
        if status == 0:
            return True
    if status is None or status < 0:
        raise LodgingError("a program that tries whether bots may start processes here was killed")
    return False


def hint(files: Mapping[str, bytes], entry: str) -> str:
    """What to write into `bot.toml` for a bot that looks like one of another protocol; empty otherwise."""
    name = recognised(files, entry)
    if name is None:
        return ""
    return (
        f'it looks like a bot for {PROTOCOLS[name].title}: with a {FILE} that says protocol = "{name}"'
        " it plays here as it is (docs/adapters.md)"
    )
