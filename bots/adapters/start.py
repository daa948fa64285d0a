"""The adapter's program: `python start.py OPTIONS COMMAND…`, with options in JSON and the bot's own command.

The adapter's modules lie beside this file, wherever a sandbox shows it, so the package is made known here.
"""

import os
import sys
import types

FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  (`pathlib` takes long to import)

if __name__ == "__main__":
    for name, path in (("bots", []), ("bots.adapters", [FOLDER])):
        package = types.ModuleType(name)
        package.__path__ = path
        sys.modules[name] = package
    sys.path.remove(FOLDER)

    from bots.adapters.play import main

    main(sys.argv[1], sys.argv[2:])
