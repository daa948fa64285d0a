"""What the arena costs: rules, referee, whole matches. See README.md."""
