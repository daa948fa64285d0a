"""The endpoints, a module a noun."""
