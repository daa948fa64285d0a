"""Positions of games that are solved: what is asked of them, and searching one."""
