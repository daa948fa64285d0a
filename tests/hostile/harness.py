"""One match of a hostile bot against an honest one, and the judgement over the bot and the host."""

from __future__ import annotations

import compileall
import contextlib
import importlib
import json
import os
import secrets
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tests.hostile.bots import kit
from tests.hostile.bots.kit import BREACH, CASES, DONE, PLAYS, Case
from tests.hostile.host import look, memory_mb
from workers.core.contract import BotRef, GameSpec, Limits, MatchResult, MatchSpec, TimeControl
from workers.core.settings import get_settings
from workers.play.kept import SessionPool
from workers.play.match import play_match
from workers.sandbox.bubblewrap import Bubblewrap
from workers.sandbox.cgroups import NO_CGROUPS, OVERHEAD, find_host
from workers.sandbox.confinement import Confinement, Program
from workers.sandbox.kernel import die_with, fork
from workers.sandbox.levels import LEVELS, trouble_with
from workers.sandbox.slots import SLOTS
from workers.sandbox.spares import Spares

GROUPS = ("talking", "ending", "pondering", "bombs", "snooping", "powers", "neighbours", "network")
TALK_ONLY = ("talking",)
"""Bots that do nothing but talk: control groups make no difference to them."""

for group in (*GROUPS, "channels", "honest", "abandoned"):
    importlib.import_module(f"tests.hostile.bots.{group}")

BOTS = Path(kit.__file__).parent
MAIN = f"from {kit.__name__} import main\n\nmain()\n"
LIMITS: dict[str, int] = {"memory_mb": 128, "processes": 24, "disk_mb": 8, "file_mb": 8, "open_files": 32}
MAX_GROWTH_MB = 48
FIRST_UID, LAST_UID = 20_000, 60_000
SECRET = "SECRET-7d1f"


class Way(NamedTuple):
    """A level of confinement, with the host's control groups or without."""

    level: str
    cgroups: bool

    @property
    def name(self) -> str:
        """What the tests of this way are called."""
        return f"{self.level}{'' if self.cgroups else '-without-cgroups'}"

    @property
    def trouble(self) -> str | None:
        """Why this host does not offer it; None if it does."""
        if self.cgroups and not find_host().hierarchies:
            return "this host gives no control groups"
        return trouble_with(self.level)

    @property
    def strongest(self) -> bool:
        """Whether it is the best that a host like this can offer."""
        return self.level == next(iter(LEVELS)) and self.first_of_its_level

    @property
    def first_of_its_level(self) -> bool:
        """Whether it is the better one of the two of its level that this host could offer."""
        return self.cgroups == bool(find_host().hierarchies)

    def confinement(self) -> Confinement:
        """What starts bots in this way."""
        return LEVELS[self.level](find_host() if self.cgroups else NO_CGROUPS)


WAYS = [Way(level, cgroups) for level in LEVELS for cgroups in (True, False)]


class Outcome(NamedTuple):
    """How a match ended for the hostile bot: the code of its forfeit or `PLAYS`, and what it said."""

    end: str
    said: str
    result: MatchResult


class Site:
    """A folder that all may look into, with the bots' files, and things of others for them to find."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.chmod(0o755)
        self.hostile = self._upload("hostile")
        self.honest = self._upload("honest")
        self.free = place / "free-for-all"
        self.free.mkdir()
        self.free.chmod(0o1777)
        self.secrets = [self._secret(name) for name in ("of-the-worker", "of-another-bot")]
        self.secrets.append(self.honest / "opening-book")
        self.secrets[-1].write_text(SECRET)
        (self.hostile / "secret-link").symlink_to(self.secrets[0])
        (self.hostile / "folder-link").symlink_to("/etc")
        self.unix = place / "free-for-all" / "socket"
        self.abstract = place.name
        self.neighbour = 0
        self.port = 0

    def _upload(self, name: str) -> Path:
        folder = self.place / name
        inside = folder.joinpath(*kit.__name__.split(".")[:-1])
        shutil.copytree(BOTS, inside, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "main.py").write_text(MAIN)
        compileall.compile_dir(folder, quiet=1)
        return folder

    def _secret(self, name: str) -> Path:
        path = self.place / name / "secret"
        path.parent.mkdir()
        path.write_text(SECRET)
        return path

    @property
    def uids(self) -> range:
        """The users of the slots that this test process may use."""
        first = get_settings().slot_uid
        return range(first, first + SLOTS)

    def program(self, case: str, limits: Limits, folder: Path | None = None, **given: Any) -> Program:
        """What starts a hostile bot, which is told all about its surroundings."""
        own = folder or self.hostile
        told = {
            "worker": os.getpid(),
            "neighbour": self.neighbour,
            "processes": limits.processes + OVERHEAD,
            "memory_mb": limits.memory_mb,
            "disk_mb": limits.disk_mb,
            "folders": [str(self.free), str(self.place), str(own)],
            "secrets": list(map(str, self.secrets)),
            "own": str(own),
            "unix": str(self.unix),
            "abstract": self.abstract,
            "port": self.port,
            "pause_ms": 0,
        }
        python = shlex.split(get_settings().bot_python)
        return Program((*python, str(own / "main.py"), case, json.dumps(told | given)), (own,))

    def spec(self, case: Case) -> MatchSpec:
        """A match of three plies, of which the hostile bot has the first and the last."""
        return MatchSpec(
            match="hostile",
            game=GameSpec(name="heap_nim", params={"heaps": [1, 1, 1]}),
            bots=(BotRef(name="hostile"), BotRef(name="honest")),
            seeds=(1, 2),
            time=TimeControl(
                move_ms=case.move_ms, extensions=0, startup_ms=8000 if case.hurried_start else kit.SLOW_MS
            ),
            limits=Limits.model_validate(LIMITS | case.limits),
        )

    def native(self, command: tuple[str, ...], confinement: Confinement) -> Outcome:
        """Play with a program that needs no interpreter against the honest bot."""
        case = CASES["honest.honest"]
        honest = self.program(case.name, self.spec(case).limits, self.honest)
        hostile = Program(command, (Path(command[0]),))
        return outcome(play_match(self.spec(case), (hostile, honest), confinement=confinement))

    def check_pair(self, confinement: Confinement) -> None:
        """See that of two bots of one owner neither in one match nor in the next one learns of the other.

        Raises:
            AssertionError: something of what the writer left came to the reader.
        """
        case = CASES["channels.reader"]
        limits = self.spec(case).limits
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        known = {"meeting_port": port, "shared": [str(self.hostile), str(self.hostile / "main.py")]}
        secret = secrets.token_hex(7)
        writer = self.program("channels.writer", limits, secret=secret, **known)
        reader = self.program("channels.reader", limits, **known)
        honest = self.program("honest.honest", limits, self.honest)
        for programs in ((writer, reader), (writer, honest), (reader, honest)):
            result = play_match(self.spec(case), programs, confinement=confinement)
            assert result.forfeits == ()
            for program, use in zip(programs, result.seats, strict=True):
                said = use.stderr_head + use.stderr_tail
                assert program is honest or DONE in said
                found = [line for line in said.splitlines() if BREACH in line or secret in line]
                assert program is not reader or found == [], found

    def check_at_once(self, confinement: Confinement) -> str:
        """What a bot in one match hears from one in a match at the same moment that would tell it a secret.

        Raises:
            AssertionError: one of the bots did not get as far as that.
        """
        spec = self.spec(CASES["channels.listener"])
        secret = f"1{secrets.randbits(7):07b}"
        honest = self.program("honest.honest", spec.limits, self.honest)
        listener = self.program("channels.listener", spec.limits)
        caller = self.program("channels.caller", spec.limits, secret=secret)
        if (child := fork()) == 0:
            with contextlib.suppress(BaseException):
                play_match(spec, (caller, honest), confinement=confinement)
            os._exit(0)
        try:
            result = play_match(spec, (listener, honest), confinement=confinement)
        finally:
            os.waitpid(child, 0)
        said = result.seats[0].stderr_head
        assert result.forfeits == (), result.forfeits
        assert DONE in said, said
        return "all" if secret in said else "nothing" if "heard 00000000" in said else said

    def play(self, case: Case, confinement: Confinement) -> Outcome:
        """Play against the honest bot."""
        spec = self.spec(case)
        programs = (
            self.program(case.name, spec.limits),
            self.program("honest.honest", spec.limits, self.honest, pause_ms=case.pause_ms),
        )
        return outcome(play_match(spec, programs, confinement=confinement))

    @contextlib.contextmanager
    def idle(self, way: Way) -> Iterator[None]:
        """Within the block a bot waits for its next match, and so do sandboxes for both that have played."""
        case, confinement = CASES["abandoned.idler"], way.confinement()
        spec = self.spec(case)
        spares = Spares(confinement, 4, 3600) if isinstance(confinement, Bubblewrap) else None
        pool = SessionPool(spares or confinement)
        idler = self.program(case.name, spec.limits)
        honest = self.program("honest.honest", spec.limits, self.honest)
        assert play_match(spec, (idler, honest), pool=pool).forfeits == ()
        if spares:
            spares.replenish()
        yield
        pool.close()
        if spares:
            spares.close()

    def check(self, case: Case, confinement: Confinement) -> None:
        """Play, and judge the bot and the host.

        Raises:
            AssertionError: it ended in another way than it may, something was possible that must not be,
                its opponent came to harm, or something was left behind.
        """
        before, memory = look(self.uids, self.place), memory_mb()
        ended = self.play(case, confinement)
        judge(case, ended)
        left = look(self.uids, self.place).left_since(before)
        assert not left, left
        assert memory_mb() - memory < MAX_GROWTH_MB


def outcome(result: MatchResult) -> Outcome:
    """What became of the hostile bot."""
    codes = [forfeit.code.value for forfeit in result.forfeits if forfeit.seat == 0]
    return Outcome(
        codes[0] if codes else PLAYS, result.seats[0].stderr_head + result.seats[0].stderr_tail, result
    )


def judge(case: Case, ended: Outcome) -> None:
    """See that the bot ended as it may, was refused all that it tried, and did its opponent no harm.

    Raises:
        AssertionError: not so.
    """
    breaches = [line for line in ended.said.splitlines() if BREACH in line]
    assert not breaches, "\n".join(breaches)
    assert [forfeit for forfeit in ended.result.forfeits if forfeit.seat == 1] == []
    assert ended.end in case.ends, f"{case.about} {ended.result.forfeits}\n{ended.said}"
    assert SECRET not in ended.said
    if ended.end == PLAYS and not case.talks:
        assert DONE in ended.said


@contextlib.contextmanager
def own_users() -> Iterator[int]:
    """The first of as many users as there are slots, which no other run of this suite has meanwhile."""
    with contextlib.ExitStack() as stack:
        mark = stack.enter_context(socket.socket(socket.AF_UNIX))
        yield next(first for first in range(FIRST_UID, LAST_UID, SLOTS) if _marked(mark, first))


def _marked(mark: socket.socket, first: int) -> bool:
    """Take that number, by a name that the kernel gives to one process only, and frees when it ends."""
    try:
        mark.bind(f"\0arena-hostile-users-{first}")
    except OSError:
        return False
    return True


@contextlib.contextmanager
def site() -> Iterator[Site]:
    """A site with a neighbour, servers, an open file and a variable that are nobody's business."""
    place = Path(tempfile.mkdtemp(prefix="ah-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, place, ignore_errors=True)
        made = Site(place)
        ends_with_us = partial(die_with, os.getpid())  # looked up before it is needed between fork and exec
        neighbour = subprocess.Popen(["/bin/sleep", "3600"], preexec_fn=ends_with_us)  # noqa: PLW1509
        stack.enter_context(neighbour)
        stack.callback(neighbour.kill)
        made.neighbour = neighbour.pid
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        made.port = server.getsockname()[1]
        for address in (str(made.unix), f"\0{made.abstract}"):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
        made.unix.chmod(0o777)
        inherited = stack.enter_context(made.secrets[0].open())
        os.set_inheritable(inherited.fileno(), True)
        yield made
