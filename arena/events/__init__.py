"""What has changed, as it is told to others: who is told that there is something, and what each may see."""
