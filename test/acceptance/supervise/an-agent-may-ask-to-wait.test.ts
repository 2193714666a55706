import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodiesOf, doneInLife, eventsIn, openSuperviseStage } from '../../support/supervise-stage.ts';

const ways = [
  ['exit code 42', 'exit 42', 'the agent exited with code 42'],
  ['a message on the bus', 'ralph bus post --type wait_without_restart --body "the build is slow" || exit 9; exit 1', 'the build is slow'],
  ['a marker file', 'echo "the build is slow" >"$TASK_FOLDER/WAIT_WITHOUT_RESTART"', 'the build is slow'],
] as const;

/** Waits in its first start, is done in its second. */
const waitsOnce = (wait: string) => `if [ "$life" -lt 2 ]; then\n${wait}\nelse\n: >"$TASK_FOLDER/DONE"\nfi`;

describe.concurrent('an agent can ask not to be restarted by', () => {
  it.each(ways)('%s; a resume continues', async (_, wait, reason) => {
    await using stage = await openSuperviseStage(waitsOnce(wait));
    const run = await stage.supervise();
    const waiting = stage.lives();
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(run, run.stderr).toMatchObject({
      code: 0,
      result: { stop_reason: 'waiting', status: 'stopped', done: false, waiting: reason, message: `waiting without restart: ${reason}`, restarts: 1 },
    });
    expect(waiting).toEqual(['1.1']);
    expect(run.stderr).toContain(reason);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { run_id: run.result?.run_id, stop_reason: 'completed', done: true, restarts: 2 } });
    expect(stage.lives()).toEqual(['1.1', '2.1']);
    expect(eventsIn(stage, 'iteration.closed').map(({ result }) => result)).toEqual([wait.endsWith('exit 1') ? 'failed' : 'green', 'green']);
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it.each(ways.slice(1))('%s; a new supervisor continues too, from 0', async (_, wait) => {
    await using stage = await openSuperviseStage(`if [ -e "$here/waited" ]; then : >"$TASK_FOLDER/DONE"; else : >"$here/waited"\n${wait}\nfi`);
    const run = await stage.supervise();
    const again = await stage.supervise('--max-restarts', '1');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'waiting' } });
    expect(again, again.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(stage.lives()).toEqual(['1.1', '1.1']);
  });

  it('exit code 42; with --fail-on-blocked that is exit 3', async () => {
    await using stage = await openSuperviseStage('exit 42');

    expect(await stage.supervise('--fail-on-blocked')).toMatchObject({ code: 3, result: { stop_reason: 'waiting', exit_code: 3, restarts: 1 } });
  });

  it.each(ways)('%s; but DONE wins over waiting', async (_, wait) => {
    await using stage = await openSuperviseStage(`${doneInLife(1)}\n${wait}`);
    const run = await stage.supervise('--fail-on-blocked');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true } });
  });

  it.each(ways)('%s; a DONE with a red check wins too: it is refused, and the agent is restarted', async (_, wait) => {
    const script = `if [ "$life" = 1 ]; then : >"$TASK_FOLDER/DONE"\n${wait}\nelse\n: >"$here/green"\n: >"$TASK_FOLDER/DONE"\nfi`;
    await using stage = await openSuperviseStage(script);
    const run = await stage.supervise('--check', `test -e ${join(stage.beside, 'green')}`);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 2 } });
    expect(existsSync(join(stage.task, 'DONE.refused-1'))).toBe(true);
  });
});

it.concurrent('an agent that ends with a question is started again with the answer in its prompt', async () => {
  await using stage = await openSuperviseStage('[ "$life" = 1 ] && echo "<promise>BLOCKED: Which account shall I use?</promise>" || : >"$TASK_FOLDER/DONE"');
  const run = await stage.supervise();
  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'waiting', done: false, restarts: 1 } });
  const inbox = JSON.parse((await stage.ralph('inbox', '--json')).stdout);
  const command = `ralph answer --run ${run.result?.run_id} "…"`;
  expect(inbox).toMatchObject({ needs: [{ kind: 'question', text: 'Which account shall I use?', command }] });

  const answered = await stage.ralph('answer', '--run', `${run.result?.run_id}`, 'The blue one.', '--json');
  expect(answered, answered.stderr).toMatchObject({ code: 0, result: { run_id: run.result?.run_id, stop_reason: 'completed', done: true } });
  expect(stage.lives()).toEqual(['1.1', '2.1']);
  expect(stage.prompts()[1]).toMatch(/Which account shall I use\?[\s\S]*The blue one\./);
  expect(JSON.parse((await stage.ralph('inbox', '--json')).stdout)).toMatchObject({ needs: [] });
});

describe.concurrent('a request to wait from an earlier start does not count:', () => {
  it('a marker from before a new supervisor is renamed, not deleted', async () => {
    await using stage = await openSuperviseStage(doneInLife(1));
    await stage.put('WAIT_WITHOUT_RESTART', 'old news');
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect((await readdir(stage.task)).filter((name) => name.startsWith('WAIT'))).toEqual(['WAIT_WITHOUT_RESTART.seen-1']);
  });

  it('a message of an earlier run', async () => {
    await using stage = await openSuperviseStage(`if [ -e "$here/waited" ]; then exit 1; fi; : >"$here/waited"; ${ways[1][1]}`);
    const first = await stage.supervise();
    const second = await stage.supervise('--max-restarts', '2');

    expect(first, first.stderr).toMatchObject({ code: 0, result: { stop_reason: 'waiting' } });
    expect(second, second.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 2 } });
  });

  it('a message of an earlier life of the same run that was resumed', async () => {
    await using stage = await openSuperviseStage(`[ "$life" -gt 1 ] && exit 1; ${ways[1][1]}`);
    await stage.supervise('--max-restarts', '3');
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(resumed, resumed.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 3 } });
    expect(stage.lives()).toEqual(['1.1', '2.1', '3.1']);
  });

  it('a marker of an earlier life of the same run that was resumed: it is renamed', async () => {
    await using stage = await openSuperviseStage(`[ "$life" -gt 1 ] && exit 1; ${ways[2][1]}`);
    await stage.supervise('--max-restarts', '2');
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(resumed, resumed.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 2 } });
    expect((await readdir(stage.task)).filter((name) => name.startsWith('WAIT'))).toEqual(['WAIT_WITHOUT_RESTART.seen-1']);
  });
});

describe.concurrent('waiting', () => {
  it('is not a failure: the bus gets RUN_STOP with the reason and how to continue', async () => {
    await using stage = await openSuperviseStage('exit 42');
    const run = await stage.supervise();

    expect(bodiesOf(stage.messages(), 'RUN_STOP')).toEqual(['run stopped with code 42']);
    expect(bodiesOf(stage.messages(), 'RUN_CRASH')).toEqual([]);
    expect(bodiesOf(stage.messages(), 'INFO').at(-1)).toBe(
      `waiting without restart: the agent exited with code 42 (go on with: ralph runs resume ${run.result?.run_id})`,
    );
    expect(stage.projectMessages()).toEqual([]);
  });

  it.each([
    ['a directory', 'mkdir'],
    ['a link to nothing', 'ln -s nowhere'],
    ['a named pipe', 'mkfifo'],
  ])('can be requested with %s of that name, which is never opened', async (_, make) => {
    await using stage = await openSuperviseStage(`cd "$TASK_FOLDER"; ${make} WAIT_WITHOUT_RESTART`);

    expect(await stage.supervise()).toMatchObject({ code: 0, result: { stop_reason: 'waiting', waiting: 'WAIT_WITHOUT_RESTART is there' } });
  });

  it('ends with DONE: resuming a run that has DONE by then starts no agent', async () => {
    await using stage = await openSuperviseStage('exit 42');
    await stage.supervise();
    await stage.put('DONE');
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(stage.lives()).toEqual(['1.1']);
  });

  it.each([
    ['a marker file', 'printf "first\\nsecond\\033[31m\\n" >"$TASK_FOLDER/WAIT_WITHOUT_RESTART"'],
    ['a message on the bus', 'printf "first\\nsecond\\033[31m\\n" | ralph bus post --type wait_without_restart'],
  ])('has a reason of one line that is safe to print: %s', async (_, wait) => {
    await using stage = await openSuperviseStage(wait);
    const run = await stage.supervise();

    expect(run.result?.message, run.stderr).toMatch(/^waiting without restart: first second\S*$/);
    expect(run.result?.message).not.toContain('\u001b');
    expect(run.stderr).not.toContain('\u001b[31m');
  });

  it('must be requested by the agent itself, not by a child', async () => {
    const child = 'if [ "$RALPH_PARENT_RUN_ID" ]; then ralph bus post --type wait_without_restart --body "me, the child"; exit; fi';
    await using stage = await openSuperviseStage(`${child}\n[ "$life" = 1 ] && { ralph job -- sh "$0"; exit 1; }\n: >"$TASK_FOLDER/DONE"`);
    const run = await stage.supervise();

    expect(bodiesOf(stage.messages(), 'wait_without_restart')).toEqual(['me, the child']);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 2 } });
  });
});
