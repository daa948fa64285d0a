"""Readers of the documents do what stands there, command by command, and each does what is said of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena.core.folder import DataFolder
from tests.acceptance.bots import thinker
from tests.acceptance.conftest import (
    ATTENTIVE,
    IMPATIENT,
    PATIENCE,
    Arena,
    MakeArena,
    await_end,
    eventually,
)
from tests.acceptance.unrun import OF_OTHER_TESTS, why_not
from tests.documents import Shown, Written, commands, documents, story
from tests.ports import own_port
from tests.unit.arena.cli.test_interchange import TRF

pytestmark = pytest.mark.long

BASH = shutil.which("bash") or "sh"
ROOM = "http://teacher.local:8080"
"""Where the documents have an arena."""


@dataclass
class Follower:
    """Somebody who follows a document in a folder of their own.

    `filled` is what stands for the words of the document that are the reader's own, `meanwhile` what others
    do before the commands that begin so, and `others` the variables of the team, where the staff reads.
    """

    folder: Path
    environment: Mapping[str, str]
    filled: Mapping[str, str] = field(default_factory=dict)
    meanwhile: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)

    def follow(self, document: str) -> list[str]:
        """Do all that stands there; what did not go well, with what was said."""
        failed = []
        for each in story(document):
            if isinstance(each, Written):
                path = self.folder / each.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(each.text, encoding="utf-8")
            elif why_not(each) is None and (told := self._run(each)):
                failed.append(f"{each}\n{told}")
        return failed

    def _run(self, shown: Shown) -> str:
        for begun, act in self.meanwhile.items():
            if shown.text.startswith(begun):
                act()
        text = shown.text
        for word, meant in self.filled.items():
            text = text.replace(word, meant)
        more = self.others if OWN.match(text) else {}
        with _terminal("quit" if "arena play" in text else "y") as terminal:
            done = subprocess.run(
                [BASH, "-c", text],
                cwd=self.folder,
                env={**os.environ, **self.environment, **more, "PATH": _path()},
                stdin=terminal,
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
        return "" if done.returncode == 0 else f"{text}\n{done.stdout[-500:]}{done.stderr[-1500:]}"


def _done(reader: Follower, document: str) -> None:
    failed = reader.follow(document)
    assert not failed, "\n".join(["these did not go well:", *failed])


def _path() -> str:
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@contextmanager
def _terminal(typed: str) -> Iterator[int]:
    """A terminal at which that was typed, to be somebody's input."""
    keyboard, terminal = os.openpty()
    os.write(keyboard, f"{typed}\n".encode())
    try:
        yield terminal
    finally:
        os.close(keyboard)
        os.close(terminal)


def _home(folder: Path) -> dict[str, str]:
    """The variables of somebody whose settings and logins are below a folder."""
    return {f"XDG_{name}_HOME": str(folder / f".{name.lower()}") for name in ("CONFIG", "STATE")}


@pytest.fixture
def own_arena(tmp_path: Path) -> Iterator[Arena]:
    """The arena that somebody starts in their folder; it ends with the test."""
    cores = {"ARENA_CORES_DIR": str(tmp_path / "cores"), "ARENA_MATCH_CORES": "64"}
    arena = Arena(DataFolder.at(tmp_path / "arena-data"), ATTENTIVE | IMPATIENT | cores)
    yield arena
    arena.down()
    await_end(arena.folder.root)


def _up() -> dict[str, str]:
    """Ports that nobody has, for an arena that is started as documents have it."""
    ports = f"--port {own_port()} --https-port {own_port()}"
    return {
        "arena up": f"arena up --workers 1 {ports}",
        "arena doctor": f"arena doctor {ports.partition(' --https')[0]}",
    }


def _hand_in(arena: Arena, *names: str) -> None:
    for name in names:
        with arena.client() as staff:
            token = staff.create_user(name, "team", "7a").token
        with arena.client(token) as client:
            client.submit(name, f"{name}.py", thinker(0), games=["heap_nim"])
            assert client.await_check(name, 1, patience=PATIENCE).state == "passed"


def test_a_student_follows_the_tutorial(make_arena: MakeArena, tmp_path: Path) -> None:
    """From nothing to a bot on the leaderboard, in an arena where a teacher has opened a tournament."""
    arena = make_arena(1, **IMPATIENT)
    arena.command("class", "create", "7a")
    code = arena.json("class", "code", "7a")["text"]
    plan = (
        "--game",
        "heap_nim",
        "--class",
        "7a",
        "--format",
        "double_round_robin",
        "--time",
        "60s",
        "--open",
    )
    arena.command("tournament", "create", "spring", *plan)
    arena.command("bot", "submit", "@random", "--game", "heap_nim", "--wait")
    arena.command("tournament", "enter", "spring", "random")
    folder = tmp_path / "student"
    folder.mkdir()
    student = Follower(
        folder,
        _home(folder) | {"ARENA_DATA_DIR": str(folder / "nothing")},
        {ROOM: arena.state.url, "CODE": code},
        {"arena tournament watch": lambda: arena.command("tournament", "start", "spring")},
    )
    _done(student, "docs/tutorials/student.md")


def test_a_teacher_follows_the_tutorial(own_arena: Arena, tmp_path: Path) -> None:
    """From nothing to grades, with two teams that hand in."""
    teacher = Follower(
        tmp_path,
        _home(tmp_path) | own_arena.environment,
        _up(),
        {"arena tournament enter-class": lambda: _hand_in(own_arena, "red", "blue")},
    )
    _done(teacher, "docs/tutorials/teacher.md")


def test_an_administrator_follows_the_tutorial(own_arena: Arena, tmp_path: Path) -> None:
    """From nothing to an arena with people, of which there is a backup that was restored."""
    administrator = Follower(tmp_path, _home(tmp_path) | own_arena.environment, _up())
    _done(administrator, "docs/tutorials/administrator.md")
    assert (tmp_path / "restored" / "arena.sqlite3").exists()


def test_a_researcher_follows_the_tutorial(tmp_path: Path) -> None:
    """What was counted and computed there comes out, in tables and in Python."""
    pytest.importorskip("pandas", reason="the tutorial shows a data frame")
    _done(Follower(tmp_path, _home(tmp_path)), "docs/tutorials/researcher.md")
    assert {"positions.csv", "rows.csv", "games.jsonl"} <= {path.name for path in tmp_path.iterdir()}
    assert (tmp_path / "moves.parquet").exists()


@dataclass
class World:
    """An arena in which all is there that the documents speak of, and a folder with their files."""

    arena: Arena
    files: Path
    tokens: dict[str, str]


BOTS, REFERENCE = ("my-bot", "other"), ("random", "strong")
SPRING = {"game": "reversed_reversi", "params": {"size": 4}, "format": "double_round_robin", "openings": 1}
OWN = re.compile("arena (my|bot (submit|verdict|recheck|cancel|download)) ")
"""What a team does, not the staff."""


@pytest.fixture(scope="module")
def world(make_shared: MakeArena, tmp_path_factory: pytest.TempPathFactory) -> World:
    """Class 7a with two teams and their bots, which have played the tournament `spring` with others."""
    arena, tokens = make_shared(1, **IMPATIENT), {}
    for name in ("7a", "7b"):
        arena.command("class", "create", name)
    with arena.client() as staff:
        staff.create_user("ms-lin", "organiser")
        staff.create_user("wang-xiaoming", "team")
        for name in ("red", "blue"):
            tokens[name] = staff.create_user(name, "team", "7a").token
        with arena.client(tokens["red"]) as client:
            for bot in BOTS:
                client.submit(bot, f"{bot}.py", thinker(0), games=["reversed_reversi"])
        for name in REFERENCE:
            staff.submit_reference(name, name, games=["reversed_reversi"])
        for name in ("spring", "week-1", "week-2", "week-3"):
            staff.create_tournament({"name": name, **SPRING})
            staff.change(name, "open")
        for bot in (*BOTS, *REFERENCE):
            assert staff.await_check(bot, 1, patience=PATIENCE).state == "passed"
        for name in ("spring", "week-1"):
            arena.command("tournament", "enter", name, *BOTS, *REFERENCE)
        staff.change("spring", "start")
        eventually(lambda: staff.tournament("spring").state == "finished")
    return World(arena, _files(arena, tmp_path_factory.mktemp("files")), tokens)


def _files(arena: Arena, folder: Path) -> Path:
    (folder / "mybot.py").write_bytes(thinker(0))
    (folder / "open.trf").write_text(TRF, encoding="utf-8", newline="")
    for name in ("games.pgn", "more.pgn"):
        arena.command("tournament", "export", "spring", "--format", "pgn", "-o", str(folder / name))
    (folder / "class.csv").write_text("user,team\nann,green\nbob,yellow\n")
    (folder / "scheme.json").write_text('{"base": 60, "most": 100}')
    return folder


OTHERS = [
    *("class-report", "events", "formats", "grading", "installing", "interchange", "planning", "ratings"),
    *("sandbox", "seasons", "standings"),
]
TUTORIALS = ("student", "teacher", "administrator", "researcher")
FILLED = {
    "formats": {"spring": "swiss-1", "cup": "groups-1"},
    "planning": {"spring": "week-1"},
    "standings": {"spring": "swiss-2"},
}


def _meanwhile(arena: Arena, files: Path) -> dict[str, Callable[[], object]]:
    """What documents speak of: a tournament is under way, and grades are others than were told."""

    def begin() -> None:
        with arena.client() as staff:
            staff.change("week-1", "start")
            staff.change("week-1", "pause")

    def grade_anew() -> None:
        (files / "other.json").write_text('{"base": 70, "most": 100}')
        arena.command("tournament", "grading", "spring", "--set", str(files / "other.json"))

    return {"arena tournament eta": begin, "arena tournament release-grades spring --reason": grade_anew}


@pytest.mark.parametrize("document", OTHERS)
def test_what_a_document_shows_is_so(world: World, tmp_path: Path, document: str) -> None:
    """Each command that is not listed in `unrun.py` does what it is called for, after those before it."""
    shutil.copytree(world.files, tmp_path, dirs_exist_ok=True)
    staff = _home(tmp_path) | world.arena.environment | {"ARENA_DATA_DIR": str(world.arena.folder.root)}
    team = {"ARENA_URL": world.arena.state.url, "ARENA_TOKEN": world.tokens["red"]}
    filled = _up() | {"http://arena.example:8000": world.arena.state.url} | FILLED.get(document, {})
    reader = Follower(tmp_path, staff, filled, _meanwhile(world.arena, world.files), team)
    _done(reader, f"docs/{document}.md")


def test_no_command_is_forgotten() -> None:
    """Every document with a command that can be run is followed, or listed with who does what it shows."""
    followed = {
        *(f"docs/{each}.md" for each in OTHERS),
        *(f"docs/tutorials/{each}.md" for each in TUTORIALS),
        *(f"docs/zh-Hant-TW/{each}.md" for each in TUTORIALS[:2]),  # which have the same commands
    }
    shown = {each for each in documents() if any(why_not(command) is None for command in commands(each))}
    assert (shown - followed, followed & set(OF_OTHER_TESTS)) == (set(OF_OTHER_TESTS), set())
