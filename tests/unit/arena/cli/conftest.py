"""Running commands in this process, and small bots to give them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.cli import main
from arena.core.words import speak
from arena.supervisor.launch import free_port
from tests.isolation import forget_settings


class Ran(NamedTuple):
    """What a command printed, and how it exited."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)


Run = Callable[..., Ran]
Simulate = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs `arena` with the given words, away from anybody's credentials and data."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LANGUAGE", "en")
    for variable in ("ARENA_URL", "ARENA_TOKEN", "ARENA_DATA_DIR", "ARENA_CONFIG"):
        monkeypatch.delenv(variable, raising=False)

    def call(*words: str) -> Ran:
        forget_settings()  # as in a process of its own
        try:
            with pytest.raises(SystemExit) as ended:
                main(words)
        finally:
            forget_settings()
        captured = capsys.readouterr()
        code = ended.value.code
        return Ran(code if isinstance(code, int) else 0, captured.out, captured.err)

    return call


@pytest.fixture
def chinese(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader's locale is that of Taiwan."""
    del run  # which sets another one
    monkeypatch.delenv("LANGUAGE")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LC_MESSAGES", "zh_TW.UTF-8")
    speak(translated=True)


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """A folder with a bot that plays the first legal move, and one that soon answers rubbish."""
    folder = tmp_path / "bots"
    folder.mkdir()
    header = "from arena_bot import run\nclass Bot:\n    def choose(self, request):\n        "
    (folder / "first.py").write_text(header + "return request.legal[0]\nrun(Bot())\n")
    wrong = "print('thinking'); return request.legal[0] if request.ply < 2 else 'z9'\nrun(Bot())\n"
    (folder / "wrong.py").write_text(header + wrong)
    return folder


@pytest.fixture
def unused_port() -> int:
    """A port that nobody listens on."""
    return free_port("127.0.0.1")


@pytest.fixture
def journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the journals."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "bot-arena" / "simulations"


@pytest.fixture
def simulate(run: Run, journals: Path) -> Simulate:
    """Runs `arena simulate` between two random players of heap Nim unless told otherwise."""
    del journals

    def call(*words: str, game: str = "heap_nim", first: str = "random", second: str = "random") -> Ran:
        return run("simulate", game, "--first", first, "--second", second, *words)

    return call
