"""Where others find the arena, and what they have to click until they trust its certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.shared.output import print_line
from arena.core.words import N_, say

if TYPE_CHECKING:
    from arena.core.folder import DataFolder
    from arena.core.running import ArenaState

CLICKS = (
    ("Chrome, Edge", N_("Advanced > Proceed to … (unsafe)")),
    ("Firefox", N_("Advanced… > Accept the Risk and Continue")),
    ("Safari", N_("Show Details > visit this website > Visit Website")),
)
"""How browsers are told to go on once."""


def fingerprint_of(state: ArenaState, folder: DataFolder) -> str | None:
    """The SHA-256 fingerprint of the CA's certificate of an arena that is reached by https."""
    if state.https_port is None:
        return None
    from arena.core.certificates import Certificates

    return Certificates(folder.certificates).fingerprint()


def print_reachable(state: ArenaState, folder: DataFolder) -> None:
    """Say where others find it; nothing where only this machine does."""
    from arena.core.addresses import is_loopback

    if not is_loopback(state.host):
        if state.addresses:
            print_line(say("Others reach it at {addresses}", addresses=say(" or ").join(state.addresses)))
        else:
            print_line(say("Others do not reach it: this machine is in no network."))
    fingerprint = fingerprint_of(state, folder)
    if fingerprint is None:
        return
    print_line(
        say("Their browsers do not know its certificate. To go on all the same, once in each browser:")
    )
    for browser, clicks in CLICKS:
        print_line(f"  {browser + ':':<14}{say(clicks)}")
    where = state.addresses[0] if state.addresses else state.url
    print_line(
        say("To trust it for good (docs/https.md): {where}/ca.crt, whose SHA-256 fingerprint is", where=where)
    )
    print_line(f"  {fingerprint}")
