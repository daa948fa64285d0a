"""What `arena doctor` says of sandboxes, on machines that lack one thing or another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.supervisor import sandboxing
from workers.core.settings import get_settings
from workers.sandbox import levels, slots
from workers.sandbox.cgroups import NO_CGROUPS, Hierarchy, Host


def lacking(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """A machine on which these levels do not work and nothing is asked for."""
    monkeypatch.setattr(levels, "trouble_with", lambda name: "it is broken" if name in names else None)
    monkeypatch.delenv("ARENA_CONFINEMENT", raising=False)
    get_settings.cache_clear()


def test_the_best_level_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to do."""
    lacking(monkeypatch)
    assert sandboxing.confinement() == ("confinement", "ok", "bubblewrap", "")


def test_the_second_level_is_a_warning_with_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """First comes the program, then the kernel's switches, then the container."""
    lacking(monkeypatch, "bubblewrap")
    switch = tmp_path / "max_user_namespaces"
    switch.write_text("0\n")
    monkeypatch.setattr(sandboxing, "SWITCHES", {str(switch): ("0", "turn it up")})
    monkeypatch.setattr("shutil.which", lambda _: None)
    found = sandboxing.confinement()
    assert (found.verdict, found.found) == ("warn", "landlock (bubblewrap: it is broken)")
    assert "apt-get install bubblewrap" in found.remedy
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/bwrap")
    assert sandboxing.confinement().remedy == "turn it up"
    switch.write_text("100\n")
    assert sandboxing.confinement().remedy not in {"", "turn it up"}


def test_no_level_at_all_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of strangers are not played here."""
    lacking(monkeypatch, "bubblewrap", "landlock")
    found = sandboxing.confinement()
    assert found.verdict == "fail"
    assert "landlock: it is broken" in found.found
    assert found.remedy


def test_what_keeps_a_level_from_being_tried_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, environment: Callable[..., None]
) -> None:
    """It is told as what it is, and not as a level that this machine lacks."""
    monkeypatch.setattr(slots, "SLOTS", 0)
    monkeypatch.setattr(slots, "sweep_slots", lambda: None)  # processes are started for what others left
    levels.trouble_with.cache_clear()
    environment(confinement="bubblewrap")
    found = sandboxing.confinement()
    assert (found.verdict, found.found) == ("fail", "all 0 slots of this host are in use")


@pytest.mark.parametrize(("asked", "verdict"), [("none", "warn"), ("landlock", "warn")])
def test_a_level_that_was_asked_for_is_told(
    monkeypatch: pytest.MonkeyPatch, environment: Callable[..., None], asked: str, verdict: str
) -> None:
    """A weaker one than could be had is a warning, an unknown one a failure."""
    lacking(monkeypatch)
    environment(confinement=asked)
    assert sandboxing.confinement().verdict == verdict


def test_control_groups_are_told_by_what_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory and processes are what counts; without them there is a remedy."""
    both = Hierarchy(Path("/sys"), frozenset({"memory", "pids"}), unified=True)
    monkeypatch.setattr(levels, "usable_host", lambda: Host((both,)))
    assert sandboxing.control_groups() == ("control groups", "ok", "memory, pids, freezer", "")
    monkeypatch.setattr(levels, "usable_host", lambda: NO_CGROUPS)
    found = sandboxing.control_groups()
    assert found.verdict == "warn"
    assert "one process" in found.found
    assert "Delegate=yes" in found.remedy
