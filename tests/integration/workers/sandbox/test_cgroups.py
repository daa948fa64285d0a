"""Finding and making control groups, in trees of files that look like the kernel's."""

from __future__ import annotations

import os
from errno import EACCES, EBUSY
from pathlib import Path

import pytest

from workers.core.contract import Limits
from workers.core.errors import LaunchError
from workers.sandbox import cgroups
from workers.sandbox.cgroups import LEAF, NO_CGROUPS, Cgroup, Hierarchy, Host, find_host, look

BOUNDS = Limits(memory_mb=100, processes=10)


def unified(folder: Path, offered: str = "cpu memory pids", given: str = "") -> Path:
    """A group of version 2 that we may write to."""
    folder.mkdir(parents=True)
    (folder / "cgroup.procs").write_text("")
    (folder / "cgroup.controllers").write_text(offered)
    (folder / "cgroup.subtree_control").write_text(given)
    return folder


def seen(tmp_path: Path, own: str, mounts: str) -> Host:
    """What is found where the kernel says that."""
    (tmp_path / "own").write_text(own)
    (tmp_path / "mounts").write_text(mounts)
    return look(tmp_path / "own", tmp_path / "mounts")


def test_a_delegated_group_of_version_2_gives_all_that_it_has(tmp_path: Path) -> None:
    """Its controllers are there for the groups below."""
    group = unified(tmp_path / "sys/a.scope", given="cpu memory pids")
    host = seen(tmp_path, "0::/a.scope\n", f"cgroup2 {tmp_path}/sys cgroup2 rw 0 0\n")
    assert host.hierarchies == (Hierarchy(group, frozenset({"cpu", "memory", "pids"}), unified=True),)
    assert host.has("memory")
    assert host.freezes


@pytest.mark.parametrize(
    ("forks", "refused", "found"), [(3, EBUSY, True), (99, EBUSY, False), (3, EACCES, False)]
)
def test_processes_that_start_while_a_group_is_emptied_are_moved_too(
    forks: int, refused: int, found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group that is in use again when its controllers are handed down is emptied again, some times."""
    group, write = unified(tmp_path / "sys/a.scope", offered="memory"), Path.write_text
    (group / LEAF).mkdir()
    started = iter(range(1, forks + 1))
    moved: list[str] = []

    def written(path: Path, text: str) -> int:
        if path.name == "cgroup.procs":
            moved.append(text)
        elif (pid := next(started, None)) is not None:
            write(group / "cgroup.procs", f"{pid}\n")
            raise OSError(refused, os.strerror(refused))
        return write(path, text)

    (tmp_path / "own").write_text("0::/a.scope\n")
    (tmp_path / "mounts").write_text(f"cgroup2 {tmp_path}/sys cgroup2 rw 0 0\n")
    monkeypatch.setattr(cgroups, "_is_ours", lambda _: True)
    monkeypatch.setattr(Path, "write_text", written)
    host = look(tmp_path / "own", tmp_path / "mounts")
    assert bool(host.hierarchies) is found
    if found:
        assert moved == ["1", "2", "3"]


def test_a_process_in_the_leaf_uses_the_group_above(tmp_path: Path) -> None:
    """Whatever was moved out of the way, so that controllers could be handed down, finds its way back."""
    group = unified(tmp_path / "sys/a.scope", given="memory")
    host = seen(tmp_path, f"0::/a.scope/{LEAF}\n", f"cgroup2 {tmp_path}/sys cgroup2 rw 0 0\n")
    assert [hierarchy.parent for hierarchy in host.hierarchies] == [group]


def test_version_1_has_a_hierarchy_for_each_controller(tmp_path: Path) -> None:
    """Those that count nothing of ours are left alone, and version 2 beside them freezes."""
    for name in ("memory/mine", "pids", "cpuacct", "freezer"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "cgroup.procs").write_text("")
    unified(tmp_path / "unified", offered="")
    mounts = "".join(
        f"cgroup {tmp_path}/{name} cgroup rw,relatime,{name} 0 0\n"
        for name in ("memory", "pids", "cpuacct", "freezer")
    )
    own = "4:memory:/mine\n8:pids:/\n2:cpuacct:/\n6:freezer:/\n0::/\n"
    host = seen(tmp_path, own, f"{mounts}cgroup2 {tmp_path}/unified cgroup2 rw 0 0\n")
    names = ("memory/mine", "pids", "unified")
    assert {hierarchy.parent for hierarchy in host.hierarchies} == {tmp_path / name for name in names}
    assert host.has("pids")
    assert not host.has("cpu")
    without = seen(tmp_path, own, mounts)
    assert without.has("cpuacct")
    assert not without.freezes


def test_where_nothing_can_be_written_there_are_none(tmp_path: Path) -> None:
    """Nor where there is no such file system."""
    assert seen(tmp_path, "0::/gone\n", f"cgroup2 {tmp_path}/sys cgroup2 rw 0 0\n") == NO_CGROUPS
    assert seen(tmp_path, "", "") == NO_CGROUPS
    assert look(tmp_path / "none", tmp_path / "none") == NO_CGROUPS


def test_limits_are_written_down_in_the_words_of_each_version(tmp_path: Path) -> None:
    """Memory in bytes, processes with some for the sandbox, no swap; missing files are left."""
    for folder, files in {
        "two/bot": (
            "memory.max",
            "memory.swap.max",
            "pids.max",
            "cpu.max",
            "cgroup.freeze",
            "cgroup.events",
            "cpu.stat",
        ),
        "one/bot": ("memory.limit_in_bytes",),
    }.items():
        (tmp_path / folder).mkdir(parents=True)
        for file in files:
            (tmp_path / folder / file).write_text("")
    (tmp_path / "two/bot/cpu.stat").write_text("usage_usec 1500\nuser_usec 9\n")
    everything = frozenset({"memory", "pids", "cpu"})
    (tmp_path / "two/bot/pids.current").write_text("3\n")
    host = Host(
        (
            Hierarchy(tmp_path / "two", everything, unified=True),
            Hierarchy(tmp_path / "one", frozenset({"memory"}), unified=False),
        )
    )
    cgroup = Cgroup(host, "bot", BOUNDS)
    assert (tmp_path / "two/bot/memory.max").read_text() == str(100 * 2**20)
    assert (tmp_path / "two/bot/memory.swap.max").read_text() == "0"
    assert (tmp_path / "two/bot/pids.max").read_text() == "18"
    assert (tmp_path / "two/bot/cpu.max").read_text() == "120000 100000"
    assert (tmp_path / "one/bot/memory.limit_in_bytes").read_text() == str(100 * 2**20)
    assert (cgroup.cpu_ns(), cgroup.tasks(), cgroup.peak_memory()) == (1_500_000, 3, None)
    cgroup.add(77)
    assert (tmp_path / "one/bot/cgroup.procs").read_text() == "77"
    cgroup.freeze(frozen=True)
    assert (tmp_path / "two/bot/cgroup.freeze").read_text() == "1"


def test_a_group_that_cannot_be_made_is_our_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot runs uncounted where it was to be counted."""
    monkeypatch.setattr(cgroups, "EMPTY_SECONDS", 0.0)
    (tmp_path / "bot").write_text("")
    host = Host((Hierarchy(tmp_path, frozenset({"memory"}), unified=False),))
    with pytest.raises(LaunchError, match="control group"):
        Cgroup(host, "bot", BOUNDS)


def test_the_groups_of_this_host_can_be_made_and_go_again() -> None:
    """Control groups are made and removed again, and removing them twice does no harm."""
    host = find_host()
    if not host.hierarchies:
        pytest.skip("this user has no control groups")
    cgroup = Cgroup(host, f"arena-test-{os.getpid()}", BOUNDS)
    assert all(folder.is_dir() for folder in cgroup.folders)
    cgroup.remove()
    cgroup.remove()
    assert not any(folder.exists() for folder in cgroup.folders)
