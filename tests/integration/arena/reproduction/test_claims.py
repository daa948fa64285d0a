"""The inventories of the documents: every claim has one row, and every row says something that holds."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from arena.cli.app import build
from arena.documents.inventory import DOCUMENTS, ClaimKind, Standing, inventory
from arena.documents.texts import Words, read
from arena.reproduction import claims, heap_nim, heap_nim_claims
from arena.reproduction.claims import InventoryError, answered, fact, row
from arena.reproduction.findings import Comparison, Method, Row, Section, counted
from engines.games.heap_nim import HeapNim
from engines.solvers import find_oracle

SectionOf = Callable[[str], Section]

FIGURES = {
    "circle_nim": range(1, 15),
    "l_game": (1, 2, 4, 5, 7, 8, 9),
    "nim": (1, 2, 3),
    "rhombic_chess": range(1, 5),
}
"""Figures that have an entry of their own number; others stand under what they show."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_claim_of_a_document_has_a_row_and_no_row_is_made_up(name: str, section_of: SectionOf) -> None:
    """As many rows as the inventory has claims, each with words in both languages."""
    section = section_of(name)
    assert [claim for claim, _ in section.claims] == list(inventory(name))
    for claim, each in section.claims:
        assert claim.key == each.key
        assert all((claim.where, *claim.says, *each.found)), claim.key
        assert bool(each.page or each.command) == (each.standing is Standing.WORKS), claim.key
    assert sum(section.standings().values()) == len(section.claims)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_a_row_is_about_is_in_the_report(name: str, section_of: SectionOf) -> None:
    """The keys in it are comparisons, tables or figures of the same section."""
    section = section_of(name)
    keys = {each.key for each in section.comparisons()}
    keys |= {exhibit.key for exhibit in section.exhibits} | {figure.key for figure in section.figures}
    for _, each in section.claims:
        assert set(each.about) <= keys, each


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_in_a_row_is_one(name: str, section_of: SectionOf) -> None:
    """The command line's own parser takes it: no unknown command, option or value."""
    for _, each in section_of(name).claims:
        if each.command:
            words = shlex.split(each.command)
            assert words[0] == "arena"
            command: Any = build(words[1:])
            context = command.make_context("arena", words[1:])
            while context.invoked_subcommand:
                rest = [*context._protected_args, *context.args]
                _, command, rest = command.resolve_command(context, rest)
                assert command is not None
                context = command.make_context(command.name, rest, parent=context)


@pytest.mark.parametrize("name", FIGURES)
def test_every_numbered_figure_is_in_the_inventory(name: str) -> None:
    """None of the documents' numbered figures is left out."""
    found = {
        int(number)
        for claim in inventory(name)
        for number in re.findall(r"figures? (\d+)", f"{claim.where} {claim.key.replace('-', ' ')}")
    }
    assert set(FIGURES[name]) <= found


def test_the_inventories_have_what_was_missing(section_of: SectionOf) -> None:
    """The kinds that a document has are there, and none of the inventories is a stub."""
    sizes = {name: len(inventory(name)) for name in DOCUMENTS}
    assert all(size >= 25 for size in sizes.values()), sizes
    everything = [claim.kind for name in DOCUMENTS for claim in inventory(name)]
    assert set(everything) == set(ClaimKind)
    by_key = {claim.key: each.standing for claim, each in section_of("l_game").claims}
    assert by_key["predecessors"] is Standing.CONTRADICTED
    wider = {by_key[key] for key in ("eighty-percent", "learner-complete", "decided-at-once")}
    assert wider == {Standing.CONTRADICTED}
    words = {claim.key: each.found.en for claim, each in section_of("l_game").claims}
    numbers = re.findall(r"\d[\d,]*", words["decided-at-once"])
    assert numbers == ["311,000", "235,424", "76", "9"]
    assert by_key["fifteen-boards"] is by_key["figure-9"] is by_key["figure-8"] is Standing.REPRODUCED
    by_key = {claim.key: each.standing for claim, each in section_of("circle_nim").claims}
    assert by_key["strategy-2-once"] is by_key["all-above-half"] is Standing.CONTRADICTED
    assert by_key["strategy-3-always-odd"] is by_key["counter-reset"] is Standing.CONTRADICTED
    assert by_key["unfair-small"] is Standing.REPRODUCED
    by_key = {claim.key: each.standing for claim, each in section_of("rhombic_chess").claims}
    assert by_key["figure-1"] is Standing.UNKNOWN
    assert by_key["nine-to-six"] is Standing.CONTRADICTED
    words = {claim.key: each.found.en for claim, each in section_of("rhombic_chess").claims}
    assert "drawn positions (stones: positions) 10: 1,028, " in words["draws"]
    rows = {claim.key: each for claim, each in section_of("reversed_reversi").claims}
    assert rows["click-checked"].standing is Standing.CONTRADICTED
    assert "64 squares of the opening 4 are playable" in rows["click-checked"].found.en


def test_a_claim_without_an_answer_stops_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim too many, an answer or a fact that no claim asks for, and two facts for one are refused."""
    game = HeapNim()
    facts = list(heap_nim_claims.computed(game, find_oracle(game), 0))
    compared = list(heap_nim.section(game, find_oracle(game)).comparisons())
    assert len(answered("nim", compared, facts)) == len(inventory("nim"))
    with pytest.raises(InventoryError, match="two facts for heaps-menu"):
        answered("nim", compared, [*facts, fact("heaps-menu")])
    with pytest.raises(InventoryError, match=r"no claim for \['more'\]"):
        answered("nim", compared, [*facts, fact("more")])
    with pytest.raises(InventoryError, match="always-wins: nothing decides it"):
        answered("nim", compared, [each for each in facts if each.key != "always-wins"])
    known, last = inventory("nim"), inventory("nim")[-1]
    monkeypatch.setattr(claims, "inventory", lambda _name: (*known, last._replace(key="new")))
    with pytest.raises(InventoryError, match=r"no answer to \['new'\]"):
        answered("nim", compared, facts)
    monkeypatch.setattr(claims, "inventory", lambda _name: known[:-1])
    with pytest.raises(InventoryError, match=rf"no claim for \['{last.key}'\]"):
        answered("nim", compared, facts)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_nothing_is_reproduced_by_decree(name: str) -> None:
    """An answer that says by itself what became of its claim never says that it is reproduced."""
    decreed = [each["standing"] for each in read("answers", name).values() if "standing" in each]
    assert set(decreed) <= {Standing.WORKS, Standing.UNKNOWN, Standing.CONTRADICTED}


def test_a_row_follows_its_comparisons() -> None:
    """All agree: reproduced. One does not: contradicted, with what is true. None: refused."""
    agreeing = counted("t/1", Words("甲", "a"), 12, 12)
    differing = counted("t/2", Words("乙", "b"), 12, 13)
    slip = Comparison("t/3", Words("丙", "c"), "1", "2", Method.ARITHMETIC, agrees=False)
    by_key = {each.key: each for each in (agreeing, differing, slip)}

    def compared(name: str) -> Row:
        return row("x", {"compared": [name]}, by_key, fact("x"))

    assert compared("t/1").standing is Standing.REPRODUCED
    wrong = compared("t/")
    assert (wrong.standing, wrong.about) == (Standing.CONTRADICTED, ("t/2", "t/3"))
    assert "1 of 3 agree (12 → 13; 1 → 2)" in wrong.found.en
    with pytest.raises(InventoryError, match="no comparisons"):
        compared("t/4")


def test_numbers_stand_in_the_words_of_either_language() -> None:
    """A number is the same in both; one with words of its own has those of each."""
    answer = {"zh": "{count} {side}", "en": "{count:,} {side}"}
    found = row("x", answer, {}, fact("x", True, count=1200, side=Words("先手", "the first"))).found
    assert found == Words("1200 先手", "1,200 the first")
