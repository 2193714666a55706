import { readFileSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STORIES } from '../../../../test/support/plugin-stage.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { readActiveMarker } from '../../../door/hooks/active-marker-text.ts';
import type { JournalEvent } from '../../../journal/events/journal-event.ts';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import type { StoryPlan } from '../../../journal/words/story.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { keepActiveMarker } from './active-marker.ts';

let folder: ThrowAwayFolder;
let path = '';
let warnings: string[];
beforeEach(async () => {
  folder = await openThrowAwayFolder();
  path = join(folder.path, '.ralph-active');
  warnings = [];
});
afterEach(() => folder[Symbol.asyncDispose]());

const state = {
  ...emptyState,
  run: { id: 'r-1' },
  stories: { ...emptyState.stories, plan: STORIES as StoryPlan },
  open: [{ turn: { mode: 'implement', story: 'US-001' } }],
} as unknown as RunState;

function keep() {
  const spec = { home: folder.path, folder: 'ralph', plan: 'ralph/tasks.json', skipReview: false, reviewCap: 5 } as StoriesSpec;
  const kept = keepActiveMarker(path, {
    spec,
    maxIterations: 15,
    mode: 'direct' as const,
    socket: '/run/r-1.sock',
    nowMs: () => 0,
    warn: (text) => warnings.push(text),
  });
  const hear = (type: string) => kept.onEvent({ body: { type } } as unknown as JournalEvent, state);
  return { hear, close: async () => await kept.close?.() };
}

const marker = () => JSON.parse(readFileSync(path, 'utf8'));

describe('the marker of a loop on stories', () => {
  it('has the fields of the seed, and the socket to ask', () => {
    keep().hear('turn.begun');
    const untouched = { passes: false, reviewStatus: null, reviewCount: 0 };
    expect(marker()).toEqual({
      timestamp: '1970-01-01T00:00:00.000Z',
      pid: process.pid,
      max_iterations: 15,
      mode: 'direct',
      skipReview: false,
      reviewCap: 5,
      iterationMode: 'implement',
      preIterationSnapshot: { 'US-001': untouched, 'US-002': untouched },
      run: 'r-1',
      ralph_dir: 'ralph',
      story: 'US-001',
      socket: '/run/r-1.sock',
    });
    expect(readActiveMarker(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, iterationMode: 'implement', ralphDir: 'ralph' });
  });

  it('is written before an agent starts, and only then', async () => {
    const { hear } = keep();
    hear('iteration.opened');
    expect(await readdir(folder.path)).toEqual([]);
    for (const type of ['run.started', 'run.resumed', 'turn.begun']) {
      await writeFile(path, 'of the agent');
      hear(type);
      expect(marker()).toMatchObject({ run: 'r-1' });
    }
    expect(await readdir(folder.path)).toEqual(['.ralph-active']);
  });

  it('is removed when its loop ends', async () => {
    const { hear, close } = keep();
    hear('run.started');
    await close();
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.each([
    ['another loop', JSON.stringify({ pid: process.pid + 1, run: 'r-1' })],
    ['another run of this process', JSON.stringify({ pid: process.pid, run: 'r-2' })],
    ['nobody knows whom', 'nonsense'],
  ])('stays when it belongs to %s by then', async (_whose, text) => {
    const { hear, close } = keep();
    hear('run.started');
    await writeFile(path, text);
    await close();
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(warnings).toEqual([]);
  });

  it('is never written through a link', async () => {
    const victim = join(folder.path, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, path);
    keep().hear('turn.begun');
    expect(await readFile(victim, 'utf8')).toBe('precious');
    expect((await lstat(path)).isFile()).toBe(true);
  });

  it('does not stop the run when it cannot be written, and warns once', async () => {
    await mkdir(path);
    const { hear, close } = keep();
    hear('run.started');
    hear('turn.begun');
    await close();
    expect(warnings).toEqual([expect.stringContaining(`cannot keep ${path}`)]);
    expect(await readdir(folder.path)).toEqual(['.ralph-active']);
  });
});
