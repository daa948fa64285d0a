"""From a stored archive to the program that this host starts: fetched, unpacked and built once.

A build runs in the sandbox like a bot, with limits of its own, in a copy of the bot's files. What it leaves
in that folder is kept under a key made of the archive's hash, the language's lines and the version of its
tools, so that nothing is built twice and a new compiler builds anew. Nothing of a failed build is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from bots.adapters import PROTOCOLS
from engines.locking import try_lock
from workers.core.contract import Limits
from workers.core.errors import BuildError, UnsupportedError
from workers.core.halt import Halt
from workers.core.scratch import close_folder, remove_tree, work_folder
from workers.core.stderr import Stderr
from workers.programs.adapting import adapted, hint, starts_processes
from workers.programs.archive_cache import ArchiveCache
from workers.programs.environments import RESERVE_MB, Environment, find, trouble_with
from workers.programs.runtimes.detection import Source, find_source
from workers.programs.runtimes.languages import Words
from workers.programs.runtimes.toolchains import lacking, program_of, version_of
from workers.programs.tools import Ran, is_larger, run_to_end
from workers.sandbox.confinement import Confinement, Program

BUILD_SECONDS: Final = 120.0
BUILD_LIMITS: Final = Limits(
    memory_mb=2048, file_mb=128, disk_mb=256, open_files=1024, cpu_seconds=240, processes=128
)
MAX_BUILT_BYTES: Final = 64 * 1024 * 1024
MAX_WORK_BYTES: Final = 512 * 1024 * 1024
"""What may lie in the folder while a build runs, with all that the compiler keeps for itself."""

MAX_DEPTH: Final = 100
"""So deep the folders of what a build left may stand in each other."""

PAUSE_SECONDS: Final = 0.05
"""Between two looks at whether another process still builds the same."""

SILENCE: Final = Stderr("", "", 0)


class Built(NamedTuple):
    """A bot that is ready to run here. `said` is what its build said, nothing when it was built before."""

    program: Program
    source: Source
    version: str
    said: Stderr


class BuildCache:
    """Makes programs of stored bots. `confinement` gives what builds and probes run in."""

    def __init__(
        self, cache: ArchiveCache, folder: Path, confinement: Callable[[], Confinement], python: Words
    ) -> None:
        self._cache = cache
        self._folder = folder
        self._confinement = confinement
        self._python = python
        self._versions: dict[str, str] = {}
        self._sources: dict[str, Source] = {}
        self._starts_processes = False
        self._usable: set[Environment] = set()

    def program(
        self, sha: str, halt: Halt | None = None, exactly: Mapping[str, str] | None = None
    ) -> Program:
        """What starts the bot of that archive, with environments of these digests, else the current ones.

        Raises:
            ArchiveMissingError: the store cannot give it.
            UnsupportedError: this host does not run its language, or has not its environment.
            BuildError: it does not build.
            HaltError: `halt` broke its build off.
        """
        return self.build(sha, halt, exactly).program

    def source(self, sha: str) -> Source:
        """What the files of that archive are.

        Raises:
            ArchiveMissingError: the store cannot give it.
        """
        if sha not in self._sources:
            self._sources[sha] = find_source(_files(self._cache.unpacked(sha)))
        return self._sources[sha]

    def hint(self, sha: str) -> str:
        """Which protocol the bot of that archive may speak that its manifest does not name; or nothing.

        Raises:
            ArchiveMissingError: the store cannot give it.
        """
        source = self.source(sha)
        files = _files(self._cache.unpacked(sha))
        return "" if source.manifest.protocol else hint(files, source.entry)

    def build(self, sha: str, halt: Halt | None = None, exactly: Mapping[str, str] | None = None) -> Built:
        """The same, with what came of it; raises likewise."""
        files, source = self._cache.unpacked(sha), self.source(sha)
        language = source.language
        version = self._versions.get(language.name)
        if version is None:
            version = version_of(language, self._confinement(), self._python)
        if version is None:
            raise UnsupportedError(f"this host does not run {language.title}: {lacking(language)}")
        self._versions[language.name] = version
        said = SILENCE
        if language.build:
            files, said = self._built(files, self._folder / _key(sha, source, version), source, halt)
        stem = source.entry.rpartition("/")[2].partition(".")[0]
        names = {"entry": source.entry, "stem": stem, "base": source.entry.rpartition(".")[0]}
        program = program_of(language, language.run, self._python, files, **names)
        if program is None:
            raise UnsupportedError(f"the tools for {language.title} are not on this host any more")
        if source.manifest.environment is not None:
            packages = self._environment(source.manifest.environment, exactly or {})
            version = f"{version}; {packages.told} ({packages.digest})"
            program = program._replace(packages=packages.site, reserve_mb=RESERVE_MB)
        return Built(self._adapted(program, source), source, version, said)

    def _adapted(self, program: Program, source: Source) -> Program:
        """The program, behind an adapter if it speaks another protocol."""
        if source.adapted:
            if not self._starts_processes:
                self._starts_processes = starts_processes(self._confinement())
            if not self._starts_processes:
                title = PROTOCOLS[str(source.manifest.protocol)].title
                raise UnsupportedError(
                    f"this host does not run bots for {title}: an adapter starts them as processes, which"
                    " bots here may not; it takes bubblewrap and a control group that counts memory"
                )
        return adapted(program, source, self._python)

    def _environment(self, name: str, exactly: Mapping[str, str]) -> Environment:
        found = find(name, exactly.get(name))
        if found not in self._usable:
            if trouble := trouble_with(found, self._confinement(), self._python):
                raise UnsupportedError(trouble)
            self._usable.add(found)
        return found

    def _built(self, files: Path, target: Path, source: Source, halt: Halt | None) -> tuple[Path, Stderr]:
        close_folder(self._folder)
        if target.is_dir():
            return target, SILENCE
        with _locked(target.with_suffix(".lock"), halt):
            if target.is_dir():  # another process of this host was faster
                return target, SILENCE
            work = work_folder()
            fresh = Path(tempfile.mkdtemp(prefix=".built-", dir=self._folder))
            try:
                said = self._run(files, work, source, halt)
                _settle(work, said)
                shutil.copytree(work, fresh, dirs_exist_ok=True, copy_function=shutil.copy)
                fresh.replace(target)
            finally:
                remove_tree(work.parent)
                remove_tree(fresh)
        return target, said

    def _run(self, files: Path, work: Path, source: Source, halt: Halt | None) -> Stderr:
        shutil.copytree(files, work, dirs_exist_ok=True, copy_function=shutil.copyfile)
        for folder, _, names in os.walk(work):
            Path(folder).chmod(0o700)
            for name in names:
                Path(folder, name).chmod(0o600)
        language = source.language
        script = f"exec >&2\n{language.build}"
        words = ("sh", "-c", "{script}", "build", "{entry}", "{home}")
        program = program_of(language, words, self._python, script=script, entry=source.entry)
        if program is None:
            raise UnsupportedError(f"this host has no shell to build {language.title} with")
        ran = run_to_end(
            self._confinement(),
            program,
            BUILD_LIMITS,
            BUILD_SECONDS,
            writable=work,
            most_bytes=MAX_WORK_BYTES,
            halt=halt,
        )
        _check(ran, work, source)
        return ran.stderr


def _files(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _check(ran: Ran, work: Path, source: Source) -> None:
    title = source.language.title
    if ran.stopped:
        raise BuildError(f"the build of this {title} bot was stopped: {ran.stopped}", ran.stderr)
    if ran.status != 0:
        raise BuildError(f"the build of this {title} bot ended with status {ran.status}", ran.stderr)
    if is_larger(work, MAX_BUILT_BYTES):
        raise BuildError(f"the build made more than {MAX_BUILT_BYTES} bytes", ran.stderr)
    made = source.language.run[0].removeprefix("{folder}/")
    if made != source.language.run[0]:
        program = work / made
        if program.is_symlink() or not program.is_file():
            raise BuildError(f"the build made no program {made!r}", ran.stderr)
        program.chmod(0o700)  # a linker may not do that at every level of confinement


def _key(sha: str, source: Source, version: str) -> str:
    language = source.language
    about = json.dumps([sha, language.name, language.build, source.entry, version])
    return hashlib.sha256(about.encode()).hexdigest()


def _settle(top: Path, said: Stderr) -> None:
    """Make what a build left fit to be read and changed by nobody: plain files in folders, of plain modes.

    A link could lead a reader out of the folder, so it goes, with everything else that is neither.

    Raises:
        BuildError: a folder cannot be looked into, for its mode or the length of its path; or folders stand
            deeper in each other than can be copied.
    """

    def give_up(error: OSError) -> None:
        raise BuildError(f"the build left a folder that cannot be read: {error.strerror}", said)

    for folder, folders, names in os.walk(top, topdown=False, onerror=give_up):
        if folder.count(os.sep) - str(top).count(os.sep) > MAX_DEPTH:
            raise BuildError(f"the build left folders more than {MAX_DEPTH} deep", said)
        for path in (Path(folder, name) for name in (*names, *folders)):
            mode = path.lstat().st_mode
            if stat.S_ISREG(mode):
                path.chmod(0o555 if mode & stat.S_IXUSR else 0o444)
            elif not stat.S_ISDIR(mode):
                path.unlink()
        Path(folder).chmod(0o700 if folder == str(top) else 0o555)


@contextmanager
def _locked(path: Path, halt: Halt | None) -> Iterator[None]:
    """Hold a lock that the processes of this host share; `halt` ends the wait for it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not try_lock(descriptor):
            if halt:
                halt.check()
            time.sleep(PAUSE_SECONDS)
        yield
    finally:
        os.close(descriptor)
