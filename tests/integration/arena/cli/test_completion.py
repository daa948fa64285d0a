"""What shells are told on Tab: commands, options, games and reference bots, in the protocol of each shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ARENA = [sys.executable, "-c", "from arena.cli import main; main()"]


def asked(shell: str, line: str, **others: str) -> list[str]:
    """What completes the last word of a line, as that shell asks for it."""
    words = line.split(" ")
    of_bash = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    of_others = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    protocol = of_bash if shell == "bash" else of_others
    environment = os.environ | {"LANGUAGE": "en", "_ARENA_COMPLETE": f"complete_{shell}"} | protocol | others
    done = subprocess.run(ARENA, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("arena tourn", ["tournament"]),
        ("arena my scrimmage opp", ["opponents"]),
        ("arena bot submit --dry", ["--dry-run"]),
        ("arena tournament create cup --format knock", ["knockout"]),
        ("arena game rules circ", ["circle_nim"]),
        ("arena match run @rand", ["@random"]),
        ("arena simulate heap_nim --first perf", ["perfect"]),
    ],
)
def test_bash_is_told(line: str, found: list[str]) -> None:
    """Commands of groups that were not read yet, options, choices, games and bots by name."""
    assert asked("bash", line) == found


def test_others_are_told_with_help_in_the_readers_language() -> None:
    """Zsh and Fish show beside each word what it is."""
    assert asked("fish", "arena tourn") == ["tournament\tPlan, run and read tournaments."]
    assert asked("fish", "arena bot submit --dry", LANGUAGE="zh_TW") == [
        "--dry-run\t與 --each 一起：只說明會做什麼。"
    ]
    assert asked("zsh", "arena tourn") == [
        '_arguments \'*: :(("tournament":"Plan, run and read tournaments."))\''
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_takes_its_script(tmp_path: Path, shell: str) -> None:
    """What `arena --show-completion` prints is read by the shell without a word, where that is installed."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    told = subprocess.run([*ARENA, "--show-completion", shell], capture_output=True, text=True, check=True)
    script = tmp_path / "script"
    script.write_text({"zsh": "autoload -Uz compinit; compinit -D\n"}.get(shell, "") + told.stdout)
    done = subprocess.run(
        [shell, str(script)],
        env=os.environ | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_a_bot(tmp_path: Path) -> None:
    """The function that Bash calls on Tab fills in what the arena answers, also for a word with an @."""
    program = tmp_path / "arena"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from arena.cli import main; main()" "$@"\n')
    program.chmod(0o755)
    script = (
        'eval "$(arena --show-completion bash)"; COMP_WORDS=(arena match run @rand); COMP_CWORD=3;'
        ' _arena_completion arena; echo "$COMPREPLY"; [[ $COMP_WORDBREAKS != *@* ]] && echo whole'
    )
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        [shutil.which("bash") or "", "--norc", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["@random", "whole"], done.stderr
