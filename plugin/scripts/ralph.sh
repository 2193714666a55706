#!/bin/sh
# The loop on ralph/tasks.json, unless another plan is named; all options of ralph work.
command -v ralph >/dev/null 2>&1 || { echo "error: the command ralph is not on PATH: install it with npm install -g ralph-proof" >&2; exit 127; }
case " $* " in *" --plan"* | *" --ralph-dir"* | *" --resume"*) exec ralph work "$@" ;; esac
exec ralph work --plan ralph/tasks.json "$@"
