"""What every room knows: the contract with the arena, errors, settings, and folders of one's own."""
