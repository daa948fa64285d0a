"""`arena webhook`: addresses that are told of events."""
