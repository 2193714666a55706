#!/bin/sh
# Archives a plan; all options of ralph plan archive.
command -v ralph >/dev/null 2>&1 || { echo "error: the command ralph is not on PATH: install it with npm install -g ralph-proof" >&2; exit 127; }
exec ralph plan archive "$@"
