"""The filter of system calls, run here by a small machine of our own for both architectures."""

from __future__ import annotations

import errno
import struct

import pytest

from workers.core.errors import LaunchError
from workers.sandbox.seccomp import (
    ALLOW,
    ARCHITECTURES,
    ERROR,
    KILL,
    OWN_PID,
    Allowances,
    filter_program,
    with_pid,
)
from workers.sandbox.syscalls import (
    IDLE,
    JUDGED,
    MAKING,
    METADATA,
    MISSING,
    MODES,
    NEWEST_KNOWN,
    OPENING,
    REFUSED,
    SIGNALS,
)

STRICT = Allowances(forks=False, signals=False, metadata=False, host=False)
LOOSE = Allowances(forks=True, signals=True, metadata=True, host=True)
USUAL = {"read": (0, 63), "write": (1, 64), "futex": (202, 98), "exit_group": (231, 94), "openat": (257, 56)}
CLONE_THREAD, CLONE_VM, CLONE_NEWUSER = 0x10000, 0x100, 0x10000000
REFUSE, MISS, NO_TERMINAL = (ERROR | code for code in (errno.EPERM, errno.ENOSYS, errno.ENOTTY))


def judge(program: bytes, machine: str, number: int, *arguments: int) -> int:
    """What the kernel does with one call."""
    words = [argument & (2**64 - 1) for argument in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("=IIQ6Q", number, ARCHITECTURES[machine][0], 0, *words)
    loaded, line = 0, 0
    while True:
        code, true, false, value = struct.unpack_from("=HBBI", program, 8 * line)
        line += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif code == 0x54:
            loaded &= value
        else:
            met = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
            line += true if met else false


def call(machine: str, name: str, *arguments: int, allowed: Allowances = STRICT) -> int:
    """What happens to the call of that name."""
    judged = {name: numbers for name, (numbers, _) in {**MAKING, **OPENING}.items()}
    tables = USUAL | REFUSED | MISSING | IDLE | METADATA | SIGNALS | JUDGED | judged
    number = tables[name][ARCHITECTURES[machine][1]]
    if number is None:
        pytest.skip(f"{machine} has no {name}")
    return judge(filter_program(allowed, machine), machine, number, *arguments)


machines = pytest.mark.parametrize("machine", ARCHITECTURES)


@machines
def test_every_call_has_the_answer_of_its_table(machine: str) -> None:
    """What is refused, missing or usual is so for any arguments."""
    column = ARCHITECTURES[machine][1]
    program = filter_program(STRICT, machine)
    answers = ((REFUSED, REFUSE), (MISSING, MISS), (IDLE, ERROR), (METADATA, REFUSE), (USUAL, ALLOW))
    for table, answer in answers:
        numbers = [numbers[column] for numbers in table.values() if numbers[column] is not None]
        assert {judge(program, machine, number or 0, 1, 2, 3) for number in numbers} == {answer}


@machines
def test_calls_by_other_numbers_end_the_program(machine: str) -> None:
    """32-bit calls, and those of the x32 kind, kill; what was added to the kernel later does not exist."""
    program = filter_program(LOOSE, machine)
    other = next(name for name in ARCHITECTURES if name != machine)
    assert judge(program, other, 1) == KILL
    assert judge(program, machine, 0x40000000 | 1) == KILL
    assert judge(program, machine, NEWEST_KNOWN + 1) == MISS


@machines
def test_threads_may_be_started_and_processes_where_allowed(machine: str) -> None:
    """Namespaces are refused either way."""
    assert call(machine, "clone", CLONE_THREAD | CLONE_VM) == ALLOW
    assert call(machine, "clone", 17) == REFUSE
    assert call(machine, "clone", 17, allowed=LOOSE) == ALLOW
    for allowed in (STRICT, LOOSE):
        assert call(machine, "clone", CLONE_NEWUSER | CLONE_THREAD, allowed=allowed) == REFUSE
    assert call(machine, "clone", CLONE_VM, allowed=LOOSE) == ALLOW
    assert call(machine, "clone", 18, allowed=LOOSE) == REFUSE


@machines
def test_signals_go_to_the_program_itself_alone(machine: str) -> None:
    """The number of the process is put in when it is known."""
    program = with_pid(filter_program(STRICT, machine), 4321)
    number = SIGNALS["kill"][ARCHITECTURES[machine][1]] or 0
    assert judge(program, machine, number, 4321, 9) == ALLOW
    assert [judge(program, machine, number, pid, 9) for pid in (1, 0, -1, OWN_PID)] == [REFUSE] * 4
    assert call(machine, "kill", 1, 9, allowed=LOOSE) == ALLOW


@machines
def test_sockets_are_pairs_that_nobody_else_can_reach(machine: str) -> None:
    """Streams of the Unix kind, with whatever flags; no datagrams and no other family."""
    assert call(machine, "socketpair", 1, 1 | 0o2000000) == ALLOW
    assert call(machine, "socketpair", 1, 5) == ALLOW
    assert call(machine, "socketpair", 1, 2) == REFUSE
    assert call(machine, "socketpair", 16, 1) == REFUSE


@machines
@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("fcntl", (0, 3), ALLOW),
        ("fcntl", (0, 6), MISS),
        ("fcntl", (0, 37), MISS),
        ("fcntl", (0, 1024), MISS),
        ("fcntl", (0, 1036), MISS),
        ("fcntl", (0, 1031, 4096), ALLOW),
        ("fcntl", (0, 1031, 1 << 20), REFUSE),
        ("prctl", (15,), ALLOW),
        ("prctl", (1, 0), REFUSE),
        ("prctl", (0x53564D41, 0), ALLOW),
        ("prctl", (62, 1), REFUSE),
        ("madvise", (0, 0, 4), ALLOW),
        ("madvise", (0, 0, 12), REFUSE),
        ("mmap", (0, 0, 3, 0x22), ALLOW),
        ("mmap", (0, 0, 3, 0x40022), ERROR | errno.ENOMEM),
        ("sendto", (0, 0, 0, 0x4000), ALLOW),
        ("sendto", (0, 0, 0, 0x4001), REFUSE),
        ("getsockopt", (0, 1, 3), ALLOW),
        ("getsockopt", (0, 1, 57), REFUSE),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x5412), NO_TERMINAL),
        ("ioctl", (0, 0x40086602), NO_TERMINAL),
        ("sysinfo", (), MISS),
        ("clock_gettime", (1,), ALLOW),
        ("clock_gettime", ((~0 << 3) | 2,), ALLOW),
        ("clock_gettime", ((~4321 << 3) | 2,), ERROR | errno.EINVAL),
        ("personality", (0xFFFFFFFF,), ALLOW),
        ("personality", (0x40000,), REFUSE),
        ("prlimit64", (0,), ALLOW),
        ("prlimit64", (1,), REFUSE),
        ("prlimit64", (0, 4, 0, 1), ALLOW),
        ("prlimit64", (0, 4, 1, 0), REFUSE),
        ("prlimit64", (0, 4, 1 << 32, 0), REFUSE),
        ("prlimit64", (0, 7, 1, 0), ALLOW),
        ("sched_setscheduler", (0, 0, 1), ERROR),
        ("sched_setscheduler", (0, 1, 1), REFUSE),
        ("setrlimit", (4, 1), REFUSE),
        ("setrlimit", (7, 1), ALLOW),
    ],
)
def test_calls_that_depend_on_what_is_asked(
    machine: str, name: str, arguments: tuple[int, ...], answer: int
) -> None:
    """Locks, leases, marks on files, bigger pipes, policies, others' limits and clocks are refused."""
    assert call(machine, name, *arguments) == answer


@machines
@pytest.mark.parametrize("bits", [0o4000, 0o2000, 0o6755])
def test_no_call_makes_a_set_id_file(machine: str, bits: int) -> None:
    """Neither for a bot that may change modes nor for another; plain modes are let through."""
    made = {name: numbers for name, (numbers, _) in {**MODES, **MAKING, **OPENING}.items()}
    for name, (_, position) in {**MODES, **MAKING}.items():
        if made[name][ARCHITECTURES[machine][1]] is None:
            continue
        words = [0] * position
        assert call(machine, name, *words, bits, allowed=LOOSE) == REFUSE
        assert call(machine, name, *words, 0o1777 | 0o100000, allowed=LOOSE) == ALLOW
    for name, (_, position) in OPENING.items():
        if made[name][ARCHITECTURES[machine][1]] is None:
            continue
        words = [0] * position
        for flags in (0o101, 0o20200002):
            assert call(machine, name, *words, flags, bits, allowed=STRICT) == REFUSE
            assert call(machine, name, *words, flags, 0o777, allowed=STRICT) == ALLOW
        assert call(machine, name, *words, 0o1, bits, allowed=STRICT) == ALLOW
    assert call(machine, "openat2", allowed=LOOSE) == MISS


@machines
def test_the_upper_half_of_an_argument_hides_nothing(machine: str) -> None:
    """The kernel looks at the lower half of these arguments, and so does the filter."""
    assert call(machine, "fcntl", 0, 1 << 32 | 6) == MISS
    assert call(machine, "clone", 1 << 32 | CLONE_NEWUSER) == REFUSE


def test_an_unknown_architecture_has_no_filter() -> None:
    """Without one no level works."""
    with pytest.raises(LaunchError, match="riscv64"):
        filter_program(STRICT, "riscv64")
