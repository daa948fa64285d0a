"""A class tournament on show: who takes part, and the way from bot files to a leaderboard."""
