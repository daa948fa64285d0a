"""The words of tie-breaks: what a column is called, and what is told over it."""

from __future__ import annotations

from typing import NamedTuple

from arena.web.pages.wording import N_


class Words(NamedTuple):
    """A column's short name, what it counts, and how its numbers are written."""

    short: str
    told: str
    form: str = "#,##0.0##"


TIE_BREAKS = {
    "points": Words(
        N_("Points"), N_("1 for a game won, a half for one drawn; whole and half byes count too")
    ),
    "direct": Words(
        N_("Direct"),
        N_(
            "Direct encounter: points against those tied so far. Whom it separates only in part is compared "
            "again, by the games among those still tied"
        ),
    ),
    "sonneborn_berger": Words(
        N_("Sonneborn-Berger"),
        N_("The points of every opponent times the points made against it"),
        "#,##0.00##",
    ),
    "buchholz": Words(N_("Buchholz"), N_("The sum of the points of all opponents")),
    "buchholz_cut1": Words(
        N_("Buchholz cut 1"), N_("The sum of the points of all opponents without the lowest")
    ),
    "buchholz_cut2": Words(
        N_("Buchholz cut 2"), N_("The sum of the points of all opponents without the two lowest")
    ),
    "buchholz_median": Words(
        N_("Buchholz median"),
        N_("The sum of the points of all opponents without the lowest and the highest"),
    ),
    "koya": Words(
        N_("Koya"),
        N_("The points made against those who have at least half of all points that could be made"),
    ),
    "wins": Words(N_("Wins"), N_("Games won; whole byes and forfeits of others count too"), "#,##0.###"),
    "progressive": Words(N_("Progressive"), N_("The sum of the points after each round")),
    "average_rating": Words(
        N_("Opponents' rating"), N_("The mean rating of the opponents in games that were played"), "#,##0"
    ),
    "disc_difference": Words(
        N_("Disc difference"),
        N_("How many discs more than the others', or fewer where the fewest win"),
        "+#,##0.###;-#,##0.###",
    ),
    "discs": Words(N_("Own discs"), N_("All own discs: the fewest or the most are better, as in the game")),
    "brightwell": Words(
        N_("Brightwell"),
        N_(
            "Brightwell quotient: discs (the others' where the fewest win), and 6 for each point of each "
            "opponent; below 8 rounds the discs alone"
        ),
        "#,##0.##",
    ),
    "time": Words(N_("Time (s)"), N_("All the time that it took to answer; less is better")),
    "lot": Words(
        N_("Lot"), N_("Drawn from the tournament's seed and the bot's number; the lowest comes first"), "0"
    ),
}
FORFEITS = N_("A game that a bot forfeits is lost with the worst score that its game knows")
STAGES = {
    "final": N_("Final"),
    "third-place": N_("Third place"),
    "semi-final": N_("Semi-final"),
    "quarter-final": N_("Quarter-final"),
}
SHOWN_ANYWAY = ("points", "discs", "time")
"""These have columns of their own in every table."""
