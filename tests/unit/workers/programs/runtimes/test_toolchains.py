"""What is said of tools that a host lacks, or has where bots do not get to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workers.programs.runtimes.languages import GO, C
from workers.programs.runtimes.toolchains import PATH, lacking

NOWHERE = replace(GO, probes=(("arena-test-compiler", "--version"),))


def test_a_tool_that_is_nowhere_is_named() -> None:
    """With the folders in which it would be found."""
    assert lacking(NOWHERE) == f"there is no arena-test-compiler in {PATH}"


def test_a_tool_in_a_folder_of_ours_is_shown_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever installed it for himself reads where it is, and where it should be."""
    tool = tmp_path / "arena-test-compiler"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert f"is {tool}, where bots do not get to; install it for all users" in lacking(NOWHERE)


def test_a_tool_that_leads_out_of_the_system_is_shown_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link below /usr to somebody's own folder is no help to a bot."""
    monkeypatch.setattr("workers.programs.runtimes.toolchains.tool_path", lambda name: str(tmp_path / name))
    assert f"is {tmp_path / 'arena-test-compiler'}, where bots do not get to" in lacking(NOWHERE)


def test_a_tool_in_its_place_just_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then its place is not to blame."""
    monkeypatch.setattr("workers.programs.runtimes.toolchains.tool_path", lambda name: f"/usr/bin/{name}")
    assert lacking(C) == "its tools do not start where bots run"
