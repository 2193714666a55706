// Deep: scripted agents cover the ends of ralph work.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../support/loop-stage.ts';
import { run, say, usageLimit } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { until } from '../support/until.ts';
import { openWorkAgent, type WorkAgent, worksOn, writes } from '../support/work-agent.ts';

const agents = expectRealAgents();

/** How a task stands, and what its register says. */
const shown = async (crew: WorkAgent, task: string) => (await crew.ralph('task', 'show', task, '--json')).result;

describe.skipIf(agents.missing)('the real claude that only says it is done', () => {
  it('is not done: its task is left for a person, dependent tasks wait, and the worker continues with the next', async () => {
    const boasts = [run(`${writes('T-1')} && git add -A && git commit -qm mine`), say('T-1 is complete. I have run `ralph task complete T-1`.')];
    const needs = { 'T-1': [], 'T-2': [], 'T-3': ['T-1'] };
    await using crew = await openWorkAgent(agents, { name: 'claude', needs, parts: { 'T-1': [boasts] } });
    const ended = await crew.work();

    expect(ended, `${ended.stderr}\n${crew.toolResults()}`).toMatchObject({ code: 1, result: { stop_reason: 'stuck', done: false, iterations: 2 } });
    expect(ended.result?.work?.tasks).toMatchObject({ done: 1, not_completed: 1, failed: 0, unproven: 0, conflicts: 0, held: 0 });
    expect(ended.stderr).toContain('⚠ Exited without completing the task');
    expect(crew.statuses()).toEqual({ 'T-1': 'pending', 'T-2': 'complete', 'T-3': 'pending' });
    expect(await shown(crew, 'T-1')).toMatchObject({ state: 'failed', branch: 'ralph/T-1.1' });
    expect(crew.repo.git('show', 'ralph/T-1.1:T-1.txt')).toBe('T-1.1');
  });
});

describe.skipIf(agents.missing)('a usage limit of the real claude', () => {
  it('is waited out in the middle of a plan, and counts neither as a success nor as a failure', async () => {
    let resetsAtMs = 0;
    const limited = () => {
      resetsAtMs = Date.now() + 6_000;
      return usageLimit(resetsAtMs);
    };
    const needs = { 'T-1': [], 'T-2': ['T-1'] };
    const parts = { 'T-2': [limited, worksOn('T-2', ['T-1'])] };
    await using crew = await openWorkAgent(agents, { name: 'claude', needs, parts, subscriber: true });
    const ended = await crew.work('--max-failures', '0');

    expect(ended, `${ended.stderr}\n${crew.toolResults()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', iterations: 2, attempts: 3 } });
    const attempts = eventsOf(ended, 'attempt.ended');
    expect(attempts.map(({ verdict }) => verdict)).toEqual(['ok', 'limited', 'ok']);
    expect(resetsAtMs).toBeGreaterThan(0);
    expect(eventsOf(ended, 'attempt.spawned').at(-1)?.['at']).toBeGreaterThanOrEqual(resetsAtMs);
    expect(ended.result?.work?.tasks).toMatchObject({ done: 2, not_completed: 0, failed: 0, unproven: 0, conflicts: 0, held: 0 });
    // Never let go meanwhile: the number is the first one still.
    expect(crew.merged('T-2.txt').split('\n')).toEqual(['T-1.1', 'T-2.1']);
  });
});

describe.skipIf(agents.missing)('Ctrl-C while the real claude works on a task', () => {
  it('stops it, keeps its uncommitted work on its branch, frees the task, and ralph runs resume finishes the run', async () => {
    const begins = [run('echo half >half.txt; : >../../beside/busy; sleep 6000')];
    const finishes = worksOn('T-1', [], 'grep -qx half half.txt');
    await using crew = await openWorkAgent(agents, { name: 'claude', needs: { 'T-1': [] }, parts: { 'T-1': [begins, finishes] } });
    const running = crew.begin();
    await until('it is at work', () => existsSync(join(crew.repo.beside, 'busy')) || running.child.exitCode !== null, 60_000);
    running.child.kill('SIGINT');
    const stopped = await crew.over(running);

    expect(stopped, `${stopped.stderr}\n${crew.toolResults()}`).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', done: false } });
    expect(await shown(crew, 'T-1')).toMatchObject({ state: 'ready', branch: 'ralph/T-1.1', tries: 0 });
    expect(crew.repo.git('show', 'ralph/T-1.1:half.txt')).toBe('half');
    expect(crew.statuses()).toEqual({ 'T-1': 'pending' });
    const resumed = await crew.ralph('runs', 'resume', '--json');
    expect(resumed, `${resumed.stderr}\n${crew.toolResults()}`).toMatchObject({
      code: 0,
      result: { run_id: stopped.result?.run_id, stop_reason: 'completed' },
    });
    expect(resumed.result?.work?.tasks).toMatchObject({ done: 1, not_completed: 0, failed: 0, unproven: 0, conflicts: 0, held: 0 });
    expect(crew.merged('half.txt')).toBe('half');
  });
});
