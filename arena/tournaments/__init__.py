"""A tournament from its plan to its end: entries, rounds, matches, corrections, totals and log."""
