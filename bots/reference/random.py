"""A bot that plays any legal move of any game, each equally likely, drawn from the match's seed."""

from __future__ import annotations

from bots.sdk.arena_bot import Request, run


class Bot:
    """Plays at random."""

    name = "random"
    version = "1"
    reusable = True

    def choose(self, request: Request) -> str:
        """One of the legal moves."""
        return request.rng.choice(request.legal)


if __name__ == "__main__":
    run(Bot())
