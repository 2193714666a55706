import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { opened } from '../../../../test/support/run-events.ts';
import { workSettings } from '../../../../test/support/work-spec.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { emptyState } from '../../../journal/state/state.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { keepHeartbeat } from './work-status.ts';

let folder: string;
let path: string;
let nowMs: number;
let warnings: string[];
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'ralph-heart-')), 'logs');
  path = join(folder, 'ralph.heartbeat');
  nowMs = 1_000;
  warnings = [];
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const start = runStarted(workSettings());

function heart(everyMs?: number) {
  const projection = keepHeartbeat(folder, { nowMs: () => nowMs, warn: (text) => warnings.push(text), ...(everyMs && { everyMs }) });
  const hear = (...bodies: readonly EventBody[]) => {
    for (const event of given(...bodies)) projection.onEvent(event, emptyState);
  };
  return { ...projection, hear };
}

const beat = () => readFile(path, 'utf8').catch(() => '');

describe('logs/ralph.heartbeat', () => {
  it('is the time of the last task that was begun', async () => {
    const projection = heart();
    projection.hear(start);
    nowMs = 5_000;
    projection.hear(opened(1));
    await projection.close?.();
    expect(await beat()).toBe('1970-01-01T00:00:05.000Z\n');
    expect(await readdir(folder)).toEqual(['ralph.heartbeat']);
  });

  it('is refreshed while a task takes long, until the run is over', async () => {
    const projection = heart(5);
    projection.hear(start);
    nowMs = 60_000;
    await expect.poll(beat).toBe('1970-01-01T00:01:00.000Z\n');
    nowMs = 120_000;
    projection.hear({ type: 'run.stopped', outcome: notDone('completed', '', 0) });
    await projection.close?.();
    expect(await beat()).toBe('1970-01-01T00:02:00.000Z\n');
    nowMs = 180_000;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await beat()).toBe('1970-01-01T00:02:00.000Z\n');
  });

  it('replaces a link, and never follows it', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'mine'), 'mine');
    await symlink(join(folder, 'mine'), path);
    const projection = heart();
    projection.hear(start);
    await projection.close?.();
    expect(await readFile(join(folder, 'mine'), 'utf8')).toBe('mine');
    expect(await beat()).toBe('1970-01-01T00:00:01.000Z\n');
  });

  it('warns once when it cannot be written, and does not stop the run', async () => {
    await mkdir(path, { recursive: true });
    const projection = heart();
    projection.hear(start, opened(1));
    projection.hear(opened(2));
    await projection.close?.();
    expect(warnings).toEqual([expect.stringMatching(/cannot write .*ralph\.heartbeat: E/)]);
    expect(await readdir(folder)).toEqual(['ralph.heartbeat']);
  });
});
