"""What is handed in: bots, their versions, the checks of them, and the hosts that can run them."""
