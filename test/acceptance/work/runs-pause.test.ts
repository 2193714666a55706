import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, until as comes, ends, stay, turn } from '../../support/claude-script.ts';
import { nameAuthor } from '../../support/committing-stage.ts';
import { CLI } from '../../support/ralph.ts';
import { endOf, openStage, type Stage, WORK } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

/** Reports its start, and ends when released. */
const first = turn(bash('touch ../beside/first'), comes('../beside/may-end'), ...ends('Not yet.'));
const second = turn(bash(WORK), ...ends(CLAIM));

/** Much longer than a loop takes between two iterations. */
const LONG_ENOUGH_MS = 3_000;

/** The journal of the only run. */
function journal({ repo }: Stage): readonly Record<string, unknown>[] {
  const runs = join(repo.path, '.git', 'ralph', 'runs');
  const [run = ''] = readdirSync(runs).filter((name) => !name.includes('.lock'));
  const whole = readFileSync(join(runs, run, 'journal.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1);
  return whole.map((line) => JSON.parse(line));
}

const has = (stage: Stage, type: string) => journal(stage).some((event) => event['type'] === type);

describe.concurrent('a paused run', () => {
  it('finishes running work, starts nothing, and continues when it is resumed', async () => {
    await using stage = await openStage([first, second]);
    const running = stage.start();
    await stage.made('first');
    const paused = await stage.ralph('runs', 'pause', '--json');
    await stage.make('may-end');
    await until('its iteration is closed', () => has(stage, 'iteration.closed'));
    const startsAnother = until('a second agent is called', () => stage.calls().length > 1, LONG_ENOUGH_MS);
    await expect(startsAnother).rejects.toThrow('Not within');
    const again = await stage.ralph('runs', 'pause');
    const resumed = await stage.ralph('runs', 'resume', '--json');
    const run = await endOf(running);

    const run_id = run.result?.run_id ?? '';
    expect(paused).toMatchObject({ code: 0, result: { run_id, asked: 'pause', answer: 'heard' } });
    expect(again).toMatchObject({
      code: 0,
      stdout: `Run ${run_id} is paused: it finishes what has begun and starts nothing new. Continue it with: ralph runs resume ${run_id}\n`,
    });
    expect(resumed).toMatchObject({ code: 0, result: { run_id, asked: 'go-on', answer: 'heard' } });
    expect(run).toMatchObject({ code: 0, result: { stop_reason: 'completed', iterations: 2 } });
    expect(stage.after()).toMatchObject({ calls: 2, processes: [] });
  });

  it('can still be drained and stopped', async () => {
    await using stage = await openStage([first, second]);
    const running = stage.start();
    await stage.made('first');
    await stage.ralph('runs', 'pause');
    const drained = await stage.ralph('runs', 'drain', '--json');
    await stage.make('may-end');
    const run = await endOf(running);

    expect(drained).toMatchObject({ code: 0, result: { asked: 'drain', answer: 'heard' } });
    expect(run).toMatchObject({ result: { stop_reason: 'interrupted', message: 'Stopped by ralph runs drain' } });
    expect(stage.after()).toMatchObject({ calls: 1, processes: [] });
  });

  it('can be resumed like any other after it was killed', async () => {
    await using stage = await openStage([turn(bash('touch ../beside/first'), stay), second]);
    const running = stage.start();
    await stage.made('first');
    await stage.ralph('runs', 'pause');
    running.child.kill('SIGKILL');
    await endOf(running);
    await until('the guardian has ended the agent', () => stage.processes().length === 0);
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(resumed).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect(stage.after()).toMatchObject({ calls: 2, processes: [] });
  });
});

const GRAPH = `version: "1.0"
nodes:
  - {id: T-1, title: First, description: d, priority: 1, status: pending}
  - {id: T-2, title: Second, description: d, priority: 1, status: pending}
edges: []
`;

/** Works when released, and reports that. */
const WORKER = `
touch "$(dirname "$0")/began.$RALPH_TASK_ID"
while [ ! -e "$(dirname "$0")/may-end" ]; do sleep 0.05; done
echo done > "$RALPH_TASK_ID.txt"
"$NODE" "$CLI" task complete "$RALPH_TASK_ID"
`;

describe.concurrent('a paused ralph work', () => {
  it('finishes its tasks, takes no other, and continues when it is resumed', async () => {
    await using stage = await openStage([], { files: { 'task-graph.yaml': GRAPH } });
    nameAuthor(stage.repo);
    const worker = await stage.repo.write('../beside/worker.sh', WORKER.replace('$NODE', process.execPath).replace('$CLI', CLI));
    const running = stage.begin('work', '--agent', `sh ${worker}`, '--pause', '0s', '--json');
    await stage.made('began.T-1');
    const paused = await stage.ralph('runs', 'pause');
    await stage.make('may-end');
    await until('its task is done', () => has(stage, 'iteration.closed'));
    const takesAnother = until('the second task is begun', () => existsSync(join(stage.repo.beside, 'began.T-2')), LONG_ENOUGH_MS);
    await expect(takesAnother).rejects.toThrow('Not within');
    const resumed = await stage.ralph('runs', 'resume');
    const run = await endOf(running);

    expect([paused.code, resumed.code]).toEqual([0, 0]);
    expect(run).toMatchObject({ code: 0, result: { stop_reason: 'completed', iterations: 2 } });
    expect(stage.repo.git('ls-files', 'T-*').split('\n')).toEqual(['T-1.txt', 'T-2.txt']);
  });
});

describe.concurrent('a drained run', () => {
  it('finishes running work and stops', async () => {
    await using stage = await openStage([first, second]);
    const running = stage.start();
    await stage.made('first');
    const drained = await stage.ralph('runs', 'drain');
    await stage.make('may-end');
    const run = await endOf(running);

    expect(drained).toMatchObject({ code: 0, stdout: `Run ${run.result?.run_id} finishes what has begun, then stops.\n` });
    expect(run).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', message: 'Stopped by ralph runs drain' } });
    expect(stage.after()).toMatchObject({ calls: 1, processes: [] });
  });
});

describe.concurrent('an inactive run', () => {
  it('is neither paused nor drained, with a one-line error', async () => {
    await using stage = await openStage([second]);
    const none = await stage.ralph('runs', 'pause');
    const run = await stage.run();
    const id = run.result?.run_id ?? '';
    const over = await stage.ralph('runs', 'drain', id.slice(-6));
    const unknown = await stage.ralph('runs', 'pause', 'nobody');

    expect(none).toMatchObject({ code: 2, stdout: '', stderr: 'error: no run is active here\nhint: ralph runs list shows the runs.\n' });
    expect(over).toMatchObject({ code: 2, stdout: '', stderr: `error: run ${id} is not active (done)\nhint: ralph runs list shows the active ones.\n` });
    expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('error: there is no run "nobody" here\n') });
  });

  it('can be resumed, but an active run that is not paused cannot', async () => {
    await using stage = await openStage([first]);
    const running = stage.start('--maximum-iterations', '1');
    await stage.made('first');
    const resumed = await stage.ralph('runs', 'resume');
    await stage.make('may-end');
    await endOf(running);

    expect(resumed).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/^error: [^\n]+\nhint: [^\n]+\n$/) });
  });
});
