"""What can be said from counted games: intervals, comparisons, and how many games are needed.

Pure functions of integers. A score is 1 for a win, ½ for a draw and 0 for a loss.
"""
