"""What this host can build and run: found out by asking each tool for its version where bots run.

A tool that the host has but the sandbox cannot reach (one under somebody's home folder, say) is not there.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

import structlog

from workers.core.contract import Limits
from workers.core.errors import LaunchError, LodgingError
from workers.programs.runtimes.languages import LANGUAGES, Language, Words
from workers.programs.tools import run_to_end
from workers.sandbox import confinement
from workers.sandbox.confinement import Confinement, Program
from workers.sandbox.staging import SYSTEM

PATH = "/usr/local/bin:/usr/bin:/bin"
PROBE_SECONDS = 60.0
PAUSES_SECONDS = 1.0, 5.0
"""Before a tool is asked again that was killed, or could not be started where others can: the host may have
had no room just then, and what is found is believed for as long as the process runs."""
PROBE_LIMITS = Limits(memory_mb=2048, open_files=256, cpu_seconds=60)
MAX_CHARS = 200
MAPS = Path(confinement.__file__).with_name("whole.maps")
"""A map of memory by which a stack may lie anywhere: C's library only looks there where its own one ends."""

log = structlog.get_logger()


def tool_path(name: str) -> str | None:
    """The file that a tool's name means to a bot, with all links followed; None where there is none."""
    path = shutil.which(name, path=PATH)
    return str(Path(path).resolve()) if path else None


def fill(words: Words, python: Words, fields: Mapping[str, str]) -> Words | None:
    """A command of a language with its fields filled in; None where this host has no such tool."""
    filled: list[str] = []
    for word in words:
        filled += python if word == "{python}" else [word.format_map(fields)]
    first = tool_path(filled[0]) if "/" not in filled[0] else filled[0]
    return (first, *filled[1:]) if first else None


def readable_of(language: Language) -> tuple[Path, ...]:
    """What a bot of that language must be able to read besides the system's programs and its own files."""
    return tuple(path for pattern in language.reads for path in sorted(Path("/").glob(pattern.lstrip("/"))))


def home_of(language: Language) -> str:
    """Where the tool is installed that the language names for that; empty where there is none."""
    path = tool_path(language.home_of) if language.home_of else None
    return str(Path(path).parent.parent) if path else ""


def program_of(
    language: Language, words: Words, python: Words, files: Path | None = None, **fields: str
) -> Program | None:
    """A program with what it must be able to read; None where this host has no such tool."""
    command = fill(words, python, {"home": home_of(language), "folder": str(files), **fields})
    if command is None or (language.home_of and not home_of(language)):
        return None
    reads = (files, *readable_of(language)) if files else readable_of(language)
    maps = (MAPS,) if language.asks_maps else ()
    itself = tool_path(language.asks_itself) if language.asks_itself else None
    return Program(
        command,
        (*reads, *maps),
        reserve_mb=language.reserve_mb,
        itself=itself or "",
        maps="".join(map(str, maps)),
    )


def version_of(language: Language, confinement: Confinement, python: Words) -> str | None:
    """The version of the language's tools on this host; None where one is missing or does not start.

    Raises:
        LodgingError: nothing can be started now, whatever it is.
    """
    lines = []
    for probe in language.probes:
        program = program_of(language, probe, python)
        line = program and _first_line(program, confinement)
        if not line:
            return None
        lines.append(line)
    return "; ".join(lines)


def lacking(language: Language) -> str:
    """Why a language is not run here, of which `version_of` tells nothing: which tool, and where it is."""
    tools = [language.home_of, *(probe[0] for probe in language.probes)]
    for name in (tool for tool in tools if tool and not set(tool) & set("/{")):
        for_bots, elsewhere = tool_path(name), shutil.which(name)
        place = for_bots or (str(Path(elsewhere).resolve()) if elsewhere else None)
        if place is None:
            return f"there is no {name} in {PATH}"
        if for_bots is None or not _is_reached(place):
            return (
                f"its {name} is {place}, where bots do not get to; install it for all users, below /usr, "
                "with a package of the system for instance"
            )
    where = ", which has to be bubblewrap's sandbox for it" if language.asks_maps else ""
    return f"its tools do not start where bots run{where}"


def find_toolchains(confinement: Confinement, python: Words) -> dict[str, str]:
    """Every language that this host can build and run, with the version of its tools.

    Raises:
        LodgingError: nothing can be started now, whatever it is.
    """
    versions = {name: version_of(language, confinement, python) for name, language in LANGUAGES.items()}
    return {name: version for name, version in versions.items() if version}


def _is_reached(tool: str) -> bool:
    """Whether a tool lies where bots get to."""
    return any(Path(tool).is_relative_to(folder) for folder in SYSTEM)


def _first_line(program: Program, confinement: Confinement) -> str | None:
    """What a tool says first, which is asked again where it need not last that it says nothing."""
    for pause in (*PAUSES_SECONDS, None):
        try:
            return _asked(program, confinement)
        except LodgingError:
            raise
        except LaunchError as error:
            log.warning("a tool did not start", command=program.command, reason=str(error))
            if pause is None or not _is_reached(program.command[0]):
                break
            time.sleep(pause)
    return None


def _asked(program: Program, confinement: Confinement) -> str | None:
    """What a tool says first; None where it fails.

    Raises:
        LaunchError: it cannot be started, or was killed.
    """
    ran = run_to_end(confinement, program, PROBE_LIMITS, PROBE_SECONDS)
    if ran.status is None or ran.status < 0:
        raise LaunchError(ran.stopped or f"it was killed by signal {-(ran.status or 0)}")
    words = re.sub(r"\s+", " ", (ran.stdout.head.strip() or ran.stderr.head.strip()).partition("\n")[0])
    return words[:MAX_CHARS] if ran.status == 0 and words else None
