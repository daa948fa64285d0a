"""`arena experiment`: simulations on the arena's workers, and statistics of any."""
