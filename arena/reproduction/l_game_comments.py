"""What the exact solution of the L-Game adds to its document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.reproduction.documents import l_game as document
from arena.reproduction.findings import Comment, Words


def many(analysis: Mapping[str, Any], least: int) -> Mapping[str, int]:
    """What the analysis counts of positions with at least so many moves."""
    return next(each for each in analysis["many_moves"] if each["at_least"] == least)


def comments(analysis: Mapping[str, Any]) -> Iterator[Comment]:
    """Further results of the exact solution."""
    start, values = analysis["start"], analysis["values"]
    longest = max(analysis["distances"], key=lambda each: each["plies"])
    yield Comment(
        ("claims/forced-win",),
        Words(
            f"起始盤面的 {start['moves']} 種下法中，有 {start['moves_that_lose']} 種會輸。每一方"
            f" {values['won']['a_side']} 個盤面必勝、{values['lost']['a_side']} 個必輸、"
            f"{values['drawn']['a_side']} 個可無限纏鬥；最長的必勝需要 {longest['plies']} 步。",
            f"Of the {start['moves']} first moves {start['moves_that_lose']} lose. A side has"
            f" {values['won']['a_side']} won, {values['lost']['a_side']} lost and"
            f" {values['drawn']['a_side']} drawn positions; the longest forced win takes"
            f" {longest['plies']} plies.",
        ),
    )
    likely = many(analysis, document.LIKELY_WIN_CHILDREN)
    if likely["won"] == likely["positions"] != likely["won_at_once"]:
        yield Comment(
            ("claims/169",),
            Words(
                f"169 個以上的 {likely['positions']} 個盤面中有 {likely['won_at_once']} 個立即獲勝；算入需"
                "要更多步的，則全部必勝。",
                f"Of the {likely['positions']} positions with 169 or more {likely['won_at_once']} win at"
                " once; with the longer wins counted, all of them win.",
            ),
        )
    corner = next(each for each in analysis["corners"] if each["which"] == "no move")
    if corner["covers_corner"] == corner["positions"] != corner["angle_in_corner"]:
        yield Comment(
            ("claims/corner",),
            Words(
                f"「在角落」指 L 的直角在角落（{corner['angle_in_corner']} 個）；{corner['positions']} 個"
                "必輸盤面的 L 其實都佔到某個角落。",
                f'"In the corner" is the L\'s right angle ({corner["angle_in_corner"]} positions); in all'
                f" {corner['positions']} the L covers some corner.",
            ),
        )
