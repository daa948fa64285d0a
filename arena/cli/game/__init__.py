"""`arena game` and `arena solve`: rules, positions, what is best, and playing at the terminal."""
