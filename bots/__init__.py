"""The wire protocol, the kit for writing bots, and the reference bots."""
