#!/bin/sh
# Brings uv, which builds the environment, when it is not on the machine: into .uv, nowhere else. And
# bubblewrap, in which bots are confined, where it can be installed; the arena also runs without.
set -eu

sh "$(dirname "$0")/package.sh" bwrap "so that bots are confined well; see \`arena doctor\`" bubblewrap

command -v uv >/dev/null 2>&1 && exit 0
[ -x .uv/bin/uv ] && exit 0

python=""
for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "Python 3.11 or newer is needed and was not found; install it and run make again." >&2
    exit 1
fi

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq && apt-get install -y -qq python3-venv
    else
        echo "Python's venv module is missing: install the package python3-venv and run make again." >&2
        exit 1
    fi
fi

"$python" -m venv .uv
.uv/bin/pip install --quiet --disable-pip-version-check 'uv==0.13.8'
