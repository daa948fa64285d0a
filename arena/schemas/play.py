"""Games that people play: what is wished for, and how one stands."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from arena.core.terms import MatchState
from arena.schemas.games import GameName
from arena.schemas.positions import PositionOut, SceneOut
from engines import USUAL_GAME
from workers.core.contract import GameSpec

MAX_NAME_CHARS = 60
ADDRESS = r"^[A-Za-z0-9_-]{22}$"

SeatWish = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=MAX_NAME_CHARS,
        description="Null for a person; a reference bot as `@random`, or a bot by its name.",
        examples=["@random"],
    ),
]
Seats = Annotated[
    tuple[SeatWish, SeatWish], Field(description="Who sits where; the first moves first. One is a person.")
]


class PlayClock(BaseModel):
    """What each side has for a whole game, and what each of its moves adds; in seconds."""

    model_config = ConfigDict(extra="forbid")

    seconds: Annotated[int, Field(ge=10, le=4 * 3600)]
    increment: Annotated[int, Field(ge=0, le=600)] = 0


class PlayMoveClock(BaseModel):
    """What each side has for a move, and how often one may take up to `extension` in all; in seconds."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"move": 60, "extensions": 3, "extension": 120}}
    )

    move: Annotated[int, Field(ge=1, le=3600)]
    extensions: Annotated[int, Field(ge=0, le=100)] = 3
    extension: Annotated[int, Field(ge=1, le=3600)]

    @model_validator(mode="after")
    def _is_longer(self) -> Self:
        if self.extension < self.move:
            raise ValueError("an extended move has at least the time of any other: extension >= move")
        return self


class NewPlay(BaseModel):
    """A game to be played: which, by whom, and with which clock; without one nobody loses by time."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"game": USUAL_GAME, "seats": [None, "@random"]}}
    )

    game: GameName
    params: dict[str, Any] = Field(default_factory=dict, description="Those that are not as usual.")
    seats: Seats = (None, "@random")
    clock: PlayClock | PlayMoveClock | None = None


class PlayMove(BaseModel):
    """A person's move, in the game's notation, after `ply` plies: it is not taken where the game went on."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"move": "1:2", "ply": 0}})

    move: Annotated[str, Field(min_length=1, max_length=64)]
    ply: Annotated[int, Field(ge=0, lt=2**31)]


class PlaySeats(BaseModel):
    """Who sits where from now on: another opponent, another level, or the sides exchanged."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"seats": [None, "@greedy"]}})

    seats: Seats


class PlayRestart(BaseModel):
    """A game from its beginning again, by others or with other parameters if they are named."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {}})

    seats: Seats | None = None
    params: dict[str, Any] | None = Field(
        default=None, description="All that are not as usual, for another board; null for the same one."
    )


class PlaySeatOut(BaseModel):
    """Who sits there: a person where there is no bot.

    `left` are the seconds on its clock, if any, as its turn began: what is left of one for the game; of
    one for a move the time for it, that of an extended one once `move` has passed. `extensions` are
    those that it has left besides.
    """

    bot: str | None
    version: int | None
    seconds: float = Field(description="What the side has thought in all.")
    left: float | None
    extensions: int | None


class PlayMoveOut(BaseModel):
    """One ply. Nobody was asked for a pass that the rules left no choice but to make."""

    ply: int
    seat: int
    move: str
    asked: bool
    seconds: float | None
    debug: str | None = Field(description="What the bot said of it: a reference bot, or one of one's own.")


class PlayResult(BaseModel):
    """How a game ended. `detail` says what a bot did wrong."""

    winner: int | None
    reason: str
    score: tuple[int, int]
    detail: str | None = None


class PlayTurnOut(BaseModel):
    """A bot's turn that is waited for; `parked` where no worker could play it."""

    seat: int
    state: MatchState
    asked_at: dt.datetime


class PlayHint(BaseModel):
    """What is best where a game stands, for the side to move; `told` is null while it is worked out.

    `told` is as `arena game hint --json` says it, with what legal moves are worth, or `unsolved` says why
    nobody knows. `english` and `chinese` say why, where the game can explain it, or by which score it ends.
    """

    state: MatchState
    told: dict[str, Any] | None
    english: str
    chinese: str


class PlayPosition(BaseModel):
    """A position: its state as bots are sent it, its drawing as text, the legal moves, and the last move."""

    ply: int
    state: dict[str, Any]
    text: str
    legal: list[str]
    last: str | None
    to_move: int
    score: tuple[int, int] | None
    over: bool


class PlayValue(BaseModel):
    """What a move is worth with perfect play to who makes it; `plies` count it, and are null for a draw.

    `margin` is that side's score less the other's at the end, where a game is counted, and `chance` the share
    of the answers to a draw by which the other side loses, where a game tells that. Where the position is not
    solved there is only an `estimate` of the margin.
    """

    result: Literal["won", "drawn", "lost"] | None = None
    plies: int | None = None
    margin: int | None = None
    chance: float | None = None
    estimate: float | None = None


class PlayNext(BaseModel):
    """A legal move, the position that it leads to, and its exact value if that was asked for."""

    move: str
    position: PositionOut
    value: PlayValue | None


class PlayNextOut(BaseModel):
    """Every position that can come next, at most 512. A hint works their values out: `asked` is its state.

    Once it has, the best come first.
    """

    scene: SceneOut
    asked: MatchState | None
    unsolved: bool = Field(description="Whether the hint said that nobody knows.")
    estimated: bool = Field(description="Whether the values are estimates.")
    positions: list[PlayNext]


class PlayOut(BaseModel):
    """A game as it stands. `revision` grows with everything that changes."""

    address: str = Field(description="A secret: who knows it sees the game, and plays it if nobody owns it.")
    revision: int
    game: GameSpec
    owner: str | None
    mine: bool = Field(description="Whether who asks may play in it.")
    seats: tuple[PlaySeatOut, PlaySeatOut]
    increment: int | None
    clock: PlayClock | PlayMoveClock | None
    position: PlayPosition
    moves: list[PlayMoveOut]
    running: float = Field(description="For how many seconds the side to move has had its turn.")
    turn: PlayTurnOut | None = Field(description="The bot's turn that is waited for.")
    hint: PlayHint | None
    result: PlayResult | None
    created_at: dt.datetime
    changed_at: dt.datetime


class PlayListed(BaseModel):
    """A game in the list of one's own."""

    address: str
    game: GameSpec
    seats: tuple[str | None, str | None]
    plies: int
    over: bool
    changed_at: dt.datetime


class PlayOpponents(BaseModel):
    """Whom one may play against in a game."""

    levels: list[str] = Field(description="Those that are measured for people, level 1 first.")
    reference: list[str]
    own: list[str]
    others: list[str]
