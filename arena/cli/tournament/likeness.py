"""`arena tournament likeness`: which bots have much of their source in common."""

from __future__ import annotations

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.likeness import USUAL_THRESHOLD, Threshold, show_likeness
from arena.cli.shared.options import AsJson, TournamentName


def likeness(name: TournamentName, threshold: Threshold = USUAL_THRESHOLD, as_json: AsJson = False) -> None:
    """List the pairs of different teams' bots that have much of their source in common; for who runs it."""
    with connect_with_token() as client:
        found = client.likeness(name, threshold)
    show_likeness(found, as_json=as_json)
