import { execFileSync } from 'node:child_process';
import { appendFile, lstat, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { given, runStarted, writer } from '../../../test/support/given.ts';
import { closed, ended, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { keepProgressFile } from './progress-file.ts';

let folder: string;
let path: string;
let link: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-progress-'));
  path = join(folder, 'progress.md');
  link = join(folder, '.ralph', 'progress.md');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = runStarted(testSettings());
const resumed: EventBody = { type: 'run.resumed', ralph: '0', writer };
const iteration = (number: number): readonly EventBody[] => [opened(number), ended(number, { tools: number }), closed(number)];

/** Sends all bodies except the past ones, as a ledger does. */
async function keep(bodies: readonly EventBody[], past: readonly EventBody[] = []): Promise<void> {
  const projection = keepProgressFile(path, link);
  let state: RunState = emptyState;
  for (const event of given(...past, ...bodies)) {
    state = evolve(state, event);
    if (event.seq > past.length) projection.onEvent(event, state);
  }
  await projection.close?.();
}

const headings = async () => (await readFile(path, 'utf8')).match(/^## .*/gm) ?? [];

describe('the progress file', () => {
  it('has a title and gets every iteration as it closes', async () => {
    await keep([start, ...iteration(1), ...iteration(2)]);
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(/^# Ralph Loop — Progress\n\n> .*\n\n## Iteration 1 — FAIL\n- Steps: 1\n/);
    expect(text).toMatch(/\n\n## Iteration 2 — FAIL\n- Steps: 2\n(?:.*\n)*$/);
  });

  it('keeps more iterations than the state does', async () => {
    await keep([start, ...Array.from({ length: 14 }, (_, index) => iteration(index + 1)).flat()]);
    expect(await headings()).toHaveLength(14);
  });

  it('continues after a resume, and adds what a crash left out', async () => {
    const past = [start, ...iteration(1)];
    await keep(past);
    await keep([resumed, ...iteration(3)], [...past, ...iteration(2)]);
    expect(await headings()).toEqual(['## Iteration 1 — FAIL', '## Iteration 2 — FAIL', '## Iteration 3 — FAIL']);
  });

  it('is not written through a link', async () => {
    await writeFile(join(folder, 'mine'), 'mine');
    await symlink(join(folder, 'mine'), path);
    await keep([start, ...iteration(1)]);
    expect(await readFile(join(folder, 'mine'), 'utf8')).toBe('mine');
  });
});

describe('the link to the progress file', () => {
  it('exists from the start and points to the newest run', async () => {
    await mkdir(join(folder, '.ralph'));
    await symlink(join(folder, 'older.md'), link);
    await keep([start]);
    expect(await readlink(link)).toBe(path);
    expect(await readFile(link, 'utf8')).toMatch(/^# Ralph Loop/);
  });

  it('replaces nothing but a link', async () => {
    await mkdir(join(folder, '.ralph'));
    await writeFile(link, 'mine');
    await keep([start]);
    expect((await lstat(link)).isFile()).toBe(true);
    expect(await readFile(link, 'utf8')).toBe('mine');
  });

  it('is not created in a folder that leads elsewhere', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, '.ralph'));
    await keep([start, ...iteration(1)]);
    await expect(lstat(join(folder, 'elsewhere', 'progress.md'))).rejects.toThrow('ENOENT');
    expect(await headings()).toHaveLength(1);
  });
});

describe('a progress file that an agent has tampered with', () => {
  it('only makes the view wrong, however long the agent makes it', async () => {
    await keep([start]);
    await appendFile(path, 'x'.repeat(200_000));
    await keep([...iteration(1)], [start]);
    expect((await readFile(path, 'utf8')).slice(200_000)).toContain('## Iteration 1');
  });

  it('does not block the loop when it is a pipe', async () => {
    execFileSync('mkfifo', [path]);
    await keep([start, ...iteration(1)]);
    expect((await lstat(path)).isFIFO()).toBe(true);
  });
});

describe('a disk error', () => {
  it('only makes the progress file incomplete', async () => {
    path = join(folder, 'missing', 'progress.md');
    await keep([start, ...iteration(1)]);
    await expect(lstat(path)).rejects.toThrow('ENOENT');
  });
});
