"""`arena train` and `arena book`: what players of Reversi know, made by playing and searching here."""
