"""What is assumed of matches where none like them was recorded: from submission checks, else of any bot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from arena.core.terms import Source
from arena.planning.durations import DurationSample
from arena.planning.longest import answering_ms
from engines.game import Game
from engines.stream import Stream
from workers.checks.contract import CHECK_TIME, CheckReport, Step
from workers.core.contract import Policy, TimeControl
from workers.play.policy import watch_of

GAMES = 5
"""Random games that say how many answers a game typically has."""

SHARES = np.geomspace(0.01, 1.0, 41)
"""Without data a bot uses from a hundredth to all of its time, even in ratios: about a fifth on average."""

WATCHES_FROM = 0.25
"""A bot that used this share of its time or more in its check is taken to watch the clock."""

REST_SECONDS = 1.0
"""What a match takes besides its answers, starts included, where nothing is known."""


@lru_cache(maxsize=32)
def typical_answers(game: Game[Any]) -> float:
    """How many answers a game has: the mean of a few random games, always the same ones."""
    return sum(_answers(game, Stream("typical", game.name, number)) for number in range(GAMES)) / GAMES


def _answers(game: Game[Any], stream: Stream) -> int:
    state, answers, watch = game.initial(), 0, watch_of(game, Policy())
    while (legal := game.legal_moves(state)) and (watch is None or watch.reason is None):
        answers += game.forced_pass(state) is None
        state = game.play(state, stream.choice(legal))
        if watch is not None:
            watch.played(state)
    return answers


def budget(time: TimeControl, answers: float) -> float:
    """The seconds that a bot has for so many answers, without extensions and grace."""
    plain = time.model_copy(update={"extensions": 0, "grace_ms": 0})
    return answering_ms(plain, max(1, round(answers))) / 1000


def prior(time: TimeControl, answers: float) -> DurationSample:
    """Bots that use every share of the time that they have in a game of so many answers of both."""
    seconds = budget(time, answers / 2)
    return DurationSample(
        Source.PRIOR, 0, {-number: (share * seconds,) for number, share in enumerate(SHARES)}, (REST_SECONDS,)
    )


class Checked(NamedTuple):
    """How long the matches of a bot's check took in a game, in seconds: one, two, and one.

    `cut` says that the last three were broken off, because its answers took too long.
    """

    handshake: float
    random: float
    self_play: float
    cut: bool = False

    @classmethod
    def of(cls, report: CheckReport, game: str) -> Checked | None:
        """The times of a report; None where it has not all of them."""
        done = {step.step: step for step in report.steps if step.game == game and step.passed}
        wanted = (Step.HANDSHAKE, Step.RANDOM, Step.SELF_PLAY)
        if not done.keys() >= set(wanted):
            return None
        cut = any(step.cut for step in done.values())
        handshake, random, self_play = (done[step].took_ms / 1000 for step in wanted)
        return cls(handshake, random, self_play, cut)

    @property
    def used(self) -> float:
        """What the bot used in one of the four seats that it had, its start not included.

        Without end where its matches were cut: it is taken to use all of its time.
        """
        if self.cut:
            return math.inf
        return max(0.0, (self.random - 2 * self.handshake) + (self.self_play - self.handshake)) / 4


def from_checks(
    checked: Mapping[int, Checked], time: TimeControl, answers: float, in_check: float
) -> DurationSample:
    """What bots will use in a game of so many answers by what they used in their checks' of `in_check`.

    The checks' clock shows little time. A bot that used a good share of it will use the same share here; any
    other one the same time for an answer, whatever the clock shows.
    """
    uses = {}
    for bot, took in checked.items():
        share = took.used / budget(CHECK_TIME, in_check / 2)
        most = budget(time, answers / 2)
        uses[bot] = (min(1.0, share) * most if share >= WATCHES_FROM else took.used * answers / in_check,)
    return DurationSample(
        Source.CHECKS, len(checked), uses, tuple(took.handshake for took in checked.values())
    )


def rescaled(evidence: DurationSample, ratio: float) -> DurationSample:
    """The same for another time limit, `ratio` times the old one: every bot uses the same share of it."""
    uses = {bot: [ratio * use for use in each] for bot, each in evidence.uses.items()}
    return DurationSample(evidence.source, evidence.games, uses, evidence.rest)


def of_matches(
    source: Source, matches: Iterable[tuple[int, int, float, float, float]]
) -> DurationSample | None:
    """What recorded matches tell: both bots, what each used, and how long it took in all, in seconds."""
    uses: dict[int, list[float]] = {}
    rest: list[float] = []
    for first, second, by_first, by_second, took in matches:
        uses.setdefault(first, []).append(by_first)
        uses.setdefault(second, []).append(by_second)
        rest.append(max(0.0, took - by_first - by_second))
    return DurationSample(source, len(rest), uses, rest) if rest else None
