import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxCall } from '../../engine/ports/sandbox.ts';
import { LOCK_FILES, setupFor } from '../lock-files.ts';
import { bytesAt, found, isRealFolder } from './carry.ts';
import type { Room } from './room.ts';
import { namesOf, pathsOf } from './tree-changes.ts';

/**
 * Silent unless it fails: then the operator's packages are back, and the output is at the end, where people look. Gates that run at the same time wait for
 * each other. Nothing below a `.git` ever lands, even if the gate is killed meanwhile.
 */
const INSTALL = `
lock=$1 folder=$2 stamp=$2/$3 wanted=$4 at=$5 command=$6; shift 6
aside=$(dirname "$folder")/.ralph-packages
restore() { [ ! -e "$aside/.git/kept" ] || { rm -rf "$folder"; mv "$aside/.git/kept" "$folder"; }; rm -rf "$aside"; }
install() {
  restore
  [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
  [ ! -e "$folder" ] || { mkdir -p "$aside/.git" && mv "$folder" "$aside/.git/kept"; } || return
  if (cd "$at" && eval "$command") && mkdir -p "$folder" && printf %s "$wanted" > "$stamp"; then rm -rf "$aside"; else restore; return 1; fi
}
said=$( (! command -v flock >/dev/null || flock 9; install) 9<"$lock" 2>&1) && exec "$@"
"$@"
code=$?
printf '%s\\n' "$said" "the packages of $lock could not be installed by: $command" | tail -n 20
exit $code`;

/** In the folder of the packages, which git ignores. An agent's tests can write it too: then its gates lack packages, and no claim is proven with these. */
const STAMP = '.ralph-installed';

/**
 * A gate that first installs the packages of the lock files that agents have changed, and those that agents have installed and the operator never had. What
 * agents have installed themselves, the gate does not see.
 */
export function withPackages(call: SandboxCall, { gates, agents }: { readonly gates: Room; readonly agents: Room }): SandboxCall {
  const isMissing = (lock: string) => {
    const folder = setupFor(lock)?.folder;
    return folder != null && existsSync(join(agents.tree, folder)) && !existsSync(join(gates.tree, folder));
  };
  const locks = new Set([...namesOf(agents.state?.locks ?? []), ...LOCK_FILES.filter(isMissing)]);
  return [...locks].reduce((each, lock) => installing(each, lock, gates), call);
}

function installing(call: SandboxCall, lock: string, { tree, root, setup }: Room): SandboxCall {
  const wanted = setupFor(lock);
  const [path = ''] = pathsOf([lock]);
  const isThere = (!path.includes('/') || isRealFolder(tree, path.slice(0, path.lastIndexOf('/')))) && found(bytesAt(tree, path))?.isFile();
  if (wanted === null || wanted.folder === null || !isThere) return call;
  const digest = createHash('sha256')
    .update(readFileSync(bytesAt(tree, path)))
    .digest('hex');
  const [at, command] = setup === undefined ? [join(root, wanted.at), wanted.command] : [call.cwd, setup];
  const words = [join(root, lock), join(root, wanted.folder), STAMP, digest, at, command];
  return { ...call, file: '/bin/sh', args: ['-c', INSTALL, 'sh', ...words, call.file, ...call.args] };
}
