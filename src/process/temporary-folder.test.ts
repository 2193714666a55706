import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { compileSource } from '../../test/support/compiled-source.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

afterEach(() => vi.unstubAllEnvs());

/** A process that prints the name of a folder that it has made, and stays. */
async function startMaker(code: string, folder: string) {
  const module = pathToFileURL(join(code, 'src/process/temporary-folder.js'));
  const script = `import { makeTemporaryFolder } from '${module}'; console.log(await makeTemporaryFolder('git')); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env: { ...process.env, TMPDIR: folder } });
  const [path] = await once(child.stdout, 'data');
  return { child, name: basename(String(path).trim()) };
}

it('a killed process leaves its temporary folder to the next one, which removes it and no other', async () => {
  await using code = await openThrowAwayFolder();
  await compileSource(code.path, ['src/process/temporary-folder.ts']);
  await using folder = await openThrowAwayFolder();
  const [killed, lives] = await Promise.all([startMaker(code.path, folder.path), startMaker(code.path, folder.path)]);
  try {
    killed.child.kill('SIGKILL');
    await once(killed.child, 'close');
    const elsewhere = killed.name.replace(/^(ralph-git)-[0-9a-f]{8}/, '$1-00000000');
    const others = [elsewhere, 'ralph-git-AbCdEf', 'somebody-else'];
    for (const name of others) await mkdir(join(folder.path, name));
    vi.stubEnv('TMPDIR', folder.path);
    const ours = basename(await makeTemporaryFolder('docker'));
    expect((await readdir(folder.path)).sort()).toEqual([...others, lives.name, ours].sort());
  } finally {
    lives.child.kill('SIGKILL');
  }
});
