"""What several commands share: options, output, progress, the connection, and what errors exit with."""
