"""`arena train`: players that learn from games against themselves."""
