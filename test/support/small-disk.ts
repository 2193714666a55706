import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLI, cleanEnv } from './ralph.ts';
import { runBinary } from './run-binary.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';

/** One `ralph` of a story: how it ended, what it said, and its journal as it then was. */
export interface Told {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly journal: string;
}

/** Tells a story on a disk of its own: a shell script that starts in an empty git repository. What it says with `ralph <name> …` is told afterwards. */
export interface SmallDisk extends AsyncDisposable {
  readonly beside: string;
  tell(story: string): Promise<void>;
  told(name: string): Told;
  /** A file that an agent or a gate left beside the disk. */
  found(file: string): string;
}

/** The disk is in memory and goes with the story. `fill` leaves no room on it at all, `make_room` gives it back. */
const PRELUDE = `
disk=$1 beside=$2 node=$3 cli=$4
cd "$disk"
git init -q . && git -c user.name=t -c user.email=t@example.com commit -q --allow-empty -m start
fill() { dd if=/dev/zero of="$disk/filler" bs=4k 2>/dev/null || :; }
make_room() { rm "$disk/filler"; }
ralph() {
  name=$1; shift
  "$node" "$cli" "$@" >"$beside/$name.out" 2>"$beside/$name.err"
  echo $? >"$beside/$name.code"
  cat .git/ralph/runs/*/journal.jsonl >"$beside/$name.jsonl" 2>/dev/null
}
`;

export async function openSmallDisk(bytes: number, files: Readonly<Record<string, string>>): Promise<SmallDisk> {
  const folder = await openThrowAwayFolder();
  const [disk, beside, story] = [join(folder.path, 'disk'), join(folder.path, 'beside'), join(folder.path, 'story.sh')];
  await mkdir(disk);
  await mkdir(beside);
  for (const [name, content] of Object.entries(files)) await writeFile(join(beside, name), content, { mode: 0o755 });
  const found = (file: string) => (existsSync(join(beside, file)) ? readFileSync(join(beside, file), 'utf8') : '');
  return {
    beside,
    found,
    async tell(script) {
      await writeFile(story, PRELUDE + script);
      const args = [
        '--bind',
        '/',
        '/',
        '--dev-bind',
        '/dev',
        '/dev',
        '--size',
        String(bytes),
        '--tmpfs',
        disk,
        'sh',
        story,
        disk,
        beside,
        process.execPath,
        CLI,
      ];
      await runBinary({ file: 'bwrap', args, cwd: folder.path, env: cleanEnv(beside, { XDG_RUNTIME_DIR: beside }), stdin: '', withinMs: 100_000 });
    },
    told: (name) => ({ code: Number(found(`${name}.code`)), stdout: found(`${name}.out`), stderr: found(`${name}.err`), journal: found(`${name}.jsonl`) }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
