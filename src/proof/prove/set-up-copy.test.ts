import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { setUpCopy } from './set-up-copy.ts';

const tree = (ids: Readonly<Record<string, string>>) => new Map(Object.entries(ids).map(([path, id]) => [path, { mode: '100644', id }]));

interface Props {
  readonly below?: string;
  readonly command?: string;
  readonly shared?: readonly string[];
  /** What an installer does in the top of the copy, and whether it ends well. */
  readonly install?: (top: string) => Promise<unknown>;
  readonly green?: boolean;
}

/** A copy with packages of the operator in it, whose lock files have changed. */
async function setUp(files: Readonly<Record<string, string>>, { below = '', command, shared = [], install, green = true }: Props = {}) {
  const folder = await openThrowAwayFolder();
  const top = join(folder.path, 'copy');
  for (const [path, text] of Object.entries({ ...files, 'web/node_modules/old': 'old', 'node_modules/old': 'old' })) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), text);
  }
  const commands: string[] = [];
  const restored: string[][] = [];
  const sharing = new Set(shared);
  const copy = {
    top,
    below,
    files: tree(Object.fromEntries(Object.keys(files).map((path) => [path, '2']))),
    base: tree({ same: '2' }),
    command,
    shared: sharing,
  };
  const failed = await setUpCopy(copy, {
    async run(gate: GateSpec) {
      commands.push(gate.command);
      await install?.(top);
      return {
        gate,
        green,
        flaky: false,
        ending: { kind: 'exited', code: green ? 0 : 1 },
        log: '',
        output: '',
        output_bytes: 0,
        output_sha256: '',
        duration_ms: 0,
      };
    },
    restore: async (paths) => void restored.push([...paths]),
  });
  const has = (path: string) => existsSync(join(top, path));
  return { top, commands, restored, failed, sharing, has, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('a copy whose lock files have changed', () => {
  it('gets packages where each of them is, as seen from the folder of the gates', async () => {
    await using copy = await setUp({ 'package-lock.json': '', 'web/yarn.lock': '', 'a b/Cargo.lock': '' }, { below: 'web' });
    expect(copy.commands).toEqual(['cd .. && npm ci --prefer-offline', 'yarn install --frozen-lockfile', "cd '../a b' && cargo fetch --locked"]);
    expect([copy.has('node_modules'), copy.has('web/node_modules')]).toEqual([false, false]);
  });

  it('runs the command of the settings once, and nothing if no lock file has changed', async () => {
    await using copy = await setUp({ 'package-lock.json': '', 'web/yarn.lock': '' }, { command: 'make packages' });
    expect(copy.commands).toEqual(['make packages']);
    await using other = await setUp({ same: '' }, { command: 'make packages' });
    expect([other.commands, other.has('node_modules/old')]).toEqual([[], true]);
  });

  it('no longer shares the packages of the operator, unless the installation fails: then they are back', async () => {
    const lock = { 'package-lock.json': '' };
    const half = { install: (top: string) => mkdir(join(top, 'node_modules/half'), { recursive: true }), shared: ['node_modules', 'data'] };
    await using good = await setUp(lock, half);
    expect([good.has('node_modules/half'), good.has('node_modules/old'), [...good.sharing], good.failed]).toEqual([true, false, ['data'], []]);
    await using bad = await setUp(lock, { ...half, green: false });
    expect([bad.has('node_modules/half'), bad.has('node_modules/old'), [...bad.sharing].sort(), bad.failed.length]).toEqual([
      false,
      true,
      ['data', 'node_modules'],
      1,
    ]);
  });

  it('restores each file of the project that an installer has written, removed or replaced', async () => {
    const install = async (top: string) => {
      await writeFile(join(top, 'app.js'), 'bad');
      await rm(join(top, 'lib/gone.js'));
      await rm(join(top, 'web'), { recursive: true });
      await symlink('/', join(top, 'web'));
    };
    await using copy = await setUp({ 'package-lock.json': '', 'app.js': 'good', 'lib/gone.js': '', 'lib/stays.js': '', 'web/x.js': '' }, { install });
    expect(copy.restored).toEqual([['app.js', 'lib/gone.js', 'web/x.js']]);
  });

  it('moves nothing away through a link that an installer has made', async () => {
    const install = async (top: string) => {
      await mkdir(join(top, '../elsewhere/node_modules'), { recursive: true });
      await writeFile(join(top, '../elsewhere/node_modules/mine'), 'mine');
      await rm(join(top, 'web'), { recursive: true, force: true });
      await symlink('../elsewhere', join(top, 'web')).catch(() => undefined);
    };
    await using copy = await setUp({ 'package-lock.json': '', 'web/package-lock.json': '' }, { install });
    expect(lstatSync(join(copy.top, 'web')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(copy.top, '../elsewhere/node_modules/mine'), 'utf8')).toBe('mine');
  });
});
