import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('stand-in.mjs', import.meta.url));

export interface StandInCall {
  readonly program: 'sbx' | 'docker';
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Names only. */
  readonly env: readonly string[];
  readonly envFile: { readonly path: string; readonly mode: string } | null;
  /** Why it was refused. A call that is grammatical is recorded first, and again if it is refused for what it asks. */
  readonly refused: string | null;
}

/** All the ways in which Docker can be other than it should. */
export interface Switches {
  readonly hangs?: boolean;
  readonly plugin?: false;
  readonly signedIn?: boolean;
  readonly engine?: boolean;
  readonly createFails?: boolean;
  readonly ignoresEnvFile?: boolean;
  readonly noise?: boolean;
  readonly listShape?: 'array' | 'vms' | 'sandboxes';
  /** So often `ls` ends well and says nothing. */
  readonly emptyLists?: number;
  readonly emptyRuns?: number;
  /** How long what is written inside takes to the host, and a new file of the host to the inside. */
  readonly syncMs?: number;
  readonly newFileMs?: number;
}

export interface StandIn {
  readonly env: Readonly<Record<string, string>>;
  calls(): readonly StandInCall[];
  set(switches: Switches): Promise<void>;
  /** A program of the machine inside, before those it has. */
  putProgram(name: string, script: string): Promise<void>;
  /** Says the words to it, as a person would. */
  say(words: readonly string[], input?: string): Promise<Said>;
}

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A computer that has `sbx`, `docker`, or both, in a folder: their stand-in, which really runs what it is told to. */
export async function openStandIn(folder: string, ...programs: readonly ('sbx' | 'docker')[]): Promise<StandIn> {
  const state = join(folder, 'stand-in');
  const bin = join(folder, 'stand-in-path');
  await mkdir(join(state, 'bin'), { recursive: true });
  await mkdir(bin);
  await linkTools(bin);
  // Without the two hyphens node itself would read the --env-file that is meant for the stand-in.
  for (const name of programs) await writeFile(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' -- '${program}' ${name} "$@"\n`, { mode: 0o755 });
  const env = { PATH: bin, HOME: folder, SANDBOX_STAND_IN: state, LC_ALL: 'C' };
  const calls = join(state, 'calls.jsonl');
  return {
    env,
    calls: () =>
      existsSync(calls)
        ? readFileSync(calls, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as StandInCall)
        : [],
    set: (switches) => writeFile(join(state, 'switches.json'), JSON.stringify(switches)),
    putProgram: (name, script) => writeFile(join(state, 'bin', name), script, { mode: 0o755 }),
    async say([file = '', ...args], input = '') {
      const child = spawn(join(bin, file), args, { cwd: folder, env });
      const out: string[] = [];
      const err: string[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, stdout: out.join(''), stderr: err.join('') };
    },
  };
}

/** All a client needs; the computer the tests run on may have a docker of its own. */
const TOOLS = ['bash', 'bwrap', 'cat', 'env', 'git', 'node', 'sh', 'sleep', 'tar'];

async function linkTools(bin: string): Promise<void> {
  const folders = (process.env['PATH'] ?? '').split(':');
  for (const tool of TOOLS) {
    const found = folders.map((folder) => join(folder, tool)).find((path) => existsSync(path));
    if (found !== undefined) await symlink(found, join(bin, tool));
  }
}
