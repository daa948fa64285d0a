"""`arena user`, `arena roster` and `arena auth`: who is let in."""
