"""The order of the table and the crosstable: pure functions of recorded results."""
