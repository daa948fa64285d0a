#!/bin/sh
# package.sh COMMAND WHY PACKAGE...: installs Debian packages where COMMAND is missing and they can be. What is done
# without them is done all the same, so that a refusal is told and no failure.
set -eu
command=$1 why=$2
shift 2

[ "$(uname)" = Linux ] || exit 0
command -v "$command" >/dev/null 2>&1 && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "$command is missing: install it ($*), $why." >&2
    exit 0
fi
installed() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1; }
export DEBIAN_FRONTEND=noninteractive
installed "$@" || { apt-get update -qq >/dev/null 2>&1 && installed "$@"; } ||
    echo "$command could not be installed ($*): install it, $why." >&2
