import { execFileSync } from 'node:child_process';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { firstOnPath, writeRalphShim } from './ralph-shim.ts';

const SAY = 'process.stdout.write(JSON.stringify(process.argv.slice(2)));process.exitCode = 7;';

/** Runs the command by its name, as an agent's shell would. */
function callRalph(folder: string, ...args: readonly string[]): { readonly said: unknown; readonly code: unknown } {
  try {
    execFileSync('ralph', args, { env: { PATH: folder }, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, status } = error as { readonly stdout: string; readonly status: number };
    return { said: JSON.parse(stdout), code: status };
  }
  throw new Error('It exited with 0.');
}

describe("the agent's own ralph", () => {
  it.each(['plain', 'with blanks', `it's "quoted" $HOME \`date\``, 'line\nbreak', 'äöü;&|*?'])(
    'is this program, also below a folder called %j',
    async (name) => {
      await using folder = await openThrowAwayFolder();
      const place = join(folder.path, name);
      await mkdir(place);
      const main = join(place, 'main.cjs');
      await writeFile(main, SAY);
      const bin = await writeRalphShim(place, main);
      const args = ['bus', 'post', '--body', `a "b" 'c' $d\n*`, ''];
      expect(callRalph(bin, ...args)).toEqual({ said: args, code: 7 });
    },
  );

  it('is for its owner only, and may be written again', async () => {
    await using folder = await openThrowAwayFolder();
    await writeRalphShim(folder.path);
    const bin = await writeRalphShim(folder.path);
    expect(bin).toBe(join(folder.path, 'bin'));
    expect((await stat(join(bin, 'ralph'))).mode & 0o777).toBe(0o700);
    expect((await stat(bin)).mode & 0o777).toBe(0o700);
  });

  it('takes the place of what somebody has put there, without writing through a link', async () => {
    await using folder = await openThrowAwayFolder();
    const main = join(folder.path, 'main.cjs');
    await writeFile(main, SAY);
    await mkdir(join(folder.path, 'bin'));
    await symlink(main, join(folder.path, 'bin', 'ralph'));
    expect(callRalph(await writeRalphShim(folder.path, main), 'x')).toEqual({ said: ['x'], code: 7 });
  });

  it('is refused in one line where its folder is a link', async () => {
    await using folder = await openThrowAwayFolder();
    await symlink('/', join(folder.path, 'bin'));
    await expect(writeRalphShim(folder.path)).rejects.toMatchObject({ name: 'OperatorError', exitCode: 4 });
  });
});

describe('a PATH with a folder of ours', () => {
  it.each([
    ['/usr/bin:/bin', '/ours:/usr/bin:/bin'],
    ['/usr/bin:/ours:/bin:/ours', '/ours:/usr/bin:/bin'],
    ['/ours', '/ours'],
    ['/ours/more:/bin', '/ours:/ours/more:/bin'],
    ['', '/ours:/usr/local/bin:/usr/bin:/bin'],
    [undefined, '/ours:/usr/local/bin:/usr/bin:/bin'],
  ])('%j becomes %j', (path, expected) => expect(firstOnPath('/ours', path)).toBe(expected));
});
