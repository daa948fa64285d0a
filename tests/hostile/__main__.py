"""Play hostile bots by hand: `python -m tests.hostile bubblewrap network.loopback`; without names, all.

With `--user N` an ordinary user plays, to whom root changes. Says of each bot how it ended, and where that
was not allowed, why; `-v` shows all that the bot said.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path

from tests.hostile.bots.kit import CASES, PLAYS
from tests.hostile.harness import GROUPS, WAYS, Site, Way, judge, own_users, site
from tests.hostile.host import look
from tests.hostile.ordinary import as_user
from tests.hostile.stranger import Stranger
from tests.hostile.workshop import check_stranger, stored
from workers.sandbox.environment import SDK

PAIR = "pair"
"""The name of the two bots that would cooperate."""
IDLE = "idle"
"""The name of what is kept for further matches: it stays there until this process is killed."""
STRANGER = "stranger"
"""The name of the match that another account looks at; only root can make it one."""


def main() -> int:
    """Play what the arguments name; 1 if a bot did not end as it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("way", choices=[way.name for way in WAYS])
    parser.add_argument("names", nargs="*", metavar="bot")
    parser.add_argument("--user", type=int, help="the number of an ordinary user")
    parser.add_argument("-v", "--verbose", action="store_true")
    wanted = parser.parse_intermixed_args()
    way = next(way for way in WAYS if way.name == wanted.way)
    root = [STRANGER] if os.geteuid() == 0 else []
    names = wanted.names or [*(name for name in CASES if name.partition(".")[0] in GROUPS), PAIR, *root]

    with own_users() as first, contextlib.ExitStack() as stack:
        stranger = None
        if STRANGER in names:
            tempfile.tempdir = stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-hostile-run-"))
            Path(tempfile.tempdir).chmod(0o711)
            stranger = Stranger(tempfile.tempdir)
            stack.callback(stranger.close)

        def deed() -> int:
            return play_all(way, names, stranger, verbose=wanted.verbose)

        os.environ.setdefault("ARENA_SLOT_UID", str(first))
        return deed() if wanted.user is None or os.geteuid() != 0 else as_user(wanted.user, deed)


def play_all(way: Way, names: list[str], stranger: Stranger | None, *, verbose: bool) -> int:
    """Play those bots; 1 if one did not end as it may."""
    if not os.access(SDK, os.R_OK):
        tell("skipped: this user cannot read the checkout")
        return 0
    if (trouble := way.trouble) is not None:
        tell(f"skipped: {trouble}")
        return 0
    with site() as place:
        fine = [played(place, name, way, stranger, verbose=verbose) for name in names]
    return 0 if all(fine) else 1


def played(place: Site, name: str, way: Way, stranger: Stranger | None, *, verbose: bool) -> bool:
    """Play the matches of one bot, of the pair or before the stranger; say how they went, and if all well."""
    bot = stored(place) if name == STRANGER else None
    before = look(place.uids, place.place)
    end = PLAYS
    try:
        if name == IDLE:
            with place.idle(way):
                tell(IDLE)
                signal.pause()
        elif name == PAIR:
            place.check_pair(way.confinement())
        elif bot and stranger:
            check_stranger(place, bot, way.confinement(), stranger)
        else:
            ended = place.play(CASES[name], way.confinement())
            end = ended.end
            if verbose:
                tell(ended.said)
            judge(CASES[name], ended)
        left = look(place.uids, place.place).left_since(before)
        assert not left, left
    except AssertionError as error:
        tell(f"WRONG {name}: {error}")
        return False
    tell(f"ok {name}: {end}")
    return True


def tell(words: str) -> None:
    """Say something on stdout."""
    print(words, flush=True)  # noqa: T201  (a command)


if __name__ == "__main__":
    sys.exit(main())
