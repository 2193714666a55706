import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellQuote } from '../../src/kit/pure/shell-words.ts';
import { CLI, cleanEnv } from './ralph.ts';
import { type BinaryEnding, runBinary } from './run-binary.ts';
import { skipLoudly } from './skip-loudly.ts';

const system = process.platform === 'win32' ? 'windows' : process.platform;
/** The program itself: what rust-just puts before it reads arguments in its own way, such as 007 for a number. */
const binary = fileURLToPath(new URL(`../../node_modules/rust-just-${system}-${process.arch}/bin/just`, import.meta.url));

/** For `describe.skipIf(justIsMissing())`: without it CI fails; elsewhere a loud line reports the skip. */
export function justIsMissing(): boolean {
  const { status, error } = spawnSync(binary, ['--version']);
  return skipLoudly(status === 0 ? null : `there is no just for ${system}-${process.arch} (${error?.message ?? `exit code ${status}`})`);
}

export interface Just {
  /** With `just` and `ralph` on it. */
  readonly path: string;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<BinaryEnding>;
}

/** The real `just` in that folder, which finds the built CLI as `ralph`. */
export function justIn(cwd: string, beside: string): Just {
  const bin = join(beside, 'just-bin');
  mkdirSync(bin);
  symlinkSync(binary, join(bin, 'just'));
  writeFileSync(join(bin, 'ralph'), `#!/bin/sh\nexec ${shellQuote(process.execPath)} ${shellQuote(CLI)} "$@"\n`);
  chmodSync(join(bin, 'ralph'), 0o755);
  const path = `${bin}${delimiter}${process.env['PATH']}`;
  return {
    path,
    run: (args, env = {}) =>
      runBinary({
        file: binary,
        args,
        cwd,
        env: { ...cleanEnv(cwd, { HOME: beside, XDG_RUNTIME_DIR: beside }), PATH: path, ...env },
        stdin: '',
        withinMs: 90_000,
      }),
  };
}
