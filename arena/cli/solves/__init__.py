"""`arena solves`: games that an arena's workers solve."""
