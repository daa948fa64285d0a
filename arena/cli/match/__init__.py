"""`arena match`: matches played, shown and replayed here."""
