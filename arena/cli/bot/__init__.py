"""`arena bot`: submit bots, and see what came of their checks."""
