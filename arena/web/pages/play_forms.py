"""The form by which a game is begun: what stands in it, by whom it can be played so, and what it asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, InvalidError
from arena.core.games import find_rules
from arena.play import seats
from arena.store.models import User
from arena.submissions.reference import PREFIX
from engines.game import Game, GameError
from engines.games import find_game, find_presentation
from engines.presentation import Words

CLOCKS = ("60+0", "180+2", "300+3", "600+5", "1800+0")
"""Seconds for a side's whole game, and what each of its moves adds."""
MOVE_CLOCKS = ("60x3", "30x3", "10x3")
"""Seconds for a move, and how often a game it may take twice as long; the first is the rule of a class."""
YOU, OTHER = "you", "other"
PARAM = "param-"
"""What the fields of parameters are called, before the parameter's name."""
MANY, SHOWN = "many-", "shown-"
"""Before the name of a list: how many are in it, as is chosen, and as the form was shown."""
MAX_FIELD_CHARS = 1000
MAX_CHOICES = 20
"""A number that can be more is typed."""
SWITCH = ("true", "false")


class Control(NamedTuple):
    """A parameter's field: its name, what it is called, what stands in it, and what it is chosen from, if so.

    Of a list `many` is how many there are, and `counts` are how many there may be.
    """

    name: str
    label: Words
    value: str
    choices: Sequence[str] = ()
    many: int = 0
    counts: Sequence[int] = ()

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off."""
        return self.choices == SWITCH


class Draft:
    """What stands in the form: what was typed or an address says, else what is usual.

    `game` has the parameters that are typed, and the usual ones where these are refused: `fault` says why.
    """

    def __init__(self, name: str, typed: Mapping[str, str]) -> None:
        """Read it.

        Raises:
            UnknownGameError: there is no such game.
        """
        self.usual = find_game(name)
        self.typed = dict(typed)
        self.game = self.usual
        self.fault: InvalidError | None = None
        try:
            for each, value in self.usual.parameters.items():
                if isinstance(value, list | tuple):
                    self._fill(each)
            self.game = find_rules(name, self.params)
        except InvalidError as error:
            self.fault = error

    def __getitem__(self, name: str) -> str:
        """What stands in a field."""
        return self.typed.get(name, "")

    @property
    def params(self) -> dict[str, Any]:
        """The parameters as they were typed; one that may be left unsaid is, where its field is empty.

        Raises:
            InvalidError: one cannot be read.
        """
        usual = self.usual.parameters
        read = {}
        for field, text in self.typed.items():
            name = field.removeprefix(PARAM)
            if field != name and (text.strip() or usual.get(name, "") is not None):
                read[name] = _read(name, text, is_list=isinstance(usual.get(name), list | tuple))
        return read

    @property
    def controls(self) -> list[Control]:
        """The fields of the parameters."""
        return [self._control(name, usual) for name, usual in self.usual.parameters.items()]

    def _control(self, name: str, usual: Any) -> Control:
        label = find_presentation(self.game.name).parameter(name)
        value = self.typed.get(f"{PARAM}{name}", written(usual))
        if isinstance(usual, bool):
            return Control(name, label, value, SWITCH)
        least, most = self.usual.bounds.get(name, (1, 0))
        if isinstance(usual, list | tuple):
            many = len(_numbers(value)) if self.fault else len(self.game.params[name])
            return Control(name, label, value, many=many, counts=range(least, most + 1))
        if isinstance(usual, int) and least <= most < least + MAX_CHOICES:
            possible = [str(number) for number in range(least, most + 1) if self._can_be(name, number)]
            return Control(name, label, value if value in possible else written(usual), possible)
        return Control(name, label, value)

    def _can_be(self, name: str, value: int) -> bool:
        """Whether a parameter can have that value beside the others as they stand."""
        try:
            find_game(self.game.name, {**self.game.params, name: value})
        except GameError:
            return False
        return True

    def _fill(self, name: str) -> None:
        """Bring a list to as many as were chosen since it was shown: each further one is one more."""
        many, numbers = self[f"{MANY}{name}"], _numbers(self[f"{PARAM}{name}"])
        _, most = self.usual.bounds.get(name, (0, 0))
        if many == self[f"{SHOWN}{name}"] or not many.isdecimal() or int(many) > most or not numbers:
            return
        while len(numbers) < int(many):
            numbers.append(numbers[-1] + 1)
        self.typed[f"{PARAM}{name}"] = written(numbers[: int(many)])


def typed_of(params: Mapping[str, Any]) -> dict[str, str]:
    """The fields of parameters that a game has."""
    return {f"{PARAM}{name}": written(value) for name, value in params.items()}


def has_params(typed: Mapping[str, str]) -> bool:
    """Whether some of what was sent are parameters."""
    return any(field.startswith(PARAM) for field in typed)


def choices_of(session: Session, user: User | None, game: Game[Any]) -> dict[str, Any]:
    """Whom one may play against in a game with its parameters; reference bots with what they do."""
    told = seats.descriptions(game)
    return {
        "levels": [PREFIX + name for name in seats.levels(game)],
        "reference": {PREFIX + name: description for name, description in told.items()},
        "own": [bot.name for bot in seats.own_bots(session, user, game.name)],
        "others": [bot.name for bot in seats.other_bots(session, user, game.name)],
    }


def chosen(draft: Draft, choices: Mapping[str, Any]) -> str:
    """The opponent that stands in the form: who is asked for if offered, else level 1."""
    wish = named(draft["opponent"], draft["level"])
    offered = {name for names in choices.values() for name in names}
    if "opponent" in draft.typed and (not wish or wish in offered or wish.partition(":")[0] in offered):
        return wish
    return next(iter(choices["levels"]), f"{PREFIX}random")


def named(opponent: str, level: str) -> str:
    """An opponent with its level, where that is not among its name."""
    takes = level.strip() and opponent.startswith(PREFIX) and ":" not in opponent
    return f"{opponent}:{level.strip()}" if takes else opponent


def seats_of(opponent: str, level: str, side: str) -> tuple[str | None, str | None]:
    """Who sits where, as the form says it: without an opponent two people do.

    Raises:
        InvalidError: nobody knows who begins.
    """
    wish = named(opponent, level) or None
    if side_of(side) == OTHER:
        return wish, None
    return None, wish


def side_of(text: str) -> str:
    """Who begins.

    Raises:
        InvalidError: it is neither.
    """
    if text not in {"", YOU, OTHER}:
        raise InvalidError(
            "who begins is %(you)r or %(other)r, not %(text)r", you=YOU, other=OTHER, text=text[:40]
        )
    return text or YOU


def clock_of(text: str) -> dict[str, int] | None:
    """The clock that the form names.

    Raises:
        InvalidError: there is none of that name.
    """
    if not text:
        return None
    if text in MOVE_CLOCKS:
        move, _, extensions = text.partition("x")
        return {"move": int(move), "extensions": int(extensions), "extension": 2 * int(move)}
    if text not in CLOCKS:
        known = ", ".join([*CLOCKS, *MOVE_CLOCKS])
        raise InvalidError("the clock is one of %(clocks)s, or none", clocks=known)
    seconds, _, increment = text.partition("+")
    return {"seconds": int(seconds), "increment": int(increment)}


def faults_of(draft: Draft, session: Session, user: User | None) -> list[ArenaError]:
    """What of an address is passed over; what is usual takes its place."""
    faults: list[ArenaError] = [draft.fault] if draft.fault else []
    wish = named(draft["opponent"], draft["level"]) or None
    for name, read in (
        ("opponent", lambda: seats.sit(session, user, wish, draft.game)),
        ("side", lambda: side_of(draft["side"])),
        ("clock", lambda: clock_of(draft["clock"])),
    ):
        try:
            read()
        except ArenaError as error:
            faults.append(error)
            draft.typed.pop(name, None)
    return faults


def written(value: Any) -> str:
    """A parameter as it stands in the form: a list without its brackets, and nothing where it is unsaid."""
    if value is None:
        return ""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else json.dumps(value)


def _read(name: str, text: str, *, is_list: bool) -> Any:
    try:
        return json.loads(f"[{text}]" if is_list else text)
    except (ValueError, RecursionError):
        raise InvalidError("%(name)s cannot be read: %(text)r", name=name, text=text[:40]) from None


def _numbers(text: str) -> list[int]:
    """The whole numbers of a list as it was typed; none where it cannot be read."""
    try:
        found = _read("", text, is_list=True)
    except InvalidError:
        return []
    return found if all(type(each) is int for each in found) else []


async def _sent(request: Request) -> dict[str, str]:
    form = await request.form()
    return _cut(form.multi_items())


def _asked(request: Request) -> dict[str, str]:
    return _cut(request.query_params.multi_items())


def _cut(items: Sequence[tuple[str, Any]]) -> dict[str, str]:
    return {name: value[:MAX_FIELD_CHARS] for name, value in items if isinstance(value, str)}


Sent = Annotated[dict[str, str], Depends(_sent)]
Asked = Annotated[dict[str, str], Depends(_asked)]
