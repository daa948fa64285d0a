"""What a document says, claim by claim, and what became of each here.

The inventory is data: ``documents/claims/NAME.toml``, one entry for every figure, board, number, claim and
program option of a document, with its place and its words in ours. Each of them gets exactly one row.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files

from arena.reproduction.findings import Claim, Comparison, Kind, Row, Standing, Verdict, Words


class InventoryError(Exception):
    """The rows are not exactly those of the inventory; the message names those missing or too many."""


def inventory(name: str) -> tuple[Claim, ...]:
    """Every claim of the document of that name, in its order."""
    text = files("arena.reproduction.documents").joinpath("claims", f"{name}.toml").read_text("utf-8")
    return tuple(
        Claim(key, Kind(entry["kind"]), entry["where"], Words(entry["zh"], entry["en"]))
        for key, entry in tomllib.loads(text).items()
    )


def matched(name: str, rows: Iterable[Row]) -> tuple[tuple[Claim, Row], ...]:
    """Each claim of a document with its row.

    Raises:
        InventoryError: a claim has no row or two, or a row no claim.
    """
    claims = inventory(name)
    by_key: dict[str, Row] = {}
    for row in rows:
        if row.key in by_key:
            raise InventoryError(f"{name}: two rows for {row.key}")
        by_key[row.key] = row
    keys = {claim.key for claim in claims}
    if keys != set(by_key):
        raise InventoryError(
            f"{name}: no row for {sorted(keys - set(by_key))}, no claim for {sorted(set(by_key) - keys)}"
        )
    return tuple((claim, by_key[claim.key]) for claim in claims)


class Answers:
    """Makes the rows of a document whose comparisons are these, by key."""

    def __init__(self, comparisons: Iterable[Comparison]) -> None:
        self._comparisons: Mapping[str, Comparison] = {each.key: each for each in comparisons}

    def compared(self, key: str, *about: str, zh: str = "", en: str = "") -> Row:
        """By its comparisons: those named, or all whose keys begin with a name that ends with a slash.

        Reproduced if all agree. The words follow what they come to.
        """
        chosen = [
            each
            for name in about
            for each in self._comparisons.values()
            if each.key == name or (name.endswith("/") and each.key.startswith(name))
        ]
        if not chosen:
            raise InventoryError(f"{key}: there are no comparisons {about}")
        wrong = [each for each in chosen if each.verdict in {Verdict.DIFFERS, Verdict.SLIP}]
        standing = Standing.CONTRADICTED if wrong else Standing.REPRODUCED
        shown = wrong or (chosen if len(chosen) <= FEW else [])
        told = "; ".join(f"{each.document} → {each.ours}" for each in shown[:MAX_SHOWN])
        more = " …" if len(shown) > MAX_SHOWN else ""
        counts = (len(chosen) - len(wrong), len(chosen))
        words = Words(
            f"{counts[0]} / {counts[1]} 項相符" + (f"（{told}{more}）" if told else "") + _after("。", zh),
            f"{counts[0]} of {counts[1]} agree" + (f" ({told}{more})" if told else "") + _after(". ", en),
        )
        return Row(key, standing, words, about=tuple(each.key for each in (wrong or chosen)[:MAX_SHOWN]))

    def true_if(self, key: str, holds: bool, zh: str, en: str, *about: str) -> Row:
        """By a computed fact: reproduced where it holds, else contradicted; the words say what is true."""
        standing = Standing.REPRODUCED if holds else Standing.CONTRADICTED
        return Row(key, standing, Words(zh, en), about=about)

    def works(self, key: str, command: str, zh: str, en: str, *about: str) -> Row:
        """By a command of the arena that does it."""
        return Row(key, Standing.WORKS, Words(zh, en), command, about)

    def unknown(self, key: str, zh: str, en: str, *about: str) -> Row:
        """It cannot be known; the words say why."""
        return Row(key, Standing.UNKNOWN, Words(zh, en), about=about)


FEW = 3
MAX_SHOWN = 6
"""So many comparisons are named in a row; the table that they stand in has all."""


def _after(stop: str, words: str) -> str:
    return f"{stop}{words}" if words else ""
