#!/bin/sh
# Makes ralph/ in a project; all options of ralph plan init.
command -v ralph >/dev/null 2>&1 || { echo "error: the command ralph is not on PATH: install it with npm install -g ralph-proof" >&2; exit 127; }
exec ralph plan init "$@"
