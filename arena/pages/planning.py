"""What a tournament's page says of its length: an estimate before the start, what is left while it runs."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.api.schemas.planning import EstimateOut, EtaOut
from arena.errors import InvalidError
from arena.pages.wording import N_
from arena.planning import estimates, eta
from arena.planning.durations import Source
from arena.planning.estimates import Question
from arena.settings import Settings
from arena.store.models import Tournament
from arena.tournaments import ENTERING

BASES = {
    Source.TOURNAMENT: N_("what games of this tournament took"),
    Source.HISTORY: N_("what games with the same rules and clocks took here"),
    Source.CHECKS: N_("what the bots took in their submission checks"),
    Source.PRIOR: N_("an assumption, as nothing like it was played here yet"),
}


class Outlook(NamedTuple):
    """One of the two, or neither where there is nothing to say."""

    estimate: EstimateOut | None = None
    eta: EtaOut | None = None
    bases: dict[Source, str] = BASES


def outlook(session: Session, settings: Settings, tournament: Tournament) -> Outlook:
    """What is said of a tournament now; nothing of one with too few bots, or that is over."""
    if tournament.state in eta.BEGUN:
        return Outlook(eta=EtaOut.of(eta.eta(session, settings, tournament)))
    if tournament.state not in ENTERING:
        return Outlook()
    try:
        found = estimates.of_tournament(session, settings, tournament, Question())
    except InvalidError:  # too few bots for the format, so far
        return Outlook()
    return Outlook(estimate=EstimateOut.of(found))
