"""Names that no format is glad of."""

from __future__ import annotations

from hypothesis import strategies as st

SHARP = st.sampled_from(
    ['"', "\\", "[", "]", "{", "}", ";", ",", "'", "=", "+", "-", "@", "\n", "\r", "\t", "隊", " "]
)
PIECES = st.one_of(SHARP, st.sampled_from(["\\u{", "\u2028", "(;", ";)", "\0"]), st.characters(codec="utf-8"))
NAMES = st.lists(PIECES, max_size=12).map("".join)
"""Texts of all kinds, rich in what formats reserve."""
