import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { childRequest } from '../../../../test/contracts/children.ts';
import { isRunning, runningWithMarker } from '../../../../test/support/live-processes.ts';
import { never } from '../../../../test/support/process-request.ts';
import { standInChildren } from '../../../../test/support/stand-in-children.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { until } from '../../../../test/support/until.ts';
import { identityOf } from '../../../process/identity.ts';
import type { ProcessIdentity } from '../../../process/process-request.ts';
import { childPlace } from './child-place.ts';

const folders: ThrowAwayFolder[] = [];
let folder: string;
beforeEach(async () => {
  const fresh = await openThrowAwayFolder();
  folders.push(fresh);
  folder = fresh.path;
});
afterAll(async () => {
  for (const each of folders) await each[Symbol.asyncDispose]();
});

/** A guardian that only keeps its list. */
function listing() {
  const watched = new Set<number>();
  return { watched, watch: ({ pid }: ProcessIdentity) => void watched.add(pid), forget: ({ pid }: ProcessIdentity) => void watched.delete(pid) };
}

describe('a child process', () => {
  it('gets everything from its request, and nothing in it can pass for a flag', async () => {
    const { children, runsFolder, options } = standInChildren(folder);
    const asked = { ...childRequest('child-a', 'ends at once'), task: 'other', agent: '--help', model: 'm 1', checks: ['npm test', '--json'], cwd: '/tmp' };
    await children.start(asked, never);
    const promptFile = join(options.runFolder, 'children', 'child-a', 'prompt.md');
    expect(JSON.parse(readFileSync(join(runsFolder, 'child-a', 'args.json'), 'utf8'))).toEqual([
      'job',
      '--run-id=child-a',
      '--parent-run-id=the-parent',
      '--task=other',
      '--agent=--help',
      '--model=m 1',
      '--check=npm test',
      '--check=--json',
      '--cwd=/tmp',
      `--prompt-file=${promptFile}`,
    ]);
    expect(statSync(promptFile).mode & 0o777).toBe(0o600);
  });

  it('has the task and the agent of its supervisor by default', async () => {
    const { children, runsFolder } = standInChildren(folder);
    await children.start(childRequest('child-a', 'ends at once'), never);
    const args = JSON.parse(readFileSync(join(runsFolder, 'child-a', 'args.json'), 'utf8'));
    expect(args).toContain('--task=the-task');
    expect(args).toContain('--agent=usual');
  });

  it('carries the marker of its supervisor, and is guarded until it ends', async () => {
    const guardian = listing();
    const { children, options } = standInChildren(folder, { guardian, markerPrefix: `watched-${process.pid}~1` });
    const started = await children.start(childRequest('child-a', 'works until it is ended'), never);
    if (started.kind !== 'started') throw new Error(started.why);
    expect(runningWithMarker(`${options.markerPrefix}/child.child-a`)).toEqual([started.identity.pid]);
    expect([...guardian.watched]).toEqual([started.identity.pid]);
    await children.end(['child-a']);
    await until('it is forgotten', () => guardian.watched.size === 0);
  });

  it('is refused and ended when it does not register in time', async () => {
    const { children, options } = standInChildren(folder, { registerWithinMs: 300, markerPrefix: `silent-${process.pid}~1` });
    const answer = await children.start({ ...childRequest('child-a', 'ends at once'), prompt: 'is silent' }, never);
    expect(answer).toEqual({ kind: 'refused', why: 'it did not register within 300 ms' });
    expect(runningWithMarker(options.markerPrefix)).toEqual([]);
  });

  it('is ended when it was cancelled before it registered', async () => {
    const { children, options } = standInChildren(folder, { markerPrefix: `cancelled-${process.pid}~1` });
    const control = new AbortController();
    const starting = children.start({ ...childRequest('child-a', 'ends at once'), prompt: 'is silent' }, control.signal);
    await until('it runs', () => runningWithMarker(options.markerPrefix).length === 1);
    control.abort();
    expect(await starting).toEqual({ kind: 'refused', why: 'the run is over' });
    expect(runningWithMarker(options.markerPrefix)).toEqual([]);
  });

  it('says why it cannot be started', async () => {
    const { children, options } = standInChildren(folder);
    const { children: broken } = standInChildren(folder, { usual: { ...options.usual, file: 'no-such-ralph' } });
    expect(await broken.start(childRequest('child-a', 'ends at once'), never)).toEqual({ kind: 'refused', why: 'The command "no-such-ralph" was not found.' });
    expect(await children.find('child-a')).toBeNull();
  });

  it('is killed when it ignores signals', async () => {
    const { children } = standInChildren(folder);
    const started = await children.start(childRequest('child-a', 'is deaf to signals'), never);
    expect(await children.end(['child-a'])).toMatchObject({ left: [] });
    expect(started.kind === 'started' && isRunning(started.identity.pid)).toBe(false);
  });

  it('that was killed is not confused with another process that got its pid', async () => {
    const us = identityOf(process.pid);
    if (us === null) throw new Error('we are not there');
    const gone = { ...us, startTime: `${us.startTime}0` };
    const { children } = standInChildren(folder, { activeRuns: async () => [{ run: 'child-a', identity: gone, isOurs: true }] });
    expect(await children.end(['child-a'])).toMatchObject({ left: [] });
    expect(isRunning(process.pid)).toBe(true);
  });

  it('of another run is awaited and never ended', async () => {
    const { children: theirs, options } = standInChildren(folder);
    await theirs.start(childRequest('child-a', 'works until it is ended'), never);
    const activeRuns = async () => (await options.activeRuns()).map((child) => ({ ...child, isOurs: false }));
    const { children: ours } = standInChildren(folder, { activeRuns, runFolder: join(folder, 'another') });
    expect(await ours.active()).toEqual(['child-a']);
    expect(await ours.end(['child-a'])).toEqual({ ended: [], left: [] });
    expect(await theirs.end(['child-a'])).toEqual({ ended: ['child-a'], left: [] });
  });

  it('that names another run as its parent is ended all the same', async () => {
    const { children, options } = standInChildren(folder);
    const { children: deceived } = standInChildren(folder, {
      activeRuns: async () => (await options.activeRuns()).map((child) => ({ ...child, isOurs: false })),
    });
    await children.start(childRequest('child-a', 'works until it is ended'), never);
    expect(await deceived.end(['child-a'])).toEqual({ ended: ['child-a'], left: [] });
  });
});

describe('a trap in place of the files of a child', () => {
  const traps: readonly (readonly [string, (path: string) => void])[] = [
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a link', (path) => symlinkSync('/dev/zero', path)],
    ['a folder', (path) => mkdirSync(path)],
  ];

  it.each(traps)('is not read as a journal, and does not block: %s', async (_name, set) => {
    const { children, runsFolder } = standInChildren(folder, { registerWithinMs: 300, activeRuns: async () => [] });
    mkdirSync(join(runsFolder, 'child-a'));
    set(join(runsFolder, 'child-a', 'journal.jsonl'));
    const answer = await children.start({ ...childRequest('child-a', 'ends at once'), prompt: 'is silent' }, never);
    expect(answer).toEqual({ kind: 'refused', why: 'it did not register within 300 ms' });
    expect(await children.find('child-a')).toBeNull();
    expect(await children.end(['child-a'])).toEqual({ ended: [], left: [] });
  });

  it.each(traps)('is not read as a request, and hides no child from its own supervisor: %s', async (_name, set) => {
    const activeRuns = async () => [];
    const { children, options } = standInChildren(folder, { activeRuns });
    await children.start(childRequest('child-a', 'works until it is ended'), never);
    const { requestFile } = childPlace(options.runFolder, 'child-a');
    rmSync(requestFile);
    set(requestFile);
    const { children: later } = standInChildren(folder, { activeRuns });
    expect(await later.find('child-a')).toBeNull();
    expect(await children.end(['child-a'])).toEqual({ ended: ['child-a'], left: [] });
  });
});
