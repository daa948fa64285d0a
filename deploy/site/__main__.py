"""Build the site, or check the links that lead out of it: `python -m deploy.site FOLDER [--links]`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from deploy.site.sources import gather


def main(folder: Path, builder: str = "html") -> int:
    """Make the site in `folder`, in which nothing of before is left; 0 unless there was even a warning."""
    shutil.rmtree(folder, ignore_errors=True)
    sources, trees = folder / ".sources", folder / ".trees"
    gather(sources)
    options = ["-b", builder, "-c", str(Path(__file__).parent), "-d", str(trees)]
    code = build_main([*options, "-q", "-W", "--keep-going", "-j", "auto", str(sources), str(folder)])
    for rest in (trees, sources):
        shutil.rmtree(rest)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "linkcheck" if "--links" in sys.argv else "html"))
