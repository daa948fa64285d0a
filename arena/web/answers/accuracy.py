"""How well the bots of a tournament have moved, in the words of the API and the pages."""

from __future__ import annotations

from arena.results.accuracy import Accuracies
from arena.schemas.accuracy import AccuracyOut, BotAccuracy
from arena.store.models import Tournament
from arena.theory.statistics.accuracy import told, told_estimates
from arena.web.answers.copying import copied


def accuracy_of(tournament: Tournament, known: Accuracies) -> AccuracyOut:
    """What is known of the games of `tournament`."""
    bots = [
        BotAccuracy.model_validate(
            {"bot": name, **told(accuracy), "estimated": told_estimates(known.estimated[name])}
        )
        for name, accuracy in sorted(known.bots.items())
    ]
    return copied(AccuracyOut, known, tournament=tournament.name, bots=bots)
