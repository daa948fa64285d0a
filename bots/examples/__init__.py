"""Small whole bots to start from, each one file that can be submitted as it is."""
