"""The mathematics of tournaments: pairings, standings, ratings, statistics. No database, no settings."""
