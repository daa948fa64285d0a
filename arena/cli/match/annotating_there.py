"""`arena match annotate --on workers`: the games of a tournament analysed by the arena that has played it."""

from __future__ import annotations

from typing import Any

from arena.cli.shared.connection import connect
from arena.cli.shared.failures import CliError
from arena.cli.shared.output import note
from arena.cli.shared.progress import following
from arena.core.words import say, say_many


def annotate_there(name: str) -> dict[str, Any]:
    """Have all games of a tournament analysed, wait for it, and return how accurately its bots have moved.

    Raises:
        ClientError: the arena does not answer, or refuses.
        CliError: it was interrupted; the arena goes on.
    """
    with connect() as client:
        total = max(1, client.analyse_all(name).left)
        try:
            with following(say("games")) as tell:
                for each in client.watch_analyses(name):
                    total = max(total, each.left)  # more are played meanwhile
                    tell(total - each.left, total)
        except KeyboardInterrupt:
            raise CliError(
                say("interrupted; the arena goes on, and the same command waits for it again")
            ) from None
        told = client.accuracy(name).model_dump(mode="json")
    if each.given_up:
        games = say_many("{number} game", "{number} games", each.given_up)
        note(say("given up by the workers: {games}; the errors' page says why", games=games))
    if each.without_stakes:
        games = say_many("{number} game", "{number} games", each.without_stakes)
        note(say("analysed by older workers, and in no figure: {games}", games=games))
    return told | {"given_up": each.given_up, "without_stakes": each.without_stakes}
