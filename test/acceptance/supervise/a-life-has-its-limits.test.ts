import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodiesOf, doneInLife, eventsIn, HANGS, openSuperviseStage } from '../../support/supervise-stage.ts';

const endings = (stage: Parameters<typeof eventsIn>[0]) => eventsIn(stage, 'attempt.ended').map(({ ending }) => ending);

describe.concurrent('an agent under a supervisor', () => {
  it('that prints nothing is stopped by --idle-timeout; the start counts as failed and is posted to the bus', async () => {
    await using stage = await openSuperviseStage('exec sleep 60');
    const run = await stage.supervise('--idle-timeout', '200ms', '--max-restarts', '1');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 1 } });
    expect(run.ms).toBeLessThan(30_000);
    expect(bodiesOf(stage.messages(), 'WARNING')).toEqual(['root agent failed on restart #0: timed out']);
    expect(bodiesOf(stage.messages(), 'RUN_CRASH')[0]).toContain('timed out');
    expect(endings(stage)).toMatchObject([{ kind: 'stopped', cause: 'idle' }]);
  });

  it('that prints from time to time is not stopped', async () => {
    const chatty = 'for n in 1 2 3 4 5 6 7 8; do echo "line $n"; sleep 0.12; done';
    await using stage = await openSuperviseStage(`${chatty}\n${doneInLife(1)}`);
    const run = await stage.supervise('--idle-timeout', '2s');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
  });

  it('that prints only on stderr is not stopped', async () => {
    const chatty = 'for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "line $n" >&2; sleep 0.12; done';
    await using stage = await openSuperviseStage(`${chatty}\n${doneInLife(1)}`);
    const run = await stage.supervise('--idle-timeout', '1s');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
  });

  it('that prints for ever is stopped by --run-timeout', async () => {
    await using stage = await openSuperviseStage('while :; do echo talk; sleep 0.05; done');
    const run = await stage.supervise('--run-timeout', '500ms', '--max-restarts', '2');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 2 } });
    expect(bodiesOf(stage.messages(), 'WARNING')).toEqual([0, 1].map((n) => `root agent failed on restart #${n}: timed out`));
    expect(endings(stage)).toMatchObject([
      { kind: 'stopped', cause: 'deadline' },
      { kind: 'stopped', cause: 'deadline' },
    ]);
  });

  it('that is stopped by a limit after it wrote DONE is done', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(1)}\n${HANGS}`);

    expect(await stage.supervise('--run-timeout', '500ms')).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
  });

  it('that ignores SIGTERM gets SIGKILL, with its whole group', async () => {
    await using stage = await openSuperviseStage("trap '' TERM INT HUP\nsh -c 'while :; do sleep 0.1; done' &\nwhile :; do sleep 0.1; done");
    const run = await stage.supervise('--run-timeout', '300ms', '--max-restarts', '1');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts' } });
    // The seed gives it five seconds.
    expect(run.ms).toBeGreaterThan(5_000);
    expect(run.ms).toBeLessThan(30_000);
  });

  it('that prints a flood is read to its end, and the flood is not posted to the bus', async () => {
    await using stage = await openSuperviseStage(`head -c 2000000 /dev/zero | tr '\\0' 'x' | fold -w 100\necho\n${doneInLife(1)}`);
    const run = await stage.supervise('--quiet');

    expect(run, run.stderr.slice(-2_000)).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(statSync(join(stage.task, 'TASK-MESSAGE-BUS.md')).size).toBeLessThan(10_000);
  });
});

/** What the agent does in each start, and the message on the bus. */
const ENDINGS = [
  ['exit 1', 'run stopped with code 1: agent reported failure'],
  ['exit 2', 'run stopped with code 2: agent usage error'],
  ['exit 137', 'run stopped with code 137: agent killed (OOM or signal)'],
  ['exit 143', 'run stopped with code 143: agent terminated (SIGTERM)'],
  ['exit 7', 'run stopped with code 7: agent exited with code 7'],
  ['kill -9 $$', 'run stopped by SIGKILL: agent killed (OOM or signal)'],
  ['kill -15 $$', 'run stopped by SIGTERM: agent terminated (SIGTERM)'],
  ['kill -11 $$', 'run stopped by SIGSEGV: agent ended by SIGSEGV'],
] as const;

describe.concurrent('a failed start of the agent is posted to the bus', () => {
  it('with the ending in the words of the seed', async () => {
    const script = ENDINGS.map(([ending], index) => `[ "$life" != ${index + 1} ] || ${ending}`).join('\n');
    await using stage = await openSuperviseStage(script);
    const run = await stage.supervise('--max-restarts', `${ENDINGS.length}`);

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: ENDINGS.length } });
    expect(bodiesOf(stage.messages(), 'RUN_CRASH')).toEqual(ENDINGS.map(([, words]) => words));
    expect(bodiesOf(stage.messages(), 'WARNING')).toEqual(ENDINGS.map(([, words], index) => `root agent failed on restart #${index}: ${words.split(': ')[1]}`));
  });

  it('with the last fifty lines of its stderr, without secrets', async () => {
    const noise =
      'n=1; while [ $n -le 60 ]; do echo "complaint $n" >&2; n=$((n + 1)); done; echo "ANTHROPIC_API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789" >&2';
    await using stage = await openSuperviseStage(`${noise}\nexit 3`);
    await stage.supervise('--max-restarts', '1');
    const [crash = ''] = bodiesOf(stage.messages(), 'RUN_CRASH');
    const [head = '', tail = ''] = crash.split('## stderr (last 50 lines)');

    expect(head.trim()).toBe('run stopped with code 3: agent exited with code 3');
    expect(tail.trim().split('\n')).toHaveLength(50);
    expect(tail).toContain('complaint 60');
    expect(tail).not.toContain('complaint 11\n');
    expect(tail).not.toContain('abcdefghijklmnopqrstuvwxyz0123456789');
  });
});
