"""Play hostile bots by hand: `python -m tests.hostile bubblewrap network.loopback`; without names, all.

With `--user N` an ordinary user plays, to whom root changes. Says of each bot how it ended, and where that
was not allowed, why; `-v` shows all that the bot said.
"""

from __future__ import annotations

import argparse
import os
import sys

from tests.hostile.bots.kit import CASES, PLAYS
from tests.hostile.harness import GROUPS, WAYS, Site, Way, judge, own_users, site
from tests.hostile.host import look
from tests.hostile.ordinary import as_user
from workers.sandbox.environment import SDK

PAIR = "pair"
"""The name of the two bots that would cooperate."""


def main() -> int:
    """Play what the arguments name; 1 if a bot did not end as it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("way", choices=[way.name for way in WAYS])
    parser.add_argument("names", nargs="*", metavar="bot")
    parser.add_argument("--user", type=int, help="the number of an ordinary user")
    parser.add_argument("-v", "--verbose", action="store_true")
    wanted = parser.parse_intermixed_args()
    way = next(way for way in WAYS if way.name == wanted.way)
    names = wanted.names or [*(name for name in CASES if name.partition(".")[0] in GROUPS), PAIR]

    def deed() -> int:
        return play_all(way, names, verbose=wanted.verbose)

    with own_users() as first:
        os.environ.setdefault("ARENA_SLOT_UID", str(first))
        return deed() if wanted.user is None or os.geteuid() != 0 else as_user(wanted.user, deed)


def play_all(way: Way, names: list[str], *, verbose: bool) -> int:
    """Play those bots; 1 if one did not end as it may."""
    if not os.access(SDK, os.R_OK):
        tell("skipped: this user cannot read the checkout")
        return 0
    if (trouble := way.trouble) is not None:
        tell(f"skipped: {trouble}")
        return 0
    with site() as place:
        fine = [played(place, name, way, verbose=verbose) for name in names]
    return 0 if all(fine) else 1


def played(place: Site, name: str, way: Way, *, verbose: bool) -> bool:
    """Play the matches of one bot or of the pair, and say how they went; whether all was well."""
    before = look(place.uids, place.place)
    end = PLAYS
    try:
        if name == PAIR:
            place.check_pair(way.confinement())
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
