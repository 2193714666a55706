import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { markerVariable } from '../../process/process-table.ts';
import type { Variables } from './git-command.ts';
import type { GitProgram } from './git-programs.ts';

interface EnclosePlace {
  /** A sandbox whose processes see the operator's own files. */
  readonly wall: SandboxPort;
  /** What a program may know of the environment: that of a gate. */
  readonly programEnv: Variables;
  /** The real paths of the operator's work tree and repository. */
  readonly root: string;
  readonly commonDir: string;
  /** A folder of the run that no agent can write. */
  readonly folder: string;
  /** The environment of Ralph's own git. */
  readonly env: Variables;
}

const SCRIPT = 'git-program';
/** Where a program finds the files of a merge, and what it may read of the operator's git-lfs. */
const MERGE = '/tmp/ralph-merge';
const LENT = '/tmp/ralph-lent';
/** For the scripts themselves, which run outside: the operator's PATH may name folders that agents can write. */
const TRUSTED = '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin';

/**
 * Makes every git of Ralph's run the operator's filters and merge drivers inside a sandbox: without a network, with all files read-only. Their commands name
 * or load files of the work tree, which an agent may have written. Git gets back only bytes, the content of one file. Returns the environment for such a
 * git; its settings override those of the files for as long as the run lasts.
 */
export async function enclosePrograms(programs: readonly GitProgram[], place: EnclosePlace): Promise<Variables> {
  const { folder, wall, root, programEnv, env } = place;
  const inner = ['/bin/sh', '-c', ':'];
  const call = { who: 'gate', judges: true, isOffline: true, cwd: root, env: programEnv } as const;
  const { leave, ...enclosed } = await wall.enclose({ ...call, file: inner[0] ?? '', args: inner.slice(1) });
  await leave();
  // Up to the `--chdir` and the `--` before the command: each program has a folder of its own.
  const before = enclosed.args.slice(0, enclosed.args.lastIndexOf('--chdir'));
  const sandbox = [enclosed.file, ...before, '--setenv', 'PATH', programEnv['PATH'] ?? TRUSTED];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files: Readonly<Record<string, string | Uint8Array>> = {
    variables: Object.entries(enclosed.env)
      .filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !['PWD', 'PATH'].includes(name))
      .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
      .join(''),
    seccomp: enclosed.extraInput ?? '',
    inside: insideScript(place, sandbox),
    [SCRIPT]: outerScript(folder),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content, { mode: 0o600 });
  const open = programs.filter(({ command }) => !command.includes(`/${SCRIPT}' `));
  for (const [index, { command, key }] of open.entries()) await writeFile(join(folder, String(index)), innerCommand(command, placeholdersOf(key, command)));
  return withSettings(
    env,
    open.map(({ key, command }, index) => [
      key,
      [`/bin/sh ${quoted(join(folder, SCRIPT))} ${kindOf(key)} ${index}`, ...placeholdersOf(key, command)].join(' '),
    ]),
  );
}

/** Appends to the settings that the environment already has. */
export function withSettings(env: Variables, settings: readonly (readonly [key: string, value: string])[]): Variables {
  const before = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  const named = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...env, GIT_CONFIG_COUNT: String(before + settings.length), ...Object.fromEntries(named) };
}

const kindOf = (key: string) => (key.startsWith('merge.') ? 'merge' : 'filter');

/** Git fills these in, quoted for a shell. A driver always gets its three files first. */
function placeholdersOf(key: string, command: string): readonly string[] {
  if (key.endsWith('.process')) return [];
  if (!key.startsWith('merge.')) return ['%f'];
  const more = [...command.matchAll(/%([LPSXY])/g)].map(([placeholder]) => placeholder);
  return [...new Set(['%O', '%A', '%B', ...more])];
}

/** The operator's command, with its arguments in the place of git's placeholders. */
function innerCommand(command: string, placeholders: readonly string[]): string {
  return command.replaceAll(/%./gs, (found) => {
    const index = placeholders.indexOf(found);
    if (index !== -1) return `"\${${index + 1}}"`;
    return found === '%%' && placeholders.length > 0 ? '%' : found;
  });
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Of git's own environment, which has all of the operator's variables, only the names of the repository go on. */
const outerScript = (folder: string) => `PATH=${TRUSTED}
exec env -i ${['GIT_DIR', 'GIT_WORK_TREE', 'GIT_LFS_SKIP_SMUDGE', markerVariable].map((name) => `\${${name}+"${name}=$${name}"}`).join(' ')} \\
  /bin/sh ${quoted(join(folder, 'inside'))} "$PWD" "$@"
`;

/**
 * The files of a merge, and new objects of git-lfs, are in a folder of their own meanwhile. Afterwards only plain files come out of it: the result of the
 * merge, and objects whose content matches their name.
 */
const insideScript = ({ folder, root, commonDir }: EnclosePlace, sandbox: readonly string[]) => `export PATH=${TRUSTED}
folder=${quoted(folder)} root=${quoted(root)} common=${quoted(commonDir)}
place=$1 kind=$2 number=$3; shift 3
. "$folder/variables"
command=$(cat "$folder/$number") && cd "$place" && scratch=$(mktemp -d "$folder/XXXXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT; trap 'exit 143' HUP INT TERM
is_real() { [ -d "$1" ] && [ ! -L "$1" ]; }
make_real() { is_real "$1" || mkdir "$1" 2>/dev/null || is_real "$1"; }
result=
if [ "$kind" = merge ]; then
  result=$2
  mkdir "$scratch/merge" && cp -- "$1" "$scratch/merge/O" && cp -- "$2" "$scratch/merge/A" && cp -- "$3" "$scratch/merge/B" || exit 1
  shift 3
  set -- ${['O', 'A', 'B'].map((name) => `${MERGE}/${name}`).join(' ')} "$@"
fi
set -- --chdir "$place" -- /bin/sh -c "$command" sh "$@"
[ -z "$result" ] || set -- --bind "$scratch/merge" ${MERGE} "$@"
lfs=
case $command in *lfs*)
  lfs=$common/lfs; [ -z "$GIT_DIR" ] || [ -e "$GIT_DIR/commondir" ] || lfs=$(cd "$GIT_DIR" && pwd)/lfs
  mkdir -p "$common/lfs" "$lfs" && lfs=$(cd "$lfs" && pwd -P) && mkdir "$scratch/lfs" || exit 1
  export GIT_ALTERNATE_OBJECT_DIRECTORIES=${LENT}/objects
  set -- --ro-bind "$common/objects" ${LENT}/objects --ro-bind "$common/lfs" ${LENT}/lfs --bind "$scratch/lfs" "$lfs" "$@"
esac
case $place/ in "$root"/*) ;; *) set -- --ro-bind "$place" "$place" "$@" ;; esac
${sandbox.map(quoted).join(' ')} --ro-bind "$common" "$common" "$@" 3<"$folder/seccomp"
code=$?
if [ -n "$result" ] && [ -f "$scratch/merge/A" ] && [ ! -L "$scratch/merge/A" ]; then cat "$scratch/merge/A" > "$result"; fi
if [ -n "$lfs" ] && make_real "$lfs/objects"; then
  for file in "$scratch"/lfs/objects/??/??/*; do
    name=\${file##*/} second=\${file%/*}; first=\${second%/*}
    [ -f "$file" ] && [ ! -L "$file" ] && [ ! -L "$second" ] && [ ! -L "$first" ] && [ ! -L "$scratch/lfs/objects" ] || continue
    [ "$(sha256sum < "$file")" = "$name  -" ] || continue
    to=$lfs/objects/\${first##*/}
    make_real "$to" && to=$to/\${second##*/} && make_real "$to" || continue
    [ -e "$to/$name" ] || { cp -- "$file" "$to/.$$" && mv -- "$to/.$$" "$to/$name"; } || code=1
  done
fi
exit $code
`;
