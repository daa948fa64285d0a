"""Building an environment: wheels of a pinned list, laid out by pip or uv, looked through, and then fixed.

That is for whoever administers the host. Nothing of the packages is run before it is tried in the sandbox:
only wheels are taken, which are unpacked, and nothing is compiled from source.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath
from typing import Final

from engines.locking import try_lock
from workers.core.contract import Limits
from workers.core.errors import PackagesError
from workers.core.scratch import remove_tree
from workers.programs.environments import (
    ABOUT,
    CURRENT,
    RESERVE_MB,
    SITE,
    VERSION,
    Environment,
    environments,
    folder_of,
    read,
    trouble_with,
)
from workers.programs.runtimes.languages import Words
from workers.programs.runtimes.manifest import ENVIRONMENT, MAX_ENVIRONMENT_CHARS
from workers.programs.tools import run_to_end
from workers.sandbox.confinement import Confinement, Program
from workers.sandbox.staging import is_reachable

MOST: Final = 8
"""So many environments a host has at most: the queues that it looks into grow with their square."""
TRY_SECONDS: Final = 120.0
PINNED: Final = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._, -]+\])?"
    r"\s*==\s*[A-Za-z0-9][A-Za-z0-9.!+_-]*(?:\s*;[^\\]*?)?(?P<hashes>(?:\s+--hash=[a-z0-9]+:[0-9a-f]+)*)"
)
INSTALLERS_OWN: Final = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json", "uv_cache.json"}
"""What of a package's description depends on how it came here."""
MAX_SAID: Final = 2000


def read_list(texts: Iterable[str]) -> list[str]:
    """The lines of a list of requirements, each of one package in one version, some with hashes.

    Raises:
        PackagesError: one is anything else, or there is none.
    """
    whole = "\n".join(texts).replace("\\\n", " ")
    lines = [re.sub(r"(^|\s)#.*", "", line).strip() for line in whole.splitlines()]
    lines = [line for line in lines if line]
    for line in lines:
        if not PINNED.fullmatch(line):
            raise PackagesError(
                f"{line[:80]!r} does not say which version; write each package as NAME==VERSION"
                " (no other options, files or addresses are taken)"
            )
    if not lines:
        raise PackagesError("name the packages, each as NAME==VERSION, or a file of them with -r")
    return lines


def build(
    name: str, wanted: list[str], *, wheels: Path | None, python: Words, confinement: Confinement | None
) -> Environment:
    """Build the environment of that name, which then is the current one; only from `wheels` if that is given.

    Raises:
        PackagesError: it cannot be built, or does not work; nothing is left then.
    """
    if not re.fullmatch(ENVIRONMENT, name):
        raise PackagesError(
            f"{name[:40]!r} is no name of an environment: that is at most {MAX_ENVIRONMENT_CHARS} characters"
            " a-z, 0-9 and -, of which the first is a letter"
        )
    if wheels is not None and not wheels.is_dir():
        raise PackagesError(f"there is no folder {wheels}")
    with _changing() as folder:
        work = Path(tempfile.mkdtemp(prefix=".building-", dir=folder))
        try:
            work.chmod(0o755)
            return _keep(name, work, _made(name, work, wanted, wheels, python), python, confinement)
        except OSError as error:
            raise PackagesError(f"the environment {name} cannot be kept in {folder}: {error}") from None
        finally:
            remove_tree(work)


def remove(name: str, digest: str | None = None) -> list[Environment]:
    """Remove the environments of that name, or the one of that digest; which those were.

    Raises:
        PackagesError: there is none.
    """
    with _changing():
        of_name = [each for each in environments() if each.name == name]
        gone = [each for each in of_name if digest in {None, each.digest}]
        if not gone:
            known = ", ".join(sorted({each.name for each in environments()})) or "none"
            what = name if digest is None else f"{name}@{digest}"
            raise PackagesError(f"there is no environment {what} on this host; there are: {known}")
        left = [each for each in of_name if each not in gone]
        if any(each.is_current for each in gone):
            (folder_of(name) / CURRENT).unlink()
            if left:
                _make_current(max(left, key=lambda each: each.folder.stat().st_mtime))
        for each in gone:
            remove_tree(each.folder)
        if not left:
            remove_tree(folder_of(name))
    return gone


@contextlib.contextmanager
def _changing() -> Iterator[Path]:
    """Hold the folder of the environments, as one process at a time changes it."""
    folder = folder_of()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o755)
        descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise PackagesError(
            f"environments are in {folder}, where you may not write ({error.strerror}); become who may, "
            "or set ARENA_ENVIRONMENTS_DIR"
        ) from None
    try:
        if not try_lock(descriptor):
            raise PackagesError(f"another process builds or removes environments in {folder}; wait for it")
        yield folder
    finally:
        os.close(descriptor)


def _made(name: str, work: Path, wanted: list[str], wheels: Path | None, python: Words) -> Environment:
    """An environment in `work`, not yet tried."""
    site = work / SITE
    site.mkdir()
    _install(work, site, wanted, wheels, python)
    shutil.rmtree(site / "bin", ignore_errors=True)  # programs of this host, that bots do not start
    (site / ".lock").unlink(missing_ok=True)  # of uv
    asked = [*python, "-c", VERSION, str(site)]
    version = _output(asked, "the bots' interpreter (ARENA_BOT_PYTHON)", work).strip()
    packages = tuple(sorted(f"{each.name}=={each.version}" for each in _distributions(site)))
    if not packages:
        raise PackagesError("no package was installed: each has a condition that does not hold here")
    return Environment(name, _digest(site, version), version, packages, work)


def _install(work: Path, site: Path, wanted: list[str], wheels: Path | None, python: Words) -> None:
    listed = work / "requirements.txt"
    listed.write_text("".join(f"{line}\n" for line in wanted), "utf-8")
    command = [*_installer(python[0], work), "--target", str(site), "--only-binary", ":all:"]
    if wheels is not None:
        command += ["--no-index", "--find-links", str(wheels.absolute())]
    if any("--hash=" in line for line in wanted):
        command.append("--require-hashes")
    _output([*command, "--requirement", str(listed)], "the packages; only wheels are taken", work)
    listed.unlink()


def _installer(python: str, work: Path) -> list[str]:
    """The program that lays out wheels for an interpreter: uv, else the pip of this one or of that.

    Raises:
        PackagesError: there is none.
    """
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--no-config", "--link-mode", "copy", "--python", python]
    options = ["install", "--no-compile", "--no-warn-script-location"]
    for interpreter, chosen in ((python, []), (sys.executable, ["--python", python])):
        asked = [interpreter, "-m", "pip", "--disable-pip-version-check"]
        with contextlib.suppress(OSError):
            tried = subprocess.run([*asked, "--version"], capture_output=True, check=False, cwd=work)
            if tried.returncode == 0:
                return [*asked, *chosen, *options]
    raise PackagesError("there is neither uv nor pip on this host to install packages with; install one")


def _output(command: list[str], what: str, work: Path) -> str:
    """What a program of this host prints; in a folder of ours, as Python imports what lies where it starts.

    Raises:
        PackagesError: it cannot be started, or fails.
    """
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=work, errors="replace"
        )
    except OSError as error:
        raise PackagesError(f"cannot start {command[0]}: {error.strerror}") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-MAX_SAID:]
        raise PackagesError(f"{Path(command[0]).name} failed with {what}:\n{said}")
    return done.stdout


def _distributions(site: Path) -> list[Distribution]:
    return list(distributions(path=[str(site)]))


def _digest(site: Path, version: str) -> str:
    """What is in an environment, in few characters: equal ones have the same files for the same Python."""
    told = hashlib.sha256(version.encode())
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        inside = path.relative_to(site)
        described = inside.parts[0].endswith(".dist-info") and path.name in INSTALLERS_OWN
        if described or "__pycache__" in inside.parts:
            continue
        told.update(f"\n{inside.as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    return told.hexdigest()[:16]


def _keep(
    name: str, work: Path, made: Environment, python: Words, confinement: Confinement | None
) -> Environment:
    """Put what was made in its place, if it is not there yet, and try it where bots run."""
    folder = folder_of(name) / made.digest
    kept = read(folder)
    if kept is None:
        if len(environments()) >= MOST:
            raise PackagesError(f"there are {MOST} environments on this host already; remove one")
        remove_tree(folder)
        _compile(work, folder / SITE, python)
        about = {"python": made.python, "packages": made.packages}
        (work / ABOUT).write_text(json.dumps(about), "utf-8")
        _settle(work)
        folder.parent.mkdir(exist_ok=True, mode=0o755)
        folder.parent.chmod(0o755)
        work.rename(folder)
        kept = made._replace(folder=folder)
        try:
            _try(kept, python, confinement)
        except BaseException:
            remove_tree(folder)
            with contextlib.suppress(OSError):  # others of this name are there
                folder.parent.rmdir()
            raise
    _make_current(kept)
    return kept


def _compile(work: Path, final: Path, python: Words) -> None:
    """Have Python read the sources once, for all bots; where they lie afterwards is what errors name."""
    site = str(work / SITE)
    moved = ["-s", site, "-p", str(final)]
    command = [*python, "-m", "compileall", "-q", *moved, "-x", r"[/\\]tests?[/\\]"]
    with contextlib.suppress(PackagesError):  # some packages have sources for other versions of Python
        _output([*command, "--invalidation-mode", "unchecked-hash", site], "compiling the packages", work)


def _settle(work: Path) -> None:
    """Let everybody read what is there, and nobody write."""
    for folder, _, names in os.walk(work, topdown=False):
        for name in names:
            path = Path(folder, name)
            if path.is_symlink():
                raise PackagesError(f"a package has a link, {path.relative_to(work)}; links are not taken")
            path.chmod(0o555 if path.stat().st_mode & 0o100 else 0o444)
        Path(folder).chmod(0o755 if folder == str(work) else 0o555)


def _try(made: Environment, python: Words, confinement: Confinement | None) -> None:
    """Import the packages as a bot would.

    Raises:
        PackagesError: one cannot be imported.
    """
    if hasattr(os, "geteuid") and os.geteuid() == 0 and not is_reachable(made.folder):
        raise PackagesError(
            f"the users that bots run as do not get to {made.folder}: open the folders above to everybody, "
            "or set ARENA_ENVIRONMENTS_DIR"
        )
    if trouble := trouble_with(made, confinement, python):
        raise PackagesError(trouble)
    if confinement is None:
        return
    for module in sorted({name for each in _distributions(made.site) for name in _modules(made.site, each)}):
        command = (*python, "-c", f"import {module}")
        program = Program(command, packages=made.site, reserve_mb=RESERVE_MB)
        ran = run_to_end(confinement, program, Limits(), TRY_SECONDS)
        if ran.status != 0:
            said = ran.stopped or f"{ran.stderr.head}{ran.stderr.tail}".strip()[-MAX_SAID:]
            raise PackagesError(f"the package {module} cannot be imported where bots run:\n{said}")


def _modules(site: Path, package: Distribution) -> Iterator[str]:
    """The names by which a package is imported, but for those that are its own business."""
    for name in {PurePosixPath(str(file)).parts[0] for file in package.files or ()}:
        stem = name.partition(".")[0]
        is_module = (site / name / "__init__.py").is_file() or name.endswith((".py", ".so", ".pyd"))
        if is_module and stem.isidentifier() and not stem.startswith("_"):
            yield stem


def _make_current(made: Environment) -> None:
    fresh = made.folder.parent / ".current"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(made.digest)
    fresh.replace(made.folder.parent / CURRENT)
