import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nobody } from '../../test/support/process-request.ts';
import { knownFlags } from './command-line.ts';

describe('the known flags of a binary', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'known-flags-'));
    await mkdir(join(folder, 'bin'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const binary = () => join(folder, 'bin', 'codex');
  const asked = async () => (await readFile(join(folder, 'asked'), 'utf8').catch(() => '')).split('\n').length - 1;
  const ask = (cacheFolder = join(folder, 'cache')) =>
    knownFlags({
      file: 'codex',
      args: ['exec', '--help'],
      cwd: folder,
      env: { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
      cacheFolder,
      guardian: nobody,
    });
  async function install(...script: string[]): Promise<void> {
    await writeFile(binary(), ['#!/bin/sh', `echo "$@" >> '${join(folder, 'asked')}'`, ...script, ''].join('\n'));
    await chmod(binary(), 0o755);
  }

  it('are read from its help', async () => {
    await install(`echo '  -s, --sandbox <MODE>   Select; see --full-auto and not--this'`);
    expect(await ask()).toEqual(new Set(['--sandbox', '--full-auto']));
    expect(await readFile(join(folder, 'asked'), 'utf8')).toBe('exec --help\n');
  });

  it('are asked for once, and only the answer is stored', async () => {
    await install(`echo '--sandbox'`);
    await ask();
    expect(await ask()).toEqual(new Set(['--sandbox']));
    expect(await asked()).toBe(1);
    expect((await readdir(join(folder, 'cache'))).map((name) => name.replace(/[0-9a-f]{16}/, 'KEY'))).toEqual(['agent-flags-KEY.json']);
  });

  it('are asked for again when the binary was replaced, also behind a link', async () => {
    await install(`echo '--full-auto'`);
    const real = join(folder, 'codex-1.0');
    await writeFile(real, await readFile(binary()));
    await chmod(real, 0o755);
    await rm(binary());
    await symlink(real, binary());
    await ask();
    await appendFile(real, `echo '--sandbox'\n`);
    expect(await ask()).toEqual(new Set(['--full-auto', '--sandbox']));
    await utimes(real, 1, 1);
    await ask();
    expect(await asked()).toBe(3);
  });

  it('are unknown, and not stored, when it fails or prints nothing', async () => {
    await install('exit 2');
    expect(await ask()).toBeNull();
    await install('echo no flags here');
    expect(await ask()).toBeNull();
    expect(await asked()).toBe(2);
  });

  it('are unknown where there is no such binary', async () => {
    expect(await knownFlags({ file: 'no-such-binary', args: [], cwd: folder, env: { PATH: folder }, cacheFolder: folder, guardian: nobody })).toBeNull();
  });

  it('are asked for again when the stored answer is broken', async () => {
    await install(`echo '--sandbox'`);
    await ask();
    const [kept = ''] = await readdir(join(folder, 'cache'));
    await writeFile(join(folder, 'cache', kept), '{"flags":');
    expect(await ask()).toEqual(new Set(['--sandbox']));
  });

  it('do not need a folder to be stored in', async () => {
    await install(`echo '--sandbox'`);
    await writeFile(join(folder, 'file'), '');
    expect(await ask(join(folder, 'file', 'cache'))).toEqual(new Set(['--sandbox']));
  });
});
