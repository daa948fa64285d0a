"""Bots that end when they should not, do not end when they should, or stop somewhere between."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time

from tests.hostile.bots.kit import (
    PLAYS,
    REFUSED,
    answer,
    attack,
    breach,
    first_question,
    hear,
    note,
    play_on,
    refused,
    talk,
)
from tests.hostile.bots.system import call

HURRIED_MS = 300
PR_SET_NAME = 15
SOON_MS = 1000
"""Time enough for an opponent who is asked when it turns out that the bot goes on."""
SIGNALS = sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})


def ignore_all() -> None:
    """Ignore every signal that can be ignored."""
    for number in SIGNALS:
        try:
            signal.signal(number, signal.SIG_IGN)
        except OSError:
            note(f"cannot ignore {number}")


# --- too soon ------------------------------------------------------------------------------------------


@talk("crash")
def gives_up() -> None:
    """Ends well when it is asked."""
    first_question()


@talk("crash")
def exits_in_between() -> None:
    """Answers once, and ends."""
    answer(first_question())


@talk("crash")
def segfault() -> None:
    """Reads where nothing is."""
    first_question()
    ctypes.string_at(8)


@talk("crash")
def aborts() -> None:
    """Dies of SIGABRT."""
    first_question()
    os.abort()


@talk("crash", "resource")
def kills_itself() -> None:
    """Dies of SIGKILL, by its own hand."""
    first_question()
    os.kill(os.getpid(), signal.SIGKILL)


@talk("crash", "resource")
def deep_recursion() -> None:
    """Calls itself until the stack is used up."""
    first_question()
    sys.setrecursionlimit(10**8)
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))

    def dig(depth: int) -> str:
        return repr(dig) if depth < 0 else min([depth], key=lambda _: dig(depth + 1)).__repr__()

    dig(0)


@talk("crash")
def hangs_up() -> None:
    """Closes its stdout and stays."""
    first_question()
    os.close(1)
    time.sleep(60)


@talk("crash")
def stops_listening() -> None:
    """Closes its stdin and stays."""
    question = first_question()
    os.close(0)
    answer(question)
    time.sleep(60)


@talk("crash")
def leaves_a_child_on_the_line() -> None:
    """Ends while a child, if it may have one, holds its pipes."""
    first_question()
    try:
        if os.fork() == 0:
            time.sleep(60)
    except OSError as error:
        note(f"cannot fork: {error}")


@talk(PLAYS)
def leaves_children_of_odd_names() -> None:
    """Leaves children, if it may have any, whose names are no text or look like what the kernel says."""
    question = first_question()
    for name in (b"\xff\xfe", b") R 1", b"VmHWM: 1", b"\n"):
        ctypes.CDLL(None).prctl(PR_SET_NAME, name, 0, 0, 0)
        try:
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    time.sleep(60)
                os._exit(0)
        except OSError as error:
            note(f"cannot fork: {error}")
    play_on(question)


@talk("crash", "malformed")
def becomes_another() -> None:
    """Turns into another program, which knows nothing of games."""
    first_question()
    os.execv("/bin/sh", ["sh", "-c", "echo hello; sleep 60"])  # noqa: S606


# --- standing still ------------------------------------------------------------------------------------


@talk("timeout", PLAYS, move_ms=SOON_MS)
def stops_itself() -> None:
    """Sends itself SIGSTOP, which has no effect on the first process of a namespace."""
    question = first_question()
    os.kill(os.getpid(), signal.SIGSTOP)
    play_on(question)


@talk("timeout", PLAYS, move_ms=SOON_MS)
def stops_everybody() -> None:
    """Sends SIGSTOP to whatever it can reach, itself last."""
    question = first_question()
    for target in (-1, 0, os.getppid(), os.getpid()):
        try:
            os.kill(target, signal.SIGSTOP)
        except OSError as error:
            note(f"cannot stop {target}: {error}")
    play_on(question)


@talk(PLAYS)
def will_not_go() -> None:
    """Ignores all signals and the end of its input, and stays after the match."""
    ignore_all()
    play_on(first_question())
    while True:
        time.sleep(60)


@talk(PLAYS)
def writes_to_the_end() -> None:
    """Floods its pipes once the match is over."""
    play_on(first_question())
    while True:
        os.write(1, b"x" * 65536)


# --- dodging time --------------------------------------------------------------------------------------


def spend(seconds: float) -> None:
    """Use that much processor time."""
    begun = time.thread_time()
    while time.thread_time() - begun < seconds:
        pass


@talk("timeout", move_ms=HURRIED_MS)
def thinks_forever() -> None:
    """Computes, and never answers."""
    ignore_all()
    first_question()
    spend(600)


@talk("resource", "crash", cpu_seconds=1)
def beyond_its_processor_time() -> None:
    """Computes beyond its limit with SIGXCPU ignored."""
    ignore_all()
    first_question()
    refused("raising the limit", resource.setrlimit, resource.RLIMIT_CPU, (1000, 1000))
    spend(600)


@talk("resource", PLAYS, cpu_seconds=1)
def processor_time_of_children() -> None:
    """Has others compute for it, if it may have any, and answers when they have had too much together."""
    question = first_question()
    family: list[int] = []
    try:
        for _ in range(3):
            family.append(os.fork())
            if family[-1] == 0:
                spend(0.55)
                os.kill(os.getpid(), signal.SIGSTOP)
    except OSError as error:
        note(f"{REFUSED} a child: {error}")
    while sum(time.clock_gettime((~child << 3) | 2) for child in family) < 0.5 * len(family):
        time.sleep(0.01)
    answer(question)
    question = hear()
    if family and question["type"] == "move":
        breach("more processor time than allowed")
    play_on(question)


@attack()
def other_last_signals() -> None:
    """Has a child that sends an unusual signal when it ends, such as one that continues its parent."""
    for number in (signal.SIGCONT, signal.SIGKILL, signal.SIGUSR1):
        refused(f"a child that ends with {number}", call, "clone", int(number), 0, 0, 0, 0)


@attack()
def wants_to_go_first() -> None:
    """Asks for more of the processor than its share."""
    for policy in (os.SCHED_FIFO, os.SCHED_RR):
        refused("real time", os.sched_setscheduler, 0, policy, os.sched_param(50))
    refused("a better priority", os.setpriority, os.PRIO_PROCESS, 0, -20)
    refused("another core", os.sched_setaffinity, 0, range(1024))
