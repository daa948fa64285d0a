"""A tournament that is frozen, and what happens behind that."""

from __future__ import annotations

from typing import Any

from arena.tournaments import amendments, freezing, lifecycle, matches
from tests.integration.arena.site import Site
from tests.integration.arena.world import issue_matches, play


def play_some(site: Site, number: int) -> None:
    """Play that many of the matches that wait, as they come."""
    world = site.world
    settings = world.settings.model_copy(update={"window": number})
    with world.database.transaction() as session:
        messages = issue_matches(session, settings)
    for message in messages[:number]:
        assert world.record(message, play(message.spec, seed=int(message.spec.match))) == "taken"


def freeze(site: Site, *, own: bool = False) -> None:
    """Freeze the cup; with `own` teams see their own matches."""
    with site.world.database.transaction() as session:
        cup = site.world.get(session)
        freezing.freeze(session, site.world.staff, cup, own=own)


def end_hidden(site: Site) -> None:
    """Play on behind the freeze to the end: with another result of the first match, and one decided."""
    world = site.world
    play_some(site, 2)
    with world.database.transaction() as session:
        cup = world.get(session)
        amendments.rerun(session, world.staff, _match(site, session, 1), "power cut")
        amendments.set_result(session, world.staff, _match(site, session, 5), "first", "agreed")
        assert cup.frozen_at is not None
    play_some(site, 9)
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session))


def _match(site: Site, session: Any, number: int) -> Any:
    return matches.get(session, site.world.get(session), number)
