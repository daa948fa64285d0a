"""Following what goes on in an arena by asking again and again."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from typing import Protocol, TypeVar

from arena.client.errors import BusyError, UnreachableError
from arena.core.terms import OVER, ExperimentState

FINAL_STATES = frozenset({*OVER, ExperimentState.FAILED})


class Stateful(Protocol):
    """What is in a state."""

    @property
    def state(self) -> str:
        """Which one."""


W = TypeVar("W", bound=Stateful)


def again_and_again(
    ask: Callable[[], W],
    pause: float,
    patience: float,
    final: Collection[str] = FINAL_STATES,
    rest: Callable[[W | None], object] = lambda _: None,
) -> Iterator[W]:
    """What is asked again and again, until its state is final.

    An arena that does not answer is waited for with so much `patience`, in seconds, since its last answer.

    Raises:
        ClientError: it does not answer any more, or refuses.
    """
    answer: W | None = None
    last_answer = time.monotonic()
    while True:
        try:
            answer = ask()
        except (UnreachableError, BusyError):
            if time.monotonic() - last_answer > patience:
                raise
        else:
            last_answer = time.monotonic()
            yield answer
            if answer.state in final:
                return
        time.sleep(pause)
        rest(answer)
