"""`arena tournament`: plan, run, watch, amend and read tournaments."""
