"""What an administrator does on the machine of the database itself: backups, and checks of what is stored."""
