"""`arena announce` and `announcements`: the staff tells everybody something."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.options import AsJson
from arena.core.words import say


def announce(
    text: Annotated[str, typer.Argument(help="What everybody is told.")],
    tournament: Annotated[str | None, typer.Option(help="Where it is about just one.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell everybody something, who follows the arena at once and others with the announcements."""
    from arena.cli.shared.connection import connect_with_token
    from arena.cli.shared.output import print_json, print_line

    with connect_with_token() as client:
        told = client.announce(text, tournament)
    print_json(told) if as_json else print_line(say("announced as event {number}", number=told.number))


def announcements(as_json: AsJson = False) -> None:
    """Show what was announced, the newest first."""
    from arena.cli.shared.connection import connect
    from arena.cli.shared.output import print_json
    from arena.cli.shared.told import print_announcement

    with connect() as client:
        told = list(client.announcements())
    if as_json:
        print_json({"announcements": told})
        return
    for each in told:
        print_announcement(each)
