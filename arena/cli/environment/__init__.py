"""`arena env`."""
