"""Games that people play in the browser: against bots, or two at one screen. They count nowhere."""
