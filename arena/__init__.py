"""Users, submissions, tournaments, recording, standings, the API, the pages and the command line."""
