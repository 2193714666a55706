import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLine } from '../../../src/store/journal-file.ts';
import { isRunning } from '../../support/live-processes.ts';
import { doneInLife, eventsIn, HANGS, openSuperviseStage, type SuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';

/** Fails, hangs in its second start, and is done after that. */
const HANGS_ONCE = `[ "$life" = 1 ] && exit 1\n[ "$life" = 2 ] && [ ! -e "$here/busy" ] && { setsid sleep 600 & ${HANGS.replace('\n', '; ')}; }\n${doneInLife(2)}`;
const journalFile = (stage: SuperviseStage, run: string) => join(stage.task, 'runs', run, 'journal.jsonl');

async function killInSecondLife(stage: SuperviseStage, ...more: readonly string[]): Promise<string> {
  const running = stage.begin(...more);
  await stage.made('busy');
  // Before that, the start is not recorded and would be repeated.
  await until('its start is written down', () => eventsIn(stage, 'attempt.spawned').length === 2);
  await stage.kill(running);
  return String(eventsIn(stage, 'run.started')[0]?.['run']);
}

describe.concurrent('kill -9 of the supervisor', () => {
  it('ends the agent with its tools; the resumed run continues the count, and the interrupted start does not count', async () => {
    await using stage = await openSuperviseStage(HANGS_ONCE);
    const run = await killInSecondLife(stage, '--max-restarts', '2');
    const resumed = await stage.ralph('runs', 'resume', run, '--json');

    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { run_id: run, stop_reason: 'completed', restarts: 2, maximum_iterations: 2 } });
    expect(stage.lives()).toEqual(['1.1', '2.1', '3.1']);
    expect(eventsIn(stage, 'iteration.closed').map(({ result }) => result)).toEqual(['failed', 'abandoned', 'green']);
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('together with its guardian leaves the agent running; the resumed run ends it before it starts another', async () => {
    await using stage = await openSuperviseStage(HANGS_ONCE);
    const running = stage.begin();
    const sleepers = () => stage.processes().filter(({ command }) => command === 'sleep 600');
    await until('the agent and what it started sleep', () => sleepers().length === 2);
    const guardians = stage.processes().filter(({ command }) => command.includes('ralph-guardian'));
    // While it is stopped, it cannot start another guardian before it dies.
    running.child.kill('SIGSTOP');
    for (const { pid } of guardians) process.kill(pid, 'SIGKILL');
    running.child.kill('SIGKILL');
    await running.ended;
    const left = sleepers();
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(guardians).toHaveLength(1);
    expect(left).toHaveLength(2);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 2 } });
  });

  it('does not lose a DONE of the interrupted start', async () => {
    await using stage = await openSuperviseStage(`: >"$TASK_FOLDER/DONE"\n${HANGS}`);
    const running = stage.begin('--finish-on-done', '0');
    await stage.made('busy');
    await stage.kill(running);
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect(stage.lives()).toEqual(['1.1']);
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('does not make a resumed run end a foreign process with the reused pid of its agent', async () => {
    await using stage = await openSuperviseStage(HANGS_ONCE);
    const run = await killInSecondLife(stage);
    const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
    const forged = (await readFile(journalFile(stage, run), 'utf8')).split('\n').map((line) => withPid(openLine(line).line, stranger.pid ?? Number.NaN));
    await writeFile(journalFile(stage, run), forged.join('\n'));
    const resumed = await stage.ralph('runs', 'resume', run, '--json');
    const lives = isRunning(stranger.pid ?? Number.NaN);
    stranger.kill('SIGKILL');

    expect(readFileSync(journalFile(stage, run), 'utf8')).toContain(`"pid":${stranger.pid}`);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect(lives).toBe(true);
  });

  it('does not block a new supervisor, which counts from 0; the dead run can still be resumed and finds DONE', async () => {
    await using stage = await openSuperviseStage(HANGS_ONCE);
    const run = await killInSecondLife(stage);
    const fresh = await stage.supervise();
    const resumed = await stage.ralph('runs', 'resume', run, '--json');

    expect(fresh, fresh.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 2 } });
    expect(fresh.result?.run_id).not.toBe(run);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { run_id: run, stop_reason: 'completed' } });
    expect(stage.lives()).toEqual(['1.1', '2.1', '1.1', '2.1']);
  });
});

describe.concurrent('a second supervisor of the same task', () => {
  it('is refused while the first is alive, with its run and process; it may not resume that run either', async () => {
    await using stage = await openSuperviseStage(HANGS);
    const running = stage.begin();
    await stage.made('busy');
    const run = String(eventsIn(stage, 'run.started')[0]?.['run']);
    const other = stage.begin();
    const resuming = stage.start('runs', 'resume', run, '--json');
    const [refused, notResumed] = [await other.ended, await resuming.ended];
    running.child.kill('SIGINT');
    await stage.over(running);

    expect(refused).toMatchObject({ code: 4 });
    expect(JSON.parse(refused.stdout)).toMatchObject({ stop_reason: 'fatal', exit_code: 4 });
    expect(refused.stderr).toMatch(new RegExp(`^error: task the-task .*${run}.*pid ${running.child.pid}\\b.*\nhint: .*${run}.*\n$`));
    expect(notResumed).toMatchObject({ code: 4 });
    expect(notResumed.stderr).toContain(`pid ${running.child.pid}`);
    expect(stage.lives()).toEqual(['1.1']);
  });

  it('changes nothing when it is refused', async () => {
    await using stage = await openSuperviseStage(`: >"$TASK_FOLDER/WAIT_WITHOUT_RESTART"\n${HANGS}`);
    const running = stage.begin('-p', 'The first wish.');
    await stage.made('busy');
    const before = filesIn(stage);
    const refused = await stage.begin('-p', 'Another wish.', '--depends-on', 'another-task').ended;
    const after = filesIn(stage);
    running.child.kill('SIGINT');
    await stage.over(running);

    expect(refused).toMatchObject({ code: 4 });
    expect(after).toEqual(before);
    expect(readFileSync(join(stage.task, 'TASK.md'), 'utf8')).toBe('The first wish.');
  });

  it('takes the task of a dead one whose pid was reused', async () => {
    await using stage = await openSuperviseStage(HANGS_ONCE);
    await killInSecondLife(stage);
    const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
    const held = readdirSync(stage.task).filter((name) => name.startsWith('supervisor.lock'));
    for (const name of held) {
      const file = join(stage.task, name);
      await writeFile(file, (await readFile(file, 'utf8')).replace(/"pid":\d+/, `"pid":${stranger.pid}`));
    }
    const run = await stage.supervise();
    const lives = isRunning(stranger.pid ?? Number.NaN);
    stranger.kill('SIGKILL');

    expect(held).not.toEqual([]);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect(lives).toBe(true);
  });

  it('that starts at the same moment: one of four gets the task', async () => {
    await using stage = await openSuperviseStage(`: >"$here/busy"\nwhile [ ! -e "$here/go" ]; do sleep 0.05; done\n${doneInLife(1)}`);
    const four = [stage.begin(), stage.begin(), stage.begin(), stage.begin()];
    const refused = four.map(async ({ ended }) => (await ended).code === 4);
    await until('three are refused', async () => (await soFar(refused)).filter((isRefused) => isRefused === true).length === 3);
    await stage.make('go');
    const codes = await Promise.all(four.map(async ({ ended }) => (await ended).code));

    expect(codes.sort()).toEqual([0, 4, 4, 4]);
    expect(stage.lives()).toEqual(['1.1']);
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('of another task can run at the same time', async () => {
    await using stage = await openSuperviseStage(`[ "$RALPH_TASK_ID" = other ] && { : >"$TASK_FOLDER/DONE"; exit; }\n${HANGS}`);
    const running = stage.begin();
    await stage.made('busy');
    const other = await stage.begin('--task', 'other').ended;
    running.child.kill('SIGINT');
    await stage.over(running);

    expect(other, other.stderr).toMatchObject({ code: 0 });
  });
});

/** The outcome of finished runs; null for the others. */
function soFar(answers: readonly Promise<boolean>[]): Promise<readonly (boolean | null)[]> {
  return Promise.all(answers.map((answer) => Promise.race([answer, Promise.resolve(null)])));
}

/** All files of the task folder, except those of the active run and its lock. */
function filesIn(stage: SuperviseStage): readonly string[] {
  return readdirSync(stage.task)
    .filter((name) => !name.startsWith('supervisor.lock'))
    .sort();
}

/** The same line with the pid of another process. */
function withPid(line: string, pid: number): string {
  if (!line.includes('"type":"attempt.spawned"') && !line.includes('"type":"run.started"')) return line;
  return line.replaceAll(/"pid":\d+/g, `"pid":${pid}`);
}
