"""`arena trainings`: players that an arena's workers learn."""
