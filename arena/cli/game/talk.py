"""What is said at the terminal while somebody plays there: where the game stands, and what is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from arena.cli.game.rules import notation, rule_paragraphs, wrapped
from arena.cli.match.report import labels_of, ply_line
from arena.cli.shared.failures import exit_code_of
from arena.cli.shared.output import duration, note, print_line
from arena.cli.shared.progress import following
from arena.core.words import N_, language, say
from arena.local.errors import in_words
from arena.local.hints import hint_lines, worth
from arena.local.players import find_player, make_ready
from arena.local.playing import SEATS, Act, Against, Leave, Restart, Table, Undo, told
from engines.game import GameError
from engines.games import find_presentation, find_row
from workers.play.hints import hint

if TYPE_CHECKING:
    from engines.game import Game
    from workers.core.contract import MatchRecord

PAGE: Final = 10
"""So many next positions are shown at once."""
MAX_DIGITS: Final = 9
NS_PER_MS: Final = 1_000_000
HELP = N_("""\
Type a move, or
  moves       all legal moves             hint        the best moves, and why
  next        every next position, with its value; next 2 for more of them
  undo        take your last move back    restart     begin again
  level       the levels; level 3, level @random or level ./mybot.py plays on
  notes       all moves so far            rules       how the game goes
  quit        give up""")


def begin(game: Game[Any]) -> None:
    """What the game is, how moves are written, and what can be typed; on standard error."""
    shown = find_presentation(game.name)
    for text in (shown.summary(game).said(language()), notation(game)):
        note(wrapped(text))
    note(say(HELP))


class Speaker:
    """Shows where the game stands, and answers what is typed; `ask` gives a line, None when there is no more.

    It is told how many seconds it may wait, and gives an empty line where these are over.
    """

    def __init__(self, ask: Callable[[str, float], str | None]) -> None:
        self._ask = ask
        self._shown = 0

    def show(self, table: Table) -> None:
        """The plies that were played since the last time, what both sides have used, and the board."""
        self._tell_plies(table)
        print_line(table.game.draw(table.state))
        if (score := table.game.running_score(table.state)) is not None:
            print_line(say("score: {sides}", sides=_sides(_labels(table), score)))
        for line in _times(table):
            print_line(line)

    def tell(self, table: Table, record: MatchRecord) -> None:
        """The last plies, and how it ended."""
        self._tell_plies(table)
        print_line(told(table.game, record.result, table.names))
        for line in _times(table):
            print_line(line)

    def listen(self, table: Table, legal: Sequence[str]) -> str | Act | None:
        """A line that is typed: a legal move, what else is wanted, or None where it was answered."""
        going = bool(legal)
        prompt = say("seat {state}> ", state=table.game.to_move(table.state)) if going else say("over> ")
        typed = self._ask(prompt, table.left_ns / 1e9 if going else float("inf"))
        text = "quit" if typed is None else typed.strip()
        if not text or text in legal:
            return text or None
        word, _, rest = text.partition(" ")
        if word == "level" and rest:
            return self._against(table, rest.strip())
        if text == "undo" and not table.can_undo:
            print_line(say("there is no move of yours to take back"))
            return None
        acts: dict[str, Act] = {"quit": Leave(), "undo": Undo(), "restart": Restart()}
        if text not in acts:
            self._answer(table, text, legal)
        elif text == "restart":
            self._shown = 0
        return acts.get(text)

    def _against(self, table: Table, text: str) -> Act | None:
        """The bot that is to play from now on; None where it cannot, which is told."""
        levels = find_row(table.game.name).levels
        at = _number(text)
        if at is not None and not 1 <= at <= len(levels):
            print_line(say("there are levels from 1 to {most}; level lists them", most=len(levels)))
            return None
        try:
            bot = find_player(f"@{levels[at - 1]}" if at else text)
            make_ready([bot], table.game, following)
        except Exception as error:
            if exit_code_of(error) is None:
                raise
            print_line(in_words(error))
            return None
        print_line(say("from now on {bot} plays", bot=bot.name))
        return Against(bot)

    def _tell_plies(self, table: Table) -> None:
        for line in _plies(table, min(self._shown, len(table.moves))):
            print_line(line)
        self._shown = len(table.moves)

    def _answer(self, table: Table, text: str, legal: Sequence[str]) -> None:
        for line in _answers(table, text, legal):
            print_line(line)


def _answers(table: Table, text: str, legal: Sequence[str]) -> Iterator[str]:
    word, _, rest = text.partition(" ")
    if text == "moves":
        yield " ".join(legal)
    elif text == "hint":
        yield from _hint(table)
    elif word == "next" and (page := _number(rest or "1")) is not None:
        yield from _next(table, page, legal)
    elif text == "notes":
        yield from _plies(table, 0) if table.moves else [say("nobody has moved yet")]
    elif text == "level":
        yield from _levels(table)
    elif text == "rules":
        yield from map(wrapped, rule_paragraphs(table.game))
    elif text == "help":
        yield say(HELP)
    else:
        yield from _no_move(table, text)


def _number(text: str) -> int | None:
    """A number that is typed; one that has more digits than anything here is none."""
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else None


def _no_move(table: Table, text: str) -> Iterator[str]:
    try:
        table.game.play(table.state, table.game.move_from_text(text))
    except GameError as error:
        yield in_words(error)
    yield say("`moves` lists the legal moves, `help` all that can be typed")


def _labels(table: Table) -> list[str]:
    return labels_of([table.names[seat] for seat in SEATS])


def _plies(table: Table, first: int) -> Iterator[str]:
    """The plies from that one on."""
    labels, used = _labels(table), [0, 0]
    for move in table.moves:
        used[move.seat] += move.charged_ns if move.asked else 0
        if move.ply >= first:
            yield ply_line(move, used[move.seat], labels)


def _times(table: Table) -> Iterator[str]:
    """What both sides have thought in all, and have left."""
    labels = _labels(table)
    clocks = [table.clock(seat) for seat in SEATS]
    if table.moves:
        yield say(
            "thought in all: {sides}", sides=_sides(labels, [duration(each.total_ns) for each in clocks])
        )
    control = table.control
    if control is not None and control.bank_ms is not None:
        left = [duration((each.bank_ms or 0) * NS_PER_MS) for each in clocks]
        yield say("left on the clock: {sides}", sides=_sides(labels, left))
    elif control is not None and not control.extensions:
        yield say("{time} a move", time=duration(control.move_ms * NS_PER_MS))
    elif control is not None:
        yield say(
            "{time} a move; extensions to {whole} that are left: {sides}",
            time=duration(control.move_ms * NS_PER_MS),
            whole=duration(control.extension_ms * NS_PER_MS),
            sides=_sides(labels, [each.extensions_left for each in clocks]),
        )


def _sides(labels: Sequence[str], values: Sequence[Any]) -> str:
    return ", ".join(f"{label} {value}" for label, value in zip(labels, values, strict=True))


def _hint(table: Table) -> Iterator[str]:
    state = table.state
    try:
        with following(say("solving {name}", name=table.game.name)) as progress:
            best = hint(table.game, state, progress)
    except GameError as error:
        yield in_words(error)
    else:
        yield from hint_lines(table.game, state, best)


def _next(table: Table, page: int, legal: Sequence[str]) -> Iterator[str]:
    """Ten of the next positions, the best first, each with its move and what that is worth to its mover."""
    game, state, pages = table.game, table.state, -(-len(legal) // PAGE)
    if not 1 <= page <= pages:
        yield say("there are pages from 1 to {most}", most=pages) if pages else say("nothing follows")
        return
    try:
        with following(say("solving {name}", name=game.name)) as progress:
            values = {each["move"]: worth(game, each) for each in hint(game, state, progress)["values"]}
    except GameError as error:
        yield in_words(error)
        values = {}
    legal = [*values, *(text for text in legal if text not in values)]
    for number, text in enumerate(legal[PAGE * (page - 1) : PAGE * page], start=PAGE * (page - 1) + 1):
        value = f"  {values[text]}" if text in values else ""
        after = game.draw(game.play(state, game.move_from_text(text)))
        yield f"\n{number}/{len(legal)}  {text}{value}\n{after}"
    if page < pages:
        yield say("\nmore of them: next {page}", page=page + 1)


def _levels(table: Table) -> Iterator[str]:
    for number, player in enumerate(find_row(table.game.name).levels, start=1):
        yield f"{number}  @{player}"
    yield say("level N or level @NAME has that one play from now on, as does the path of a bot of your own")
