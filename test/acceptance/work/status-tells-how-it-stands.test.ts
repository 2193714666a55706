import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gone, makeRun } from '../../support/made-runs.ts';
import { openGitPlace, type Place } from '../../support/place.ts';
import { startRalph } from '../../support/ralph.ts';
import { until } from '../../support/until.ts';
import { doneTask } from '../../support/work-journal.ts';
import { workSettings } from '../../support/work-spec.ts';
import { CHAIN, CHAINED, graphOf } from './task-stage.ts';

const RUN = '20260205-120000-abc123';
const entry = (iteration: number, action = 'started', outcome = 'Lay the base') =>
  `${JSON.stringify({ timestamp: '2026-02-05T12:00:00Z', iteration, task_id: 'T-1', action, duration_seconds: 0, exit_code: null, outcome, story_filter: null })}\n`;

/** A repository with a plan, and the files of a dead `ralph work`. */
async function openAfterWork(): Promise<Place & { readonly logs: string }> {
  const place = await openGitPlace();
  const logs = join(place.path, 'logs');
  await place.write('task-graph.yaml', graphOf(CHAIN, CHAINED));
  const settings = workSettings({ home: place.path, logs });
  await makeRun(join(place.path, '.git', 'ralph', 'runs'), RUN, { settings, writer: gone(), cwd: place.path, after: doneTask(1, 'T-1') });
  await mkdir(logs);
  await writeFile(join(logs, 'ralph.jsonl'), Array.from({ length: 7 }, (_, index) => entry(index + 1)).join(''));
  await writeFile(join(logs, 'ralph.heartbeat'), `${new Date(Date.now() - 2 * 3_600_000).toISOString()}\n`);
  return { ...place, logs };
}

describe('ralph status after ralph work', () => {
  it('shows the heartbeat, the last five entries and the ready tasks', async () => {
    await using place = await openAfterWork();
    const { code, stdout } = await place.ralph(['status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Heartbeat 2h/m);
    expect(stdout).toContain(
      '\nPlan task-graph.yaml: 0 of 3 complete, 0 held, 1 ready, 2 waiting, 0 blocked, 0 failed, 0 in conflict\nReady\n  T-1  Lay the base\n',
    );
    expect(stdout).toMatch(/\nLast entries\n {2}\[3\] started: Lay the base\n(.*\n){3} {2}\[7\] started: Lay the base\n$/);
  });

  it('exits with 1 if the heartbeat is older than --stale-after', async () => {
    await using place = await openAfterWork();
    expect(await place.ralph(['status', '--stale-after', '1h'])).toMatchObject({ code: 1, stderr: 'The heartbeat is older than 1h.\n' });
    expect(await place.ralph(['status', '--stale-after', '3h'])).toMatchObject({ code: 0, stderr: '' });
    await rm(join(place.logs, 'ralph.heartbeat'));
    expect(await place.ralph(['status', '--stale-after', '3h', '--json'])).toMatchObject({
      code: 1,
      result: { run_id: RUN, status: 'dead', heartbeat: { at: null, age_ms: null }, work: { tasks: { done: 1 } }, plan_now: { ready: [{ task: 'T-1' }] } },
    });
  });

  it('shows no heartbeat without a run on a plan', async () => {
    await using place = await openGitPlace();
    await makeRun(join(place.path, '.git', 'ralph', 'runs'), RUN, { writer: gone(), cwd: place.path });
    expect(await place.ralph(['status', '--stale-after', '1h'])).toMatchObject({ code: 2 });
    const { code, stdout } = await place.ralph(['status']);
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [expect.stringContaining(RUN), expect.stringContaining('Iterations 0/5'), expect.any(String), expect.any(String), ''],
    ]);
  });
});

describe('ralph logs', () => {
  it('prints the last entries in the format of the seed, or as JSON', async () => {
    await using place = await openAfterWork();
    expect(await place.ralph(['logs', '-n', '2'])).toMatchObject({
      code: 0,
      stdout: '[2026-02-05T12:00:00Z] [6] started: Lay the base\n[2026-02-05T12:00:00Z] [7] started: Lay the base\n',
    });
    expect((await place.ralph(['logs', '-n', '1', '--json'])).stdout).toBe(entry(7));
  });

  it('follows across a rotation until it is interrupted', async () => {
    await using place = await openAfterWork();
    const { child, ended } = startRalph(['logs', '-f', '-n', '1'], { cwd: place.path });
    let heard = '';
    child.stdout?.on('data', (chunk) => {
      heard += chunk;
    });
    await until('the last one is told', () => heard.includes('[7]'));
    await rename(join(place.logs, 'ralph.jsonl'), join(place.logs, 'ralph.jsonl.1'));
    await writeFile(join(place.logs, 'ralph.jsonl'), entry(8, 'failed', 'a\u001b[2J\nb'));
    await until('the next one is told', () => heard.includes('[8]'));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    expect(heard.split('\n')).toEqual([expect.stringContaining('[7]'), '[2026-02-05T12:00:00Z] [8] failed: a␊b', '']);
  });

  it('reports a missing log', async () => {
    await using place = await openGitPlace();
    const { code, stderr } = await place.ralph(['logs']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(join(place.path, 'logs', 'ralph.jsonl'))]);
  });
});
