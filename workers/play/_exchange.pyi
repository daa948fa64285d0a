from workers.sandbox.probe import Probe

Turn = tuple[int, int, int, bytes, int, int, int, int, int, int]
"""`sent_ns, heard_ns, taken, chunk, used_ns, answered_ns, rested_ns, delay_ns, delayed_ns, asleep` of a question.

It was handed over at `sent_ns` (of `time.monotonic_ns`), `taken` bytes of it at once, and if that was all,
what came to the first descriptor watched, `chunk`, was read at `heard_ns`. The bot had used `used_ns` of
processor time before. If `chunk` ends with a newline, it had used `answered_ns` at the answer, and `rested_ns`
when it had been looked at, -1 if that cannot be told. What the thread had waited for a processor grew from
`delay_ns` to `delayed_ns`.
`asleep` is 1 if the bot sleeps now, 0 if it does not, and -1 if it still runs.
"""

def ask(
    stdin: int,
    watched: tuple[int, ...],
    probe: Probe | None,
    schedstat: int,
    looks: int,
    fresh_until_ns: int,
    line: bytes,
    wait_ms: int,
    /,
) -> Turn | None:
    """Send `line` and read what comes within `wait_ms`; None, and nothing done, where that is not to be.

    That is after `fresh_until_ns`, or when one of the descriptors `watched` has something to say before the
    question. A bot that still runs after its answer is let run up to `looks` times.
    """
