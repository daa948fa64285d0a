"""What came out: tables, matches, ratings, the numbers of a bot, and the report for a class."""
