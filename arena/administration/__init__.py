"""What an administrator does on the machine of the database itself: backups, checks of what is stored, erasing."""
