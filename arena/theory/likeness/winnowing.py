"""Fingerprints of a text of tokens by winnowing: Schleimer, Wilkerson and Aiken, SIGMOD 2003.

Of the hashes of all k-grams the least of each window of w is kept, the rightmost of several. So nothing
shorter than k tokens is found, and what is the same over w + k - 1 tokens leaves a fingerprint in both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from hashlib import blake2b

from arena.theory.likeness.tokens import BREAK

GRAM = 15
"""k: what is shorter is found in any two programs."""
CERTAIN = 24
"""w + k - 1: what is the same for so long is found."""
WINDOW = CERTAIN - GRAM + 1


def grams(kinds: Sequence[str]) -> list[int | None]:
    """The hash of the k-gram that begins at each place; None where that would go on into another file."""
    found: list[int | None] = []
    last_break = -1
    for end in range(len(kinds)):
        if kinds[end] == BREAK:
            last_break = end
        start = end - GRAM + 1
        if start >= 0:
            text = "\x1f".join(kinds[start : end + 1]).encode()
            whole = last_break < start
            found.append(int.from_bytes(blake2b(text, digest_size=8).digest()) if whole else None)
    return found


def winnow(hashes: Sequence[int | None]) -> list[int]:
    """The places whose hashes are fingerprints, in their order."""
    kept: list[int] = []
    window: deque[int] = deque()
    since = 0
    for at, value in enumerate(hashes):
        if value is None:
            _keep_short(hashes, range(since, at), window, kept)
            window.clear()
            since = at + 1
            continue
        while window and _at(hashes, window[-1]) >= value:
            window.pop()
        window.append(at)
        if window[0] <= at - WINDOW:
            window.popleft()
        if at - since >= WINDOW - 1 and (not kept or kept[-1] != window[0]):
            kept.append(window[0])
    _keep_short(hashes, range(since, len(hashes)), window, kept)
    return kept


def _keep_short(hashes: Sequence[int | None], piece: range, window: deque[int], kept: list[int]) -> None:
    """Of a file that is shorter than a window the least hash is kept, too."""
    if 0 < len(piece) < WINDOW and window and hashes[window[0]] is not None:
        kept.append(window[0])


def _at(hashes: Sequence[int | None], place: int) -> int:
    value = hashes[place]
    assert value is not None  # noqa: S101  (only places with a hash are in a window)
    return value
