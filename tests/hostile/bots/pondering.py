"""Bots that would compute while the other side thinks, in whatever they can start or be woken by."""

from __future__ import annotations

import mmap
import os
import select
import signal
import struct
import threading
import time
from typing import Any

from tests.hostile.bots.ending import spend
from tests.hostile.bots.kit import PLAYS, REFUSED, answer, breach, first_question, hear, note, play_on, talk
from tests.hostile.bots.system import call

PAUSE_MS = 500
"""So long the other side is sure to think."""
COPIED_BYTES = 300 * 1024 * 1024
"""So much that a child of it takes milliseconds to be made."""


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


@talk(PLAYS, pause_ms=PAUSE_MS)
def forks_by_an_alarm() -> None:
    """Waits for its next question like an honest bot, and forks when an alarm wakes it to be stopped."""
    children: list[int] = []

    def compute(*_: object) -> None:
        try:
            children.append(os.fork())
        except OSError as error:
            note(f"{REFUSED} fork: {error}")
            return
        if children[-1] == 0:
            spend(600)

    signal.signal(signal.SIGALRM, compute)
    question = first_question()
    for seconds in (0.0012, 0.0016):
        if question["type"] != "move":
            return
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        signal.setitimer(signal.ITIMER_REAL, seconds)
        answer(question)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        question = hear()
        for child in children:
            used = time.clock_gettime((~child << 3) | 2)
            note(f"a child computed for {used:.4f} s between two turns")
            if used > PAUSE_MS / 1000 / 4:
                breach("computing while the other side thinks", used)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        children.clear()
    play_on(question)
