"""From what is typed for a bot to the command that starts it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.cli.shared.progress import following
from arena.local.errors import InputError
from arena.local.players import Player, distinct, find_player, make_ready
from engines.games import find_game
from engines.strategies import StrategyError
from tests.integration.workers.workshops import require
from tests.unit.arena.cli.conftest import bots
from workers.programs.adapting import START
from workers.sandbox.confinement import Program

__all__ = ["bots"]


def test_every_form_of_a_bot_is_found(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .py file, a folder, a program, a command, and a reference bot become commands."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    first = bots / "first.py"
    folder = bots / "mine"
    folder.mkdir()
    (folder / "main.py").write_text("")
    program = bots / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(bots)
    assert find_player("first.py").command[-1] == str(first)
    assert find_player("mine").command[-1] == str(folder / "main.py")
    assert find_player("mine").name == "mine"
    assert find_player("./program").command == (str(program),)
    assert find_player("@group8").command == (sys.executable, "-m", "bots.reference.group8")
    monkeypatch.setenv("ARENA_TABLES_DIR", str(bots))
    strategy = find_player("@algo3:100:7")
    assert strategy.name == "@algo3:100:7"
    assert strategy.command == (sys.executable, "-m", "bots.reference.strategy", "algo3:100:7", str(bots))
    typed = find_player("python -u first.py --depth 3").command
    assert typed[1:] == ("-u", str(first), "--depth", "3")


def test_a_folder_with_a_protocol_is_played_behind_its_adapter(tmp_path: Path) -> None:
    """As it would be after it was handed in; a manifest that cannot be used is told here."""
    (tmp_path / "main.py").write_text("def agent(obs):\n    return 0\n")
    (tmp_path / "bot.toml").write_text('protocol = "kaggle"')
    found = find_player(str(tmp_path)).command
    assert isinstance(found, Program)
    assert str(START) in found.command
    (tmp_path / "bot.toml").write_text('protocol = "morse"')
    with pytest.raises(InputError, match="there are kaggle"):
        find_player(str(tmp_path))


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("", "nothing was given"),
        ("nowhere.py", "no such file"),
        ("no-such-program --fast", "no program 'no-such-program'"),
        ("'", "cannot be read"),
        ("~nobody-of-this-name/bot.py", "no such file"),
        ("@nobody", "@random"),
        ("@group8:7", "takes no parameters"),
        (".", "is no bot"),
        ("plain", "is no bot"),
        ("bot.zip", "is no bot"),
        ("bot.c", "surprise"),
    ],
)
def test_what_is_no_bot_is_refused_with_a_reason(
    argument: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each unusable form has its own words; what does not build has the compiler's."""
    if argument == "bot.c":
        require("c")
        (tmp_path / "bot.c").write_text("int main(void) { return surprise; }")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").write_text("")
    (tmp_path / "bot.zip").write_text("")
    with pytest.raises(InputError, match=words):
        find_player(argument)


def test_reference_bots_are_made_ready_for_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are built before anything starts; a wrong game and wrong parameters are told at once."""
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tmp_path))
    nim = find_game("heap_nim", {"heaps": [1, 2, 4]})
    make_ready([find_player("@perfect"), find_player("@random"), find_player("python -V")], nim, following)
    assert [path.suffix for path in tmp_path.glob("heap_nim*.table")] == [".table"]
    with pytest.raises(InputError, match="algo3 plays circle_nim, not heap_nim"):
        make_ready([find_player("@algo3:100")], nim, following)
    with pytest.raises(StrategyError, match="from 1 to 1000000, not '0'"):
        make_ready([find_player("@algo3:0")], find_game("circle_nim"), following)


def test_bots_of_one_name_are_called_by_their_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has the same name in whatever order and from wherever they are named; the same bot is numbered."""
    for path in ("v1/bot", "v2/bot", "x/v2/bot"):
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / "main.py").touch()
    (tmp_path / "v1" / "bot.py").touch()
    (tmp_path / "v1" / "bot.c").touch()

    def named(*arguments: str) -> list[str]:
        return [
            player.name
            for player in distinct(
                [
                    Player(each, each if each[0] == "@" else Path(each).stem[:80], ("true",))
                    for each in arguments
                ]
            )
        ]

    monkeypatch.chdir(tmp_path)
    assert named("v1/bot", "v2/bot", "@random") == ["v1/bot", "v2/bot", "@random"]
    assert named("v1/bot", "@random", "@greedy") == ["bot", "@random", "@greedy"]
    assert named("v2/bot/main.py", "v1/bot/main.py") == ["v2/bot/main.py", "v1/bot/main.py"]
    assert named("v1/bot.py", "v1/bot.c") == ["bot.py", "bot.c"]
    assert named("v2/bot", "x/v2/bot")[1] == "x/v2/bot"
    assert named("v1/bot", "v1/../v1/bot", "v2/bot") == ["v1/bot (1)", "v1/bot (2)", "v2/bot"]
    assert named("@random", "@random") == ["@random (1)", "@random (2)"]
    monkeypatch.chdir(tmp_path / "v1")
    assert named("../v2/bot", "bot") == ["v2/bot", "v1/bot"]
    one, other = named(f"{'x' * 90}1", f"{'x' * 90}2")
    assert (one[-3:], other[-3:], len(one)) == ("xx1", "xx2", 80)
