"""What is computed about the claims of the L-Game document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.documents import l_game as document
from arena.documents.texts import Words
from arena.reproduction.claims import Fact, fact
from arena.reproduction.l_game_code_claims import codes
from arena.reproduction.l_game_codes import decode
from arena.reproduction.l_game_comments import many
from arena.reproduction.l_game_facts import TRIALS, Facts, Wrong
from arena.reproduction.l_game_rules import share
from engines.games.l_game import PLACEMENTS, LGame

RESULTS = {"won": Words("勝", "won"), "drawn": Words("和", "drawn"), "lost": Words("負", "lost")}


def computed(analysis: Mapping[str, Any], facts: Facts) -> Iterator[Fact]:
    """What decides the claims that no comparison does, and the numbers of their answers."""
    start, likely = analysis["start"], many(analysis, document.LIKELY_WIN_CHILDREN)
    yield fact("no-advantage", not start["forced_win"], result=RESULTS[start["result"]])
    yield fact("thirteen-placements", likely["won"] == likely["positions"], likely=likely)
    yield fact("figure-1", decode(document.START_CODE) == LGame().initial())
    yield from _learner(facts)
    yield from _moves(analysis, facts)
    yield from codes(analysis, facts.coding)
    yield from _tree(facts)
    yield from _lost_positions(analysis, facts)
    yield from _special(analysis)
    yield from _wrong_moves(facts.wrong)
    yield from _rules(analysis, facts)


def _learner(facts: Facts) -> Iterator[Fact]:
    first, last = facts.trained[0], facts.trained[-1]
    table = "; ".join(f"{each.games:,}: {each.won}–{each.drawn}–{each.lost}" for each in facts.trained)
    yield fact("learner-1985", last.lost < first.lost, trials=TRIALS, table=table)
    every = document.WIN_NODES_A_SIDE
    complete = last.known == every and last.lost == 0
    yield fact("learner-complete", complete, last=last, every=every, trials=TRIALS)


def _moves(analysis: Mapping[str, Any], facts: Facts) -> Iterator[Fact]:
    coding = facts.coding
    yield fact(
        "pieces-and-board",
        (coding.pieces, coding.squares) == (frozenset({document.PIECES}), document.SQUARES),
        pieces=_list(coding.pieces),
        squares=coding.squares,
        placements=len(PLACEMENTS),
    )
    yield fact(
        "fifty-moves",
        facts.few_moves == 0,
        mean=analysis["moves"]["mean"],
        positions=document.POSITIONS,
        few=facts.few_moves,
        many=document.POSITIONS - facts.few_moves,
    )
    ahead = max(each["plies"] for each in analysis["distances"])
    yield fact("longest-fight", ahead=ahead, drawn=analysis["values"]["drawn"]["a_side"])
    yield fact("no-computer", ahead < 2 * document.FORESEEN, seconds=facts.seconds, ahead=ahead)
    yield fact("eight-symmetries", facts.orbits == {8}, sizes=sorted(facts.orbits))


def _tree(facts: Facts) -> Iterator[Fact]:
    yield fact(
        "predecessors",
        document.PREDECESSORS_OF_A_LOSE_NODE in facts.predecessors,
        nodes=len(facts.predecessors),
        low=facts.predecessors[0],
        high=facts.predecessors[-1],
        printed=document.PREDECESSORS_OF_A_LOSE_NODE,
    )
    shares = [f"{wrong}/{ways} = {wrong / ways:.1%}" for wrong, ways in facts.chances]
    yield fact(
        "figure-8",
        [int(100 * wrong / ways) for wrong, ways in facts.chances] == list(document.CHANCES),
        shares=Words("、".join(shares), " and ".join(shares)),
    )
    yield fact("two-minutes", seconds=facts.seconds)


def _lost_positions(analysis: Mapping[str, Any], facts: Facts) -> Iterator[Fact]:
    lost = sum(each["round"] == 0 for each in analysis["lost_positions"])
    yield fact("fifteen-boards", lost == document.LOSE_NODES_UP_TO_SYMMETRY, lost=lost)
    corners = {each["which"]: each for each in analysis["corners"]}
    everywhere = sum(each["angle_in_corner"] for each in corners.values())
    all_lost = sum(each["positions"] for each in corners.values())
    no_move, special = corners["no move"], corners["special"]
    yield fact(
        "eighty-percent",
        round(100 * everywhere / all_lost) == 80,
        no_move=no_move,
        everywhere=everywhere,
        all_lost=all_lost,
        share=everywhere / all_lost,
    )
    yield fact("special-in-corner", special["angle_in_corner"] > special["positions"] / 2, corner=special)
    yield fact("never-loses", facts.perfect.lost == 0, walked=facts.perfect)
    yield fact("best-successors-file", positions=document.POSITIONS_A_SIDE)


def _special(analysis: Mapping[str, Any]) -> Iterator[Fact]:
    special = [each for each in analysis["lost_positions"] if each["round"] > 0]
    rounds = [each["round"] for each in special]
    drawn_boards = (rounds.count(1), rounds.count(2), len(rounds) - rounds.count(1) - rounds.count(2))
    first, second, later = drawn_boards
    yield fact("figure-9", drawn_boards == document.SPECIAL_BOARDS, first=first, second=second, later=later)
    moves = [each["moves"] for each in special]
    six = [each["moves"] for each in special if each["round"] <= 2]
    yield fact("thirteen-moves", set(six) == {13}, six=_list(six), eight=_list(moves[6:]))
    drawn = analysis["values"]["drawn"]["a_side"]
    yield fact("not-all-solved", drawn > 0, drawn=drawn)


def _wrong_moves(wrong: Wrong) -> Iterator[Fact]:
    share = wrong.at_once / wrong.moves
    yield fact("decided-at-once", wrong.at_once == wrong.moves, wrong=wrong, share=share)


def _rules(analysis: Mapping[str, Any], facts: Facts) -> Iterator[Fact]:
    """About its hints beyond what each of them is compared by."""
    hints = {each["hint"]: each for each in analysis["hints"]}
    together = share(hints["all four"], "followed", "lost")
    best = min(share(each, "followed", "lost") for each in analysis["hints"][: document.HINTS])
    yield fact("hints-together", together < best, together=together, best=best)
    rules = facts.rules
    yield fact("four-rules", rules.drawn.lost == 0 == rules.without, rules=rules)
    inside, outside = (
        share(hints["inside the other"], which, "won") for which in ("followed", "not_followed")
    )
    yield fact("inside-wins", inside > outside, inside=inside, outside=outside)
    yield fact("general-mixed", facts.mixed.into_none == 0 == facts.mixed.into_all, mixed=facts.mixed)


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(set(numbers))))
