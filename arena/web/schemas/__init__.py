"""What the interface takes and gives, a module a noun; `of` makes an answer from what the store holds."""
