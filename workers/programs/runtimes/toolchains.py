"""What this host can build and run: found out by asking each tool for its version where bots run.

A tool that the host has but the sandbox cannot reach (one under somebody's home folder, say) is not there.
"""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

from workers.core.attempts import attempts
from workers.core.contract import Limits
from workers.core.errors import LaunchError, LodgingError, NoConfinementError
from workers.programs.runtimes.languages import LANGUAGES, Language, Words
from workers.programs.tools import run_to_end
from workers.sandbox import confinement
from workers.sandbox.confinement import Confinement, Program
from workers.sandbox.staging import SYSTEM

PATH = "/usr/local/bin:/usr/bin:/bin"
PROBE_SECONDS = 60.0
PAUSES_SECONDS = 1.0, 5.0
"""Before all tools are asked again that failed, were killed, or could not be started: the host may have had
no room just then, and what is found is believed for as long as the process runs."""
PROBE_LIMITS = Limits(memory_mb=2048, open_files=256, cpu_seconds=60)
MAX_CHARS = 200
MAPS = Path(confinement.__file__).with_name("whole.maps")
"""A map of memory by which a stack may lie anywhere: C's library only looks there where its own one ends."""

log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())  # a command says nothing of it


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
    return _versions([language], confinement, python).get(language.name)


def lacking(language: Language) -> str:
    """Why a language is not run here, of which `version_of` tells nothing: which tool, and where it is."""
    for name in _names(language):
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
    return _versions(LANGUAGES.values(), confinement, python)


def _versions(languages: Collection[Language], confinement: Confinement, python: Words) -> dict[str, str]:
    """The versions of those languages whose tools start; the others are asked again, all after one pause."""
    versions = dict[str, str]()
    for _ in attempts(*PAUSES_SECONDS):
        for language in languages:
            try:
                if said := _said(language, confinement, python):
                    versions[language.name] = said
            except LodgingError:
                raise
            except NoConfinementError:
                return versions
            except LaunchError as error:
                log.warning("a tool of %s did not start: %s", language.title, error)
        languages = [each for each in languages if each.name not in versions and _is_within_reach(each)]
        if not languages:
            break
    return versions


def _names(language: Language) -> list[str]:
    """The tools of a language that are found by their names."""
    tools = [language.home_of, *(probe[0] for probe in language.probes)]
    return [tool for tool in tools if tool and not set(tool) & set("/{")]


def _is_within_reach(language: Language) -> bool:
    """Whether all tools of a language are there, where bots get to."""
    places = map(tool_path, _names(language))
    return all(place is not None and _is_reached(place) for place in places)


def _is_reached(tool: str) -> bool:
    """Whether a tool lies where bots get to."""
    return any(Path(tool).is_relative_to(folder) for folder in SYSTEM)


def _said(language: Language, confinement: Confinement, python: Words) -> str | None:
    """What the tools of a language say of themselves; None where one is missing.

    Raises:
        LaunchError: one cannot be started, was killed, or fails.
    """
    programs = [program_of(language, probe, python) for probe in language.probes]
    return "; ".join(_first_line(each, confinement) for each in programs if each) if all(programs) else None


def _first_line(program: Program, confinement: Confinement) -> str:
    """What a tool says first; raises as `_said` does."""
    ran = run_to_end(confinement, program, PROBE_LIMITS, PROBE_SECONDS)
    said = ran.stdout.head.strip() or ran.stderr.head.strip()
    words = re.sub(r"\s+", " ", said.partition("\n")[0])[:MAX_CHARS]
    if ran.status != 0 or not words:
        ended = ran.stopped or f"it ended with status {ran.status}"
        raise LaunchError(f"{program.command[0]}: {ended}, and said {words!r}")
    return words
