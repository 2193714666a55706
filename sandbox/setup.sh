#!/bin/sh
# Sets up a Docker sandbox for Ralph. Run as root inside it, again whenever you like:
#   sbx exec -i -u root NAME bash -s -- STATE_DIR < sandbox/setup.sh
# STATE_DIR is the host's ~/.dclaude_state, mounted at the same path. Without it, it is looked for.
# The -i matters: without it the shell inside reads nothing, does nothing and ends well.
set -eu

agent_home=${RALPH_AGENT_HOME:-/home/agent}
state=${1:-}

if [ -z "$state" ]; then
  for found in /Users/*/.dclaude_state /home/*/.dclaude_state /root/.dclaude_state \
    $(sed -n 's/^[^ ]* \([^ ]*\/\.dclaude_state\) .*/\1/p' /proc/self/mounts 2>/dev/null || true); do
    if [ -d "$found" ]; then state=$found; break; fi
  done
fi
if [ -z "$state" ] || [ ! -d "$state" ]; then
  echo "setup.sh: no folder for the login: ${state:-name it as the first argument}" >&2
  exit 1
fi

mkdir -p "$agent_home" "$state/.claude"
# An empty file is not JSON, and claude would refuse to start.
if [ ! -s "$state/.claude.json" ]; then echo '{}' >"$state/.claude.json"; fi

for name in .claude .claude.json; do
  if [ "$(readlink "$agent_home/$name" 2>/dev/null || true)" != "$state/$name" ]; then
    rm -rf "${agent_home:?}/$name"
    ln -s "$state/$name" "$agent_home/$name"
  fi
done

git config --file "$agent_home/.gitconfig" user.email 'ralph@localhost'
git config --file "$agent_home/.gitconfig" user.name 'Ralph Loop'

# Where there is no such user, or the owner cannot be changed, the links work all the same.
chown -h agent:agent "$agent_home/.claude" "$agent_home/.claude.json" "$agent_home/.gitconfig" 2>/dev/null || true
