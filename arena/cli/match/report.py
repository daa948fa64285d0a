"""A series or a match in words, for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.match.crosstable import print_pairs
from arena.cli.match.estimates import estimate_lines, story_lines
from arena.cli.match.worth import lines_of, loser_of, turn_of
from arena.cli.shared.advice import advice_of, protocol_of
from arena.cli.shared.options import params_text
from arena.cli.shared.output import amount, duration, print_line, print_table
from arena.core.commands import replay_command
from arena.core.sayings import said
from arena.core.words import say, say_many
from engines.game import Game, GameError
from engines.games import find_game
from workers.core.contract import Forfeit, MatchRecord, MoveRecord, SeatUse
from workers.core.escape import escape_text
from workers.core.stderr import KEPT

if TYPE_CHECKING:
    from arena.local.annotations import Annotation

NS_PER_MS = 1_000_000


def print_series(summary: Mapping[str, Any]) -> None:
    """The score, the time that each bot used, and every forfeit with its evidence."""
    bots = summary["bots"]
    columns = ("bot", ">points", ">wins", ">draws", ">losses", ">forfeits", _score_title(summary["game"]))
    keys = ("points", "wins", "draws", "losses", "forfeits", "score")
    labels = labels_of([bot["name"] for bot in bots])
    played = say(
        "{name}, {played} of {games}, seed {seed}",
        name=summary["game"]["name"],
        played=summary["played"],
        games=say_many("{number} game", "{number} games", summary["games"]),
        seed=summary["seed"],
    )
    rows = [(label, *(amount(bot[key]) for key in keys)) for label, bot in zip(labels, bots, strict=True)]
    print_table(columns, rows, played)
    print_pairs(summary, labels)
    titles = ("time", ">answers", ">mean", ">median", ">slowest", ">total", ">CPU", ">extensions")
    print_table(titles, [_time_row(label, bot["time"]) for label, bot in zip(labels, bots, strict=True)])
    for forfeit in summary["forfeits"]:
        for line in evidence_lines(forfeit):
            print_line(line)
    if not all(forfeit["replay"] for forfeit in summary["forfeits"]):
        print_line(say("again: run with --record FILE to replay it"))


def _score_title(game: Mapping[str, Any]) -> str:
    sense = find_game(game["name"], game["params"]).score_sense
    return ">" + say("score ({sense} win)", sense=say(sense)) if sense else ">score"


def labels_of(names: Sequence[str]) -> list[str]:
    """The names, numbered where they are the same."""
    if len(set(names)) == len(names):
        return list(names)
    return [f"{name} ({number})" for number, name in enumerate(names, start=1)]


def _time_row(label: str, time: Mapping[str, Any]) -> tuple[object, ...]:
    keys = ("mean_ms", "median_ms", "slowest_ms", "total_ms", "cpu_ms")
    durations = ["" if time[key] is None else duration(time[key] * NS_PER_MS) for key in keys]
    return (label, time["answers"], *durations, time["extensions_used"])


def evidence_lines(forfeit: Mapping[str, Any]) -> Iterator[str]:
    """Everything that is known about a forfeit, as it stands in a summary."""
    yield say(
        "game {game}: {bot} forfeits at ply {what}: {code}",
        game=forfeit["game"],
        bot=forfeit["bot"],
        what=forfeit["ply"] + 1,
        code=say(forfeit["code"]),
    )
    yield from _evidence(forfeit, forfeit["stderr_tail"], forfeit["bot"])


def _evidence(told: Mapping[str, Any], stderr: str, bot: str) -> Iterator[str]:
    """What is known about a forfeit of the bot that is given to commands as `bot`."""
    if not any(told[key] for key in ("detail", "expected", "received", "stderr_tail")):
        yield say("    evidence is for its team and the staff")
        return
    yield say("    detail:   {detail}", detail=said(told["detail"]))
    yield say("    expected: {expected}", expected=told["expected"])
    if told["received"]:
        yield say("    received: {received}", received=told["received"])
    if told["request"]:
        yield say("    request:  {request}", request=told["request"])
    cpu = (
        ""
        if told["cpu_ms"] is None
        else say(", {duration} of processor time", duration=duration(told["cpu_ms"] * NS_PER_MS))
    )
    yield say("    clock:    {duration}{cpu}", duration=duration(told["clock_ms"] * NS_PER_MS), cpu=cpu)
    if stderr:
        yield "    stderr:"
        yield textwrap.indent(stderr.rstrip("\n"), "      | ")
    times = {"clock": told["clock_ms"], "cpu": told["cpu_ms"]}
    advice = advice_of(told["code"], told["detail"], stderr, **times, received=told["received"])
    for each in filter(None, (advice, protocol_of(told["code"], bot))):
        yield say("    hint:     {advice}", advice=each)
    if told["replay"]:
        yield say("    again:    {replay}", replay=told["replay"])


def game_of(record: MatchRecord) -> Game[Any]:
    """The game that a record was played in.

    Raises:
        GameError: there is no such game here, or its rules were others then.
    """
    spec = record.spec.game
    game = find_game(spec.name, spec.params)
    if game.version != spec.version:
        raise GameError(
            say(
                "the match was played by version {version} of the rules of {name}; here are those of "
                "version {version2}",
                version=spec.version,
                name=spec.name,
                version2=game.version,
            )
        )
    return game


def shown_plies(record: MatchRecord) -> Iterator[tuple[MoveRecord, int, Any]]:
    """Every ply with the thinking time of its side so far (ns) and the state after it.

    Raises:
        GameError: the record does not fit the rules here.
    """
    game = game_of(record)
    state = game.initial()
    used = [0, 0]
    for move in record.result.moves:
        state = game.play(state, game.move_from_text(move.move))
        used[move.seat] += move.charged_ns
        yield move, used[move.seat], state


def is_timed(record: MatchRecord) -> bool:
    """Whether its answers were timed; those of a simulated game are not."""
    return bool(record.result.forfeits) or any(move.wall_ns for move in record.result.moves)


def print_match(record: MatchRecord, only_ply: int | None, name: str, kept: Annotation | None) -> None:
    """The match board by board, or only the one that `only_ply` was played on; `name` is its `FILE#n`.

    What its positions were worth stands below them, where that is kept.
    """
    game, labels = game_of(record), labels_of([bot.name for bot in record.spec.bots])
    timed = is_timed(record)
    if only_ply is None:
        _print_heading(record, labels, timed=timed)
    if only_ply == 0:
        print_line(say("before ply 1"))
    if only_ply in {None, 0}:
        print_line(game.draw(game.initial()))
        _print_worth(kept, 0, labels, game)
    for number, (move, used, state) in enumerate(shown_plies(record), start=1):
        if only_ply in {None, number}:
            print_line()
            clock = None if not timed else used
            print_line(ply_line(move, clock, labels) if only_ply is None else _board_line(move, labels))
            print_line(game.draw(state))
            _print_worth(kept, number, labels, game)
    if only_ply is None:
        _print_end(record, labels, name)
        _print_story(kept, labels, game, record.result.winner)


def _print_worth(kept: Annotation | None, ply: int, labels: Sequence[str], game: Game[Any]) -> None:
    if kept is None:
        return
    for line in lines_of(kept.analysis, ply, labels):
        print_line(line)
    if kept.estimated:
        for line in estimate_lines(kept.estimated, ply, labels, fewest=game.score_sense == "fewest"):
            print_line(line)


def _print_story(kept: Annotation | None, labels: Sequence[str], game: Game[Any], winner: int | None) -> None:
    if kept is None:
        return
    if kept.estimated:
        for line in story_lines(kept.estimated, labels, fewest=game.score_sense == "fewest"):
            print_line(line)
    if kept.analysis.positions:
        print_line(loser_of(kept.analysis, labels, winner))
        if turn := turn_of(kept.analysis, labels):
            print_line(turn)


def _print_heading(record: MatchRecord, labels: Sequence[str], *, timed: bool) -> None:
    spec = record.spec
    params = params_text(spec.game.params)
    print_line(
        say(
            "{what} against {what2}: {name}{what3}",
            what=labels[0],
            what2=labels[1],
            name=spec.game.name,
            what3=f" ({params})" if params else "",
        )
    )
    if not timed:
        print_line(say("simulated, without a clock\n"))
        return
    time = spec.time
    extended = (
        say(
            ", {extensions} up to {what:g} s",
            extensions=say_many("{number} time", "{number} times", time.extensions),
            what=time.extension_ms / 1000,
        )
        if time.extensions
        else ""
    )
    banked = (
        ""
        if time.bank_ms is None
        else say(
            ", then from a bank of {bank:g} s that each answer adds {more:g} s to",
            bank=time.bank_ms / 1000,
            more=time.increment_ms / 1000,
        )
    )
    told = {"what": time.move_ms / 1000, "banked": banked, "extended": extended}
    print_line(say("{what:g} s an answer{banked}{extended}", **told))
    print_line()


def ply_line(move: MoveRecord, used: int | None, labels: Sequence[str]) -> str:
    """A ply in words; `used` is what its side has thought in all (ns), None where nobody was timed."""
    line = say("ply {what}, {what2}: {move}", what=move.ply + 1, what2=labels[move.seat], move=move.move)
    if not move.asked:
        return say("{line} (not asked)", line=line)
    if used is None:
        return line
    extension = say(", extension spent") if move.extension else ""
    debug = f"  {move.debug!r}" if move.debug else ""
    return say(
        "{line}  {charged_ns}, {used} in all{extension}{debug}",
        line=line,
        charged_ns=duration(move.charged_ns),
        used=duration(used),
        extension=extension,
        debug=debug,
    )


def _board_line(before: MoveRecord, labels: Sequence[str]) -> str:
    played = f"{labels[before.seat]}: {before.move}"
    return say(
        "after ply {what} ({played}), before ply {what2}",
        what=before.ply + 1,
        played=played,
        what2=before.ply + 2,
    )


def _print_end(record: MatchRecord, labels: Sequence[str], name: str) -> None:
    from arena.local.endings import ending

    result = record.result
    who = say("nobody wins") if result.winner is None else say("{what} wins", what=labels[result.winner])
    print_line()
    print_line(
        say(
            "{who}: {reason}, {what} to {what2}",
            who=who,
            reason=ending(record.spec.game.name, result.reason),
            what=result.score[0],
            what2=result.score[1],
        )
    )
    for forfeit in result.voided:
        print_line(
            say(
                "an attempt before was void, its host was busy: {forfeit}",
                forfeit=_forfeit_line(forfeit, labels),
            )
        )
        if forfeit.clock_ns:
            lost, clock = duration(forfeit.strain.lost_ns), duration(forfeit.clock_ns)
            print_line(say("    lost to others: {lost} of {clock}", lost=lost, clock=clock))
    for seat, use in enumerate(result.seats):
        told = "" if any(forfeit.seat == seat for forfeit in result.forfeits) else _stderr(use)
        if told:
            print_line(say("{what} wrote to its stderr:", what=labels[seat]))
            print_line(textwrap.indent(told.rstrip("\n"), "      | "))
    print_forfeits(record, labels, name, [_argument(bot.name) for bot in record.spec.bots])


def _argument(bot: str) -> str:
    """How a bot that a record calls so is given to a command, as far as can be known from here."""
    if bot.startswith("@"):
        return bot.partition(" (")[0]  # of two alike, which are numbered
    return next((each for each in (f"{bot}.py", bot) if Path(each).exists()), "PATH")


def print_forfeits(record: MatchRecord, labels: Sequence[str], name: str | None, bots: Sequence[str]) -> None:
    """Every forfeit with its evidence; how to ask its bot again where the match is recorded under a `name`.

    `bots` are as they are given to commands.
    """
    for forfeit in record.result.forfeits:
        print_line(_forfeit_line(forfeit, labels))
        cpu_ms = None if forfeit.cpu_ns is None else forfeit.cpu_ns / NS_PER_MS
        times = {"clock_ms": forfeit.clock_ns / NS_PER_MS, "cpu_ms": cpu_ms}
        replay = replay_command(name, bots[forfeit.seat], forfeit.seat, forfeit.ply + 1) if name else None
        told = forfeit.model_dump() | times | {"replay": replay}
        stderr = _stderr(record.result.seats[forfeit.seat])
        for line in _evidence(told, stderr, bots[forfeit.seat]):
            print_line(line)


def _stderr(use: SeatUse) -> str:
    """All that was kept of what a bot wrote to its stderr, with a word where something is left out."""
    gap = (
        say(
            "\n[of {stderr_bytes} bytes the first and the last {KEPT}]\n",
            stderr_bytes=use.stderr_bytes,
            KEPT=KEPT,
        )
        if use.stderr_bytes > 2 * KEPT
        else ""
    )
    return use.stderr_head + gap + use.stderr_tail


def _forfeit_line(forfeit: Forfeit, labels: Sequence[str]) -> str:
    return say(
        "{what} forfeits at ply {what2}: {code}",
        what=labels[forfeit.seat],
        what2=forfeit.ply + 1,
        code=forfeit.code,
    )


def print_steps(steps: Iterable[Mapping[str, Any]]) -> None:
    """One line a question, with the evidence of a fault and what the bot wrote to its stderr."""
    for step in steps:
        answer = escape_text(step["move"]) if step["move"] is not None else say("resigns")
        if step["fault"]:
            fault = step["fault"]
            answer = f"{say(fault['code'])}: {said(fault['detail'])} {fault['received']}".rstrip()
        elif not step["legal"]:
            answer = say("illegal_move: {answer}", answer=answer)
        debug = f"  {step['debug']!r}" if step["debug"] else ""
        took = duration(step["wall_ms"] * 1e6)
        print_line(
            say(
                "ply {what}: {answer}  {took}  ({step}){debug}",
                what=step["ply"] + 1,
                answer=answer,
                took=took,
                step=_comparison(step),
                debug=debug,
            )
        )
        if step["stderr"]:
            print_line(textwrap.indent(step["stderr"].rstrip("\n"), "      | "))


def _comparison(step: Mapping[str, Any]) -> str:
    if step["same"]:
        return say("as recorded")
    fault = step["recorded_fault"]
    if fault:
        return say(
            "recorded: {code} {received}", code=say(fault["code"]), received=fault["received"]
        ).rstrip()
    return say("recorded: {what}", what=step["recorded"] or say("no move"))
