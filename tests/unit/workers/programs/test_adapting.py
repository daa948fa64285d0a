"""How a bot of another protocol is started, and by what it is recognised."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots.adapters import PROTOCOLS
from bots.adapters.play import KINDS
from workers.programs.adapting import FOLDER, START, adapted, hint
from workers.programs.runtimes.detection import find_source
from workers.sandbox.confinement import Program

PYTHON = ("/usr/bin/python3", "-S", "-s")
HERE = Path("/srv/bots/7")


def test_every_protocol_has_its_adapter() -> None:
    """What `bot.toml` may name is what an adapter can be started for, and each is there to be read."""
    assert set(KINDS) == set(PROTOCOLS)
    assert {f"{module}.py" for module, _ in KINDS.values()} <= {path.name for path in FOLDER.iterdir()}


def test_a_bot_without_a_protocol_is_started_as_it_is() -> None:
    """No adapter costs it anything."""
    program = Program((*PYTHON, "/srv/bots/7/main.py"), (HERE,))
    assert adapted(program, find_source({"main.py": b""}), PYTHON) is program


def test_the_adapter_is_started_before_the_bots_own_command() -> None:
    """It sees the adapter's folder besides the bot's, and is told the protocol and what goes with it."""
    source = find_source({"main.c": b"", "bot.toml": b'protocol = "gtp"\nmoves = "zero"\narguments = ["-q"]'})
    program = adapted(Program(("/srv/bots/7/bot",), (HERE,), reserve_mb=3), source, PYTHON)
    assert program.command[:4] == (*PYTHON, str(START))
    assert json.loads(program.command[4]) == {"protocol": "gtp", "moves": "zero"}
    assert program.command[5:] == ("/srv/bots/7/bot", "-q")
    assert (program.readable, program.reserve_mb, program.trusted) == ((HERE, FOLDER), 3, False)


def test_a_bot_in_python_is_run_by_the_adapters_own_interpreter() -> None:
    """So it is one that can be run wherever the adapter could."""
    source = find_source({"main.py": b"", "bot.toml": b'protocol = "ugi"'})
    program = adapted(Program((*PYTHON, "/srv/bots/7/main.py"), (HERE,)), source, PYTHON)
    assert program.command[5:] == ("{python}", "/srv/bots/7/main.py")


@pytest.mark.parametrize(
    ("code", "protocol"),
    [
        (b"def my_agent(observation, configuration):\n    return 3\n", "kaggle"),
        (b"def act(obs):\n    return 3\n", "kaggle"),
        (b'full["requests"], full["responses"]', "botzone"),
        (b'print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<")', "botzone-keep-running"),
        (b'puts("set myname Kraken");', "nboard"),
        (b'printf("\\nEdax plays ");', "edax"),
        (b'print("ugiok")', "ugi"),
        (b'if command == "genmove":', "gtp"),
        (b"# Write an action using print\nprint('wait')", "lines"),
        (b"size = int(input())", "lines"),
        (b'print("hello")', None),
        (b"from arena_bot import run\ndef act(obs):\n    return 3\n", None),
        (b'{"protocol": "arena/1"} # genmove', None),
    ],
)
def test_a_bot_of_another_protocol_is_recognised(code: bytes, protocol: str | None) -> None:
    """By what nearly every program of its kind has in it; one that speaks `arena/1` is left alone."""
    told = hint({"main.py": code}, "main.py")
    assert (f'protocol = "{protocol}"' in told) if protocol else not told
