"""The rules of the games. Pure: no processes, no network, no clock."""
