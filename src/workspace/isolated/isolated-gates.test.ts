import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';
import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { hasUnlanded } from './landed.ts';

const missing = bubblewrapIsMissing();
type Stage = Awaited<ReturnType<typeof openIsolatedStage>>;
const readIn = (stage: Stage, name: string) => readFileSync(join(stage.repo.path, name), 'utf8');
const GATE = { who: 'gate' } as const;

describe.skipIf(missing)('a gate', () => {
  it('sees nothing that an agent has left in an ignored folder, an ignored file or a cache', async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('.gitignore', 'node_modules/\n.env\n');
    await stage.repo.write('node_modules/.bin/judge', 'exit 1\n');
    await stage.repo.write('.env', 'RED=1\n');
    const planted =
      'echo exit 0 > node_modules/.bin/judge; echo RED= > .env; mkdir -p ~/.cache/judge ~/.npm; echo green | tee ~/.cache/judge/said > ~/.npm/said';
    await stage.inside(`${planted}; echo one > one`);
    expect((await stage.inside('. ./.env; echo "$RED"; cat one ~/.cache/judge/said ~/.npm/said 2>/dev/null; . node_modules/.bin/judge', GATE)).said).toBe(
      '1\none\n',
    );
    expect((await stage.inside('cat .env ~/.npm/said node_modules/.bin/judge')).said).toBe('RED=\ngreen\nexit 0\n');
    await stage.outside(planted);
    expect((await stage.outside('. ./.env; cat ~/.npm/said; . node_modules/.bin/judge')).code).toBe(0);
  });

  it('keeps its caches and ignored files for the next gate, but no proof sees them, nor does one pass of it see those of another', async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('.gitignore', 'target/\n');
    await stage.inside('mkdir target ~/.cache/judge; echo green | tee target/said > ~/.cache/judge/said', GATE);
    const read = 'cat target/said ~/.cache/judge/said; mkdir -p ~/.cache/judge; echo proof > ~/.cache/judge/said';
    expect((await stage.inside(read, GATE)).said).toBe('green\ngreen\n');
    const [one, other] = ['one', 'other'].map((name) => ({ ...GATE, caches: join(stage.repo.beside, name) }));
    expect((await stage.inside('cat ~/.cache/judge/said 2>&1', { ...one, ownFolder: { folder: stage.repo.path, shared: [] } })).said).toContain('No such file');
    expect((await stage.inside(read, one)).said).toContain('green\ncat:');
    expect((await stage.inside('cat ~/.cache/judge/said', one)).said).toBe('proof\n');
    expect((await stage.inside('cat ~/.cache/judge/said 2>&1', other)).said).toContain('No such file');
    expect((await stage.inside('cat ~/.cache/judge/said 2>&1', { judges: true })).said).toContain('No such file');
  });

  it('changes files of the project for the agents after it, as a formatter does', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo one > one');
    await stage.inside('echo formatted > one; echo made > two', GATE);
    expect([readIn(stage, 'one'), (await stage.inside('cat one two; rm two')).said]).toEqual(['formatted\n', 'formatted\nmade\n']);
    expect((await stage.inside('ls two 2>&1', GATE)).code).not.toBe(0);
    await stage.close();
    expect([stage.isLeft(), stage.warned, stage.told]).toEqual([false, [], []]);
  });

  it('of a run that died has what it changed landed when the run goes on', async () => {
    await using stage = await openIsolatedStage();
    const dead: SandboxPort = { mode: 'guard', enclose: async (call) => ({ ...(await stage.wall.enclose(call)), leave: async () => undefined }) };
    await stage.behind(dead)('echo formatted > readme.txt', GATE);
    expect([readIn(stage, 'readme.txt'), hasUnlanded(stage.runFolder)]).toEqual(['hello\n', true]);
    const again = await stage.open();
    expect([readIn(stage, 'readme.txt'), hasUnlanded(stage.runFolder)]).toEqual(['formatted\n', false]);
    await again.close();
    expect(stage.isLeft()).toBe(false);
  });
});

describe.skipIf(missing)('packages', () => {
  /** An installer that needs no network. It names what it installs by the lock file. */
  const NPM =
    '#!/bin/sh\n[ "$1" = ci ] || exit 2\necho noise\ngrep -q broken package-lock.json && exit 3\nrm -rf node_modules; mkdir node_modules; cp package-lock.json node_modules/installed\n';

  async function openWithNpm() {
    const stage = await openIsolatedStage();
    await stage.repo.write('.gitignore', 'node_modules\n');
    await stage.repo.write('tools/npm', NPM);
    execFileSync('chmod', ['755', join(stage.repo.path, 'tools/npm')]);
    const env = { PATH: `${join(stage.repo.path, 'tools')}:${process.env['PATH']}`, HOME: stage.home };
    return { ...stage, gate: (script: string) => stage.inside(script, { ...GATE, env }), [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
  }

  it('of a lock file that an agent has changed are installed for gates, once, and not taken from the agent', async () => {
    await using stage = await openWithNpm();
    await stage.repo.write('package-lock.json', 'old\n');
    await stage.repo.write('node_modules/installed', 'by the operator\n');
    expect((await stage.gate('cat node_modules/installed')).said).toBe('by the operator\n');
    await stage.inside('echo new > package-lock.json; echo evil > node_modules/installed');
    expect((await stage.gate('cat node_modules/installed; echo mine > node_modules/installed')).said).toBe('new\n');
    expect((await stage.gate('cat node_modules/installed')).said).toBe('mine\n');
    await stage.inside('echo broken > package-lock.json');
    expect((await stage.gate('cat node_modules/installed; exit 5')).said).toMatch(/^mine\nnoise\nthe packages .*\n$/);
    expect((await stage.gate('ls -A . node_modules; exit 5')).code).toBe(5);
    expect(readIn(stage, 'node_modules/installed')).toBe('by the operator\n');
    expect(stage.repo.git('status', '--porcelain', '-uall')).toBe('?? .gitignore\n?? package-lock.json\n?? tools/npm');
  });

  it('that only an agent has installed are installed for gates, and where that fails the gate says why', async () => {
    await using stage = await openWithNpm();
    await stage.repo.write('package-lock.json', 'broken\n');
    expect((await stage.gate('ls node_modules 2>&1')).said).not.toContain('noise');
    await stage.inside('mkdir node_modules; echo evil > node_modules/installed');
    const failed = /^none\nnoise\nthe packages of \S+package-lock.json could not be installed by: npm ci --prefer-offline\n$/;
    expect((await stage.gate('cat node_modules/installed 2>/dev/null || echo none')).said).toMatch(failed);
    await writeFile(join(stage.repo.path, 'package-lock.json'), 'sound\n');
    expect((await stage.gate('cat node_modules/installed')).said).toBe('sound\n');
    expect(existsSync(join(stage.repo.path, 'node_modules'))).toBe(false);
  });
});
