"""Verdicts of comparisons, and p-values adjusted over a whole document."""

from __future__ import annotations

import pytest

from arena.documents.texts import Words
from arena.reproduction.findings import Comparison, Exhibit, Method, Verdict, counted, judged

WORDS = Words("甲", "one")


def with_p(key: str, p: float) -> Comparison:
    """A tested comparison."""
    return Comparison(key, WORDS, "0.5", "0.6", Method.BINOMIAL, p=p)


def test_counts_agree_or_differ() -> None:
    """Equal counts agree exactly, others differ."""
    assert counted("a", WORDS, 15, 15).verdict is Verdict.EXACT
    assert counted("a", WORDS, 15, 16).verdict is Verdict.DIFFERS


def test_wrong_arithmetic_is_the_documents_own_contradiction() -> None:
    """A figure that does not follow from the document's others is told from one that differs from ours."""
    slip = Comparison("a", WORDS, "0.5", "0.6", Method.ARITHMETIC, agrees=False)
    assert slip.verdict is Verdict.SLIP


def test_all_tests_of_a_document_are_adjusted_together() -> None:
    """A p-value of 0.02 differs alone, not as one of five in two exhibits; exact ones do not count."""
    assert with_p("a", 0.02).verdict is Verdict.DIFFERS
    first = Exhibit("first", WORDS, (with_p("a", 0.02), with_p("b", 0.5), counted("c", WORDS, 1, 1)))
    second = Exhibit("second", WORDS, (with_p("d", 0.6), with_p("e", 0.0001), with_p("f", 0.9)))
    found = {each.key: each for exhibit in judged([first, second]) for each in exhibit.comparisons}
    assert found["a"].adjusted == pytest.approx(0.08)
    assert found["a"].verdict is Verdict.WITHIN
    assert found["e"].verdict is Verdict.DIFFERS
    assert found["c"].adjusted is None
    assert found["c"].verdict is Verdict.EXACT
