"""From a bot's files to the language that it is written in and the file that starts it."""

from __future__ import annotations

import platform
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from bots.adapters import PROTOCOLS
from workers.core.errors import ArchiveError, Flaw
from workers.programs.runtimes.languages import (
    ADAPTED,
    LANGUAGES,
    PYTHON,
    STATIC,
    Language,
    with_environment,
)
from workers.programs.runtimes.manifest import FILE, Manifest, read_manifest

ELF = b"\x7fELF"
MACHINES = {"x86_64": 62, "aarch64": 183}
PT_INTERP = 3


@dataclass(frozen=True)
class Source:
    """What a bot's files are: a language, the file that starts it, and what its manifest says besides."""

    language: Language
    entry: str
    manifest: Manifest

    @property
    def word(self) -> str:
        """What it is written in: the language, and the environment if it names one."""
        return with_environment(self.language.name, self.manifest.environment)

    @property
    def adapted(self) -> bool:
        """Whether an adapter starts it as a process of its own."""
        name = self.manifest.protocol
        return name is not None and not PROTOCOLS[name].imported

    @property
    def needs(self) -> str:
        """What a host needs for it."""
        return self.word + (ADAPTED if self.adapted else "")


def find_source(files: Mapping[str, bytes]) -> Source:
    """What the files of a bot are.

    Raises:
        ArchiveError: that cannot be told, or `bot.toml` does not fit the files.
    """
    manifest = read_manifest(files[FILE]) if FILE in files else Manifest()
    language, entry = _chosen(files, manifest)
    if language is STATIC:
        _check_static(files[entry])
    if manifest.protocol and PROTOCOLS[manifest.protocol].imported and language is not PYTHON:
        raise ArchiveError(
            f"{FILE} names the protocol {manifest.protocol}, which is for Python; {entry[:80]!r} is"
            f" {language.title}",
            Flaw.MANIFEST,
        )
    if manifest.environment is not None and language is not PYTHON:
        raise ArchiveError(
            f"{FILE} names the environment {manifest.environment!r}, and the bot is in {language.title}; "
            "only Python bots have one",
            Flaw.MANIFEST,
        )
    return Source(language, entry, manifest)


def _chosen(files: Mapping[str, bytes], manifest: Manifest) -> tuple[Language, str]:
    if manifest.entry is not None and manifest.entry not in files:
        raise ArchiveError(
            f"{FILE} names the entry {manifest.entry[:80]!r}, and there is no such file", Flaw.MANIFEST
        )
    if manifest.language is not None:
        language = LANGUAGES[manifest.language]
        entry = manifest.entry or _entry(language, files)
        if entry is None:
            raise ArchiveError(
                f"{FILE} says {language.title}, but there is no {' or '.join(language.entries)}; "
                f"give the file that starts your bot that name, or name it as the entry in {FILE}",
                Flaw.NO_MAIN,
            )
        return language, entry
    if manifest.entry is not None:
        return _by_suffix(manifest.entry), manifest.entry
    candidates = _candidates(files)
    if not candidates:
        raise ArchiveError(
            "there is no file that starts a bot at the top: "
            f"{', '.join(each.entries[0] for each in LANGUAGES.values())}; "
            f"name yours so, or write a {FILE} with its language and entry",
            Flaw.NO_MAIN,
        )
    if len(candidates) > 1:
        names = ", ".join(entry for _, entry in candidates)
        raise ArchiveError(
            f"each of {names} could start the bot; say which in a {FILE}: language = ...", Flaw.SEVERAL_MAINS
        )
    return candidates[0]


def _candidates(files: Mapping[str, bytes]) -> list[tuple[Language, str]]:
    """What could start the bot: usual names before any others, sources before a program made of them.

    What a language becomes that another language runs goes before its sources: it was a bot before they were.
    """
    sources = [language for language in LANGUAGES.values() if language is not STATIC]
    for languages, look in ((sources, _marked), (sources, _entry), ([STATIC], _marked)):
        found = {each: entry for each in languages if (entry := look(each, files))}
        names = {each.name for each in found}
        if found:
            return [(each, entry) for each, entry in found.items() if each.becomes not in names]
    return []


def _by_suffix(entry: str) -> Language:
    suffix = PurePosixPath(entry).suffix
    for language in LANGUAGES.values():
        if suffix in language.suffixes or entry in language.entries:
            return language
    raise ArchiveError(
        f"what language {entry[:80]!r} is in cannot be told; add language = ... to {FILE}", Flaw.MANIFEST
    )


def _marked(language: Language, files: Mapping[str, bytes]) -> str | None:
    """The preferred one of the language's usual entries that are there."""
    return next((entry for entry in language.entries if entry in files), None)


def _entry(language: Language, files: Mapping[str, bytes]) -> str | None:
    """The usual entry, else any source at the top where the language takes that."""
    marked = _marked(language, files)
    if marked is not None or not language.any_name:
        return marked
    at_top = sorted(name for name in files if "/" not in name and name.endswith(language.suffixes))
    sources = [name for name in at_top if not name.endswith(language.declares)]
    named = any("{stem}" in word or "{base}" in word for word in language.run)
    several = len(sources) > 1 and named
    return sources[0] if sources and not several else None


def _check_static(program: bytes) -> None:
    """Refuse a program that could not run without libraries, or not on a machine like this."""
    try:
        if program[:4] != ELF or program[4:6] != b"\x02\x01":
            raise ArchiveError(f"{STATIC.entries[0]!r} is no 64-bit Linux program (ELF)", Flaw.PROGRAM)
        (machine,) = struct.unpack_from("<H", program, 18)
        (table,) = struct.unpack_from("<Q", program, 32)
        size, count = struct.unpack_from("<HH", program, 54)
        kinds = {struct.unpack_from("<I", program, table + size * number)[0] for number in range(count)}
    except (struct.error, OverflowError):
        raise ArchiveError(f"{STATIC.entries[0]!r} is a damaged program", Flaw.PROGRAM) from None
    wanted = MACHINES.get(platform.machine())
    if wanted is not None and machine != wanted:
        raise ArchiveError(
            f"{STATIC.entries[0]!r} is built for another machine than {platform.machine()}", Flaw.PROGRAM
        )
    if PT_INTERP in kinds:
        raise ArchiveError(
            f"{STATIC.entries[0]!r} needs shared libraries; link it with -static", Flaw.PROGRAM
        )
