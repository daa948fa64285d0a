"""What became of each claim of a document here.

The inventory of its claims and the answers to them are data (`arena.documents.inventory`). An answer says it
in words, with what decides it, which is one of

- ``standing``, where nothing has to be computed: a ``page`` or a ``command`` does it, it cannot be known, or
  it is refuted by reading;
- ``compared``, the keys of comparisons, or the beginnings of keys with a slash at their end;
- neither: a fact that is computed while the report is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.documents.inventory import Claim, Standing, inventory
from arena.documents.texts import Words, filled, read
from arena.reproduction.findings import Comparison, Row, Verdict


class InventoryError(Exception):
    """The answers are not exactly those to the inventory; the message names those missing or too many."""


class Fact(NamedTuple):
    """What was computed about a claim: whether it `holds`, where that decides, and its answer's `numbers`.

    A number that is called otherwise in each language is `Words`. `about` are further keys that it is about.
    """

    key: str
    holds: bool | None = None
    numbers: Mapping[str, object] = {}
    about: tuple[str, ...] = ()


def fact(key: str, holds: bool | None = None, /, **numbers: object) -> Fact:
    """A fact about nothing else."""
    return Fact(key, holds, numbers)


def answered(
    name: str, comparisons: Iterable[Comparison], facts: Iterable[Fact]
) -> tuple[tuple[Claim, Row], ...]:
    """Each claim of a document with the answer to it, of what was compared and computed.

    Raises:
        InventoryError: a claim has no answer or two, or an answer no claim, or nothing decides it.
    """
    by_key = {each.key: each for each in comparisons}
    computed: dict[str, Fact] = {}
    for each in facts:
        if each.key in computed:
            raise InventoryError(f"{name}: two facts for {each.key}")
        computed[each.key] = each
    claims, answers = inventory(name), read("answers", name)
    keys = {claim.key for claim in claims}
    if keys != set(answers) or not keys >= set(computed):
        raise InventoryError(
            f"{name}: no answer to {sorted(keys - set(answers))},"
            f" no claim for {sorted({*answers, *computed} - keys)}"
        )
    return tuple(
        (claim, row(claim.key, answers[claim.key], by_key, computed.get(claim.key, Fact(claim.key))))
        for claim in claims
    )


def row(key: str, answer: Mapping[str, Any], comparisons: Mapping[str, Comparison], known: Fact) -> Row:
    """What became of the claim `key`.

    Raises:
        InventoryError: nothing decides it.
    """
    if known.holds is None and not answer.keys() & {"compared", "standing"}:
        raise InventoryError(f"{key}: nothing decides it")
    words = filled(answer, known.numbers)
    about = (*answer.get("about", ()), *known.about)
    if "compared" in answer:
        return _compared(key, _chosen(key, answer["compared"], comparisons), words, about)
    if "standing" in answer:
        page, command = answer.get("page", ""), answer.get("command", "")
        return Row(key, Standing(answer["standing"]), words, page, command, about)
    return Row(key, Standing.REPRODUCED if known.holds else Standing.CONTRADICTED, words, about=about)


def _chosen(key: str, names: Sequence[str], comparisons: Mapping[str, Comparison]) -> list[Comparison]:
    chosen = [
        each
        for name in names
        for each in comparisons.values()
        if each.key == name or (name.endswith("/") and each.key.startswith(name))
    ]
    if not chosen:
        raise InventoryError(f"{key}: there are no comparisons {names}")
    return chosen


FEW = 3
MAX_SHOWN = 6
"""So many comparisons are named in a row; the table that they stand in has all."""


def _compared(key: str, chosen: Sequence[Comparison], words: Words, about: tuple[str, ...]) -> Row:
    """Reproduced if all agree; the words say what they come to, and then what the answer says."""
    wrong = [each for each in chosen if each.verdict in {Verdict.DIFFERS, Verdict.SLIP}]
    shown = wrong or (chosen if len(chosen) <= FEW else [])
    told = "; ".join(f"{each.document} → {each.ours}" for each in shown[:MAX_SHOWN])
    more = " …" if len(shown) > MAX_SHOWN else ""
    right = len(chosen) - len(wrong)
    return Row(
        key,
        Standing.CONTRADICTED if wrong else Standing.REPRODUCED,
        Words(
            f"{right} / {len(chosen)} 項相符"
            + (f"（{told}{more}）" if told else "")
            + _after("。", words.zh),
            f"{right} of {len(chosen)} agree" + (f" ({told}{more})" if told else "") + _after(". ", words.en),
        ),
        about=about or tuple(each.key for each in (wrong or chosen)[:MAX_SHOWN]),
    )


def _after(stop: str, words: str) -> str:
    return f"{stop}{words}" if words else ""
