"""`arena pgn` and `arena trf`: numbers from other programs' files."""
