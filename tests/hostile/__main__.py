"""Play hostile bots by hand: `python -m tests.hostile bubblewrap network.loopback`; without names, all.

With `--user N` an ordinary user plays, to whom root changes. Says of each bot how it ended, and where that
was not allowed, why; `-v` shows all that the bot said.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import traceback

from tests.hostile.bots.kit import CASES, Case
from tests.hostile.harness import GROUPS, WAYS, Site, Way, judge, site
from tests.hostile.host import look
from tests.hostile.ordinary import as_user
from workers.sandbox.slots import slots_folder

SLOT_UID = 69_000
"""The bots' users: none that a worker of this host uses meanwhile."""


def main() -> int:
    """Play what the arguments name; 1 if a bot did not end as it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("way", choices=[way.name for way in WAYS])
    parser.add_argument("names", nargs="*", metavar="bot")
    parser.add_argument("--user", type=int, help="the number of an ordinary user")
    parser.add_argument("-v", "--verbose", action="store_true")
    wanted = parser.parse_intermixed_args()
    os.environ.setdefault("ARENA_SLOT_UID", str(SLOT_UID))
    way = next(way for way in WAYS if way.name == wanted.way)
    names = wanted.names or [name for name in CASES if name.partition(".")[0] in GROUPS]

    def deed() -> int:
        return play_all(way, names, wanted.verbose)

    return deed() if wanted.user is None or os.geteuid() != 0 else as_user(wanted.user, deed)


def play_all(way: Way, names: list[str], verbose: bool) -> int:
    """Play those bots; 1 if one did not end as it may."""
    try:
        if (trouble := way.trouble) is not None:
            tell(f"skipped: {trouble}")
            return 0
        with site() as place:
            fine = [played(place, CASES[name], way, verbose) for name in names]
        shutil.rmtree(slots_folder(), ignore_errors=True)
        return 0 if all(fine) else 1
    except BaseException:  # noqa: BLE001  (the end of a process that must say why)
        traceback.print_exc()
        return 1


def played(place: Site, case: Case, way: Way, verbose: bool) -> bool:
    """Play one match, and say how it went; whether all was well."""
    before = look(place.uids, place.place)
    ended = place.play(case, way.confinement())
    if verbose:
        tell(ended.said)
    try:
        judge(case, ended)
        left = look(place.uids, place.place).left_since(before)
        assert not left, left
    except AssertionError as error:
        tell(f"WRONG {case.name}: {error}")
        return False
    tell(f"ok {case.name}: {ended.end}")
    return True


def tell(words: str) -> None:
    """Say something on stdout."""
    print(words, flush=True)  # noqa: T201  (a command)


if __name__ == "__main__":
    sys.exit(main())
