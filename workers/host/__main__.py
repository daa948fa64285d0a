"""A process that plays: `python -P -m workers.host worker -Q QUEUES …`, with Celery's commands and options.

`celery -A workers.app` does the same, and prefers what lies in the working folder.
"""

from __future__ import annotations

import sys

from workers.app import app

if __name__ == "__main__":
    sys.exit(app.start(sys.argv[1:]))
