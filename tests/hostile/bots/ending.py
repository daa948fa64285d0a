"""Bots that end when they should not, do not end when they should, or stop somewhere between."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import select
import signal
import struct
import sys
import threading
import time
from typing import Any

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
SOON_MS = 1000
"""Time enough for an opponent who is asked when it turns out that the bot goes on."""
PAUSE_MS = 500
COPIED_BYTES = 300 * 1024 * 1024
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


def ponder(marks: memoryview[float]) -> None:
    """Compute for ever, and mark the longest time for which that was not possible, and the last moment."""
    marks[1] = time.monotonic()
    while True:
        now = time.monotonic()
        marks[0] = max(marks[0], now - marks[1])
        marks[1] = now


def next_turn(marks: memoryview[float], question: dict[str, Any]) -> None:
    """Answer, and see whether all that ponders stood still while the other side thought."""
    while marks[1] == 0:  # it has not begun
        time.sleep(0.001)
    marks[0] = 0
    answer(question)
    question = hear()
    heard = time.monotonic()
    while marks[1] <= heard:
        time.sleep(0.001)
    stood_still(marks[0])
    play_on(question)


def stood_still(seconds: float) -> None:
    """Say whether that is as long as the other side was sure to think."""
    note(f"stood still for {seconds:.3f} s between two turns")
    if seconds < PAUSE_MS / 1000:
        breach("computing while the other side thinks", seconds)


@talk(PLAYS, pause_ms=PAUSE_MS)
def ponders_in_a_thread() -> None:
    """Computes in a thread while the other side thinks."""
    question = first_question()
    marks = memoryview(bytearray(16)).cast("d")
    threading.Thread(target=ponder, args=(marks,), daemon=True).start()
    next_turn(marks, question)
    os._exit(0)


@talk(PLAYS, pause_ms=PAUSE_MS)
def ponders_in_a_child() -> None:
    """Computes in a process of its own, in another session, while the other side thinks."""
    question = first_question()
    marks = memoryview(mmap.mmap(-1, 16)).cast("d")
    try:
        child = os.fork()
    except OSError as error:
        note(f"{REFUSED} fork: {error}")
        return play_on(question)
    if child == 0:
        os.setsid()
        ponder(marks)
    return next_turn(marks, question)


def continued_by_a_timer() -> None:
    """Have the kernel send SIGCONT every hundredth of a second.

    Raises:
        OSError: the kernel refuses.
    """
    timer = bytes(8)
    call("timer_create", time.CLOCK_MONOTONIC, struct.pack("Qii48x", 0, signal.SIGCONT, 0), timer)
    every = struct.pack("4q", 0, 10_000_000, 0, 10_000_000)
    call("timer_settime", struct.unpack_from("i", timer)[0], 0, every, 0)


def run_on(question: dict[str, Any]) -> None:
    """Answer, go on computing, and see for how long that was not possible until the next question."""
    last = time.monotonic()  # it may be stopped before it is back from its answer
    longest = 0.0
    asked = False
    answer(question)
    while not asked:
        asked = bool(select.select([0], [], [], 0)[0])
        now = time.monotonic()
        longest, last = max(longest, now - last), now
    stood_still(longest)
    play_on(hear())


@talk(PLAYS, pause_ms=PAUSE_MS)
def wakes_itself() -> None:
    """Has a timer continue it while it is stopped, and computes all the time."""
    question = first_question()
    try:
        continued_by_a_timer()
    except OSError as error:
        note(f"{REFUSED} a timer: {error}")
    run_on(question)


@talk(PLAYS, pause_ms=PAUSE_MS)
def wakes_by_an_alarm() -> None:
    """Waits for its next question like an honest bot, and computes when an alarm wakes it there."""

    def compute(*_: object) -> None:
        while not select.select([0], [], [], 0)[0]:
            pass

    signal.signal(signal.SIGALRM, compute)
    question = first_question()
    for seconds in (0.0005, 0.0002, 0.02):
        if question["type"] != "move":
            return
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})  # on a busy host it may ring at once
        signal.setitimer(signal.ITIMER_REAL, seconds)
        before = time.process_time()
        answer(question)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        question = hear()
        used = time.process_time() - before
        note(f"computed for {used:.4f} s between two turns")
        if used > PAUSE_MS / 1000 / 4:
            breach("computing while the other side thinks", used)
    play_on(question)


@talk(PLAYS, pause_ms=PAUSE_MS)
def sends_a_stand_in() -> None:
    """Has orphans that could be taken for itself, ends them before its answer, and computes all the time."""
    told, tell = os.pipe()
    orphans: list[int] = []
    try:
        for _ in range(12):
            if os.fork() == 0:
                orphan = os.fork()
                if orphan == 0:
                    time.sleep(60)
                os.write(tell, struct.pack("i", orphan))
                os._exit(0)
            orphans += struct.unpack("i", os.read(told, 4))
            os.wait()
    except OSError as error:
        note(f"{REFUSED} a child: {error}")
    question = first_question()
    for orphan in orphans:
        os.kill(orphan, signal.SIGKILL)
    run_on(question)


@talk(PLAYS, pause_ms=PAUSE_MS, memory_mb=512)
def forks_as_it_answers() -> None:
    """Starts a child right after its answer, with so much memory to copy that it is stopped in the midst."""
    held = mmap.mmap(-1, COPIED_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    held.madvise(mmap.MADV_NOHUGEPAGE)
    for page in range(0, COPIED_BYTES, mmap.PAGESIZE):
        held[page] = 1
    question = first_question()
    for _ in range(5):
        if question["type"] != "move":
            return
        answer(question)
        try:
            child = os.fork()
        except OSError as error:
            note(f"{REFUSED} fork: {error}")
            play_on(hear())
            return
        if child == 0:
            spend(600)
        question = hear()
        used = time.clock_gettime((~child << 3) | 2)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        note(f"a child computed for {used:.4f} s between two turns")
        if used > PAUSE_MS / 1000 / 4:
            breach("computing while the other side thinks", used)
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
