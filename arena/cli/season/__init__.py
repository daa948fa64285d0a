"""`arena season`: tournaments that are counted together."""
