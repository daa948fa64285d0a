"""What bots can be written in, how that is found out, and which of it this host can run."""
