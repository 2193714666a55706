#!/bin/sh
# Clones the remote of a fleet, unless it is there, and works for it. Everything it has to know is in variables:
#   RALPH_REMOTE   the address of the git remote          RALPH_STORE    the address of the database
#   RALPH_PLAN     the plan, by its path in the remote    RALPH_BRANCH   the branch (that of the remote)
# With `init` it prepares the fleet instead. Whatever else is given goes to ralph work.
set -eu
: "${RALPH_REMOTE:?is the address of the git remote}"
: "${RALPH_STORE:?is the address of the database}"
work=${RALPH_HOME:-$HOME}/work
if [ ! -d "$work/.git" ]; then
  rm -rf "$work.new"
  git clone -q ${RALPH_BRANCH:+--branch "$RALPH_BRANCH"} "$RALPH_REMOTE" "$work.new"
  mv "$work.new" "$work"
fi
cd "$work"
git config user.name >/dev/null || git config user.name "${RALPH_NAME:-Ralph}"
git config user.email >/dev/null || git config user.email "${RALPH_EMAIL:-ralph@localhost}"
if [ "${1:-}" = init ]; then
  shift
  exec ralph fleet init "$@"
fi
: "${RALPH_PLAN:?is the path of the plan}"
exec ralph work --plan "$RALPH_PLAN" "$@"
