// Deep: scripted agents cover leftover processes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runningWithCommand } from '../support/live-processes.ts';
import { perSession, type Turn } from '../support/model-server/scenario.ts';
import { call, run, say } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { bodiesOf, eventsIn } from '../support/supervise-stage.ts';
import { openSupervisedAgent } from '../support/supervised-agent.ts';
import { until } from '../support/until.ts';

const agents = expectRealAgents();

const DONE = ': >"$TASK_FOLDER/DONE"';
/** A sleep that nobody else on this machine sleeps, and how many of them there are. */
const SLEEP = `sleep 6000${process.pid}`;
const sleepers = () => runningWithCommand(SLEEP.replace(' ', '\0')).length;
const finishes = [run(DONE, 'I go on.'), say('Done.')];

describe.skipIf(agents.missing).each([
  { name: 'claude', flags: [] },
  // Its own sandbox lets nothing out, not even to the door, unless the operator says so.
  { name: 'codex', flags: ['-c', 'sandbox_workspace_write.network_access=true'] },
] as const)('the real $name that has started a child', ({ name, flags }) => {
  it('may finish first: its supervisor waits for the child', async () => {
    const child = 'while [ ! -e go ]; do sleep 0.05; done; echo "the child of $RALPH_PARENT_RUN_ID" >notes';
    const starts = `ralph job --detach -- sh -c '${child}' >asked && ${DONE}`;
    await using root = await openSupervisedAgent(agents, { name, flags, scenario: [run(starts), say('The rest is up to the child.')] });
    const running = root.stage.begin(...root.words, '--max-restarts', '1');
    const awaited = () => running.stderr().includes('waiting for 1 child to complete');
    await until('the child is waited for', () => awaited() || running.child.exitCode !== null, 60_000);
    expect(root.read('notes')).toBe('');
    await writeFile(join(root.stage.path, 'go'), '');
    const ended = await root.stage.over(running);

    const asked = root.read('asked').trim();
    expect(ended, `${ended.stderr}\n${root.toolResults()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, restarts: 1 } });
    expect(root.read('notes')).toBe(`the child of ${ended.result?.run_id}\n`);
    expect(bodiesOf(root.stage.messages(), 'INFO')).toEqual([
      'starting root agent (restart #0)',
      `waiting for 1 children to complete: [${asked}]`,
      'task completed (all children finished)',
    ]);
    expect(root.processes()).toEqual([]);
  });
});

describe.skipIf(agents.missing)('what the real claude leaves running in the background', () => {
  it.each<[string, Turn]>([
    ['with nohup', run(`nohup ${SLEEP} >/dev/null 2>&1 &`)],
    ['as a task of its own', call('Bash', { command: SLEEP, description: 'Sleeps', run_in_background: true })],
  ])('%s ends with a task that is done', async (_, starts) => {
    // A task of its own may begin after its call has been answered.
    const waits = run(`until [ -e seen ]; do sleep 0.05; done; ${DONE}`);
    await using root = await openSupervisedAgent(agents, { name: 'claude', scenario: [starts, waits, say('Done.')] });
    const running = root.stage.begin(...root.words, '--finish-on-done', '2s');
    await until('it runs', () => sleepers() === 1, 60_000);
    await writeFile(join(root.stage.path, 'seen'), '');
    const ended = await root.stage.over(running);

    expect(ended, `${ended.stderr}\n${root.toolResults()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(sleepers()).toBe(0);
    expect(root.processes()).toEqual([]);
  });

  it('ends when the agent is stopped by its timeout, like its running command; the next start is told', async () => {
    const scenario = perSession([run(`nohup ${SLEEP} >/dev/null 2>&1 & : >busy; ${SLEEP}`)], finishes);
    await using root = await openSupervisedAgent(agents, { name: 'claude', scenario });
    const running = root.stage.begin(...root.words, '--run-timeout', '12s');
    await root.made('busy');
    await until('both run', () => sleepers() === 2);
    await until('both are gone', () => sleepers() === 0, 40_000);
    const ended = await root.stage.over(running);

    expect(ended, ended.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 2 } });
    expect(eventsIn(root.stage, 'attempt.ended').map(({ ending }) => ending)).toMatchObject([
      { kind: 'stopped', cause: 'deadline' },
      { kind: 'exited', code: 0 },
    ]);
    expect(bodiesOf(root.stage.messages(), 'WARNING')).toEqual(['root agent failed on restart #0: timed out']);
    expect(root.lives()[1]?.prompt).toContain('## How your last life ended\n\n```text\n');
    expect(root.processes()).toEqual([]);
  });
});

describe.skipIf(agents.missing)('Ctrl-C while the real claude runs a command', () => {
  it('leaves nothing running, and the task is finished by ralph runs resume', async () => {
    const scenario = perSession([run(`: >busy; ${SLEEP}`)], finishes);
    await using root = await openSupervisedAgent(agents, { name: 'claude', scenario });
    const running = root.stage.begin(...root.words, '--max-restarts', '1');
    await root.made('busy');
    running.child.kill('SIGINT');
    const stopped = await root.stage.over(running);

    expect(stopped, stopped.stderr).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', done: false } });
    expect(sleepers()).toBe(0);
    expect(root.processes()).toEqual([]);
    const resumed = await root.stage.ralph('runs', 'resume', '--json');
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { run_id: stopped.result?.run_id, stop_reason: 'completed', done: true, restarts: 1 } });
    expect(root.processes()).toEqual([]);
  });
});
