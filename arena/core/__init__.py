"""What every room knows: errors, settings, names, the time, data folders, and this machine's processes."""
