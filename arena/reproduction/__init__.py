"""The documents' numbers beside ours: what they printed, what comes out here, and whether the two agree."""
