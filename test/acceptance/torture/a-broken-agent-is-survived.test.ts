import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, exit, pause, print, stay, turn, until } from '../../support/claude-script.ts';
import { iterationsOf, openStage, WORK, WORKED } from '../../support/stage.ts';

const works = [bash(WORK), ...ends(CLAIM)];

describe.concurrent('an agent that', () => {
  it('crashes every time gets all iterations, and the run exits with 1', async () => {
    await using stage = await openStage([turn({ say: 'working' }, exit(137))], { settings: { failurePause: '100ms' } });
    const run = await stage.run('-m', '4');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, iterations: 4, attempts: 4 });
    expect(iterationsOf(run)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(run.stderr).toContain('the agent exited with code 137');
    expect(stage.after()).toEqual({ calls: 4, commits: 1, changed: [], processes: [] });
  });

  it('claims to be done and then crashes is not accepted, even with green gates', async () => {
    await using stage = await openStage([turn(...works, exit(1))]);
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, claim: null });
    expect(iterationsOf(run)).toEqual(['failed']);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });

  it('falls silent is stopped by the idle limit, and the next one follows', async () => {
    await using stage = await openStage([turn(stay), turn(...works)]);
    const run = await stage.run('--idle-timeout', '2s', '-m', '2');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 2, attempts: 2 });
    expect(iterationsOf(run)).toEqual(['failed', 'green']);
    expect(run.stderr).toContain('no output for 2 s');
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('never prints anything is stopped by the idle limit too', async () => {
    await using stage = await openStage([[stay]]);
    const run = await stage.run('--idle-timeout', '2s', '-m', '1');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, iterations: 1, attempts: 1 });
    expect(iterationsOf(run)).toEqual(['failed']);
    expect(run.stderr).toContain('no output for 2 s');
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('does not exit after its final message is stopped, and its result counts', async () => {
    await using stage = await openStage([turn(...works, stay)], { settings: { lingerTimeout: '2s' } });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', done: true, iterations: 1, attempts: 1, cost_usd: 0.01 });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });

  it('continues in the background after its result is not stopped, and its second result counts', async () => {
    const [before, after] = await backgroundStream();
    const quiet = pause(2_500);
    await using stage = await openStage([[print(before), quiet, print(after.init), quiet, bash(WORK), print(after.rest)]], {
      settings: { lingerTimeout: '1s' },
    });
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 1, attempts: 1 });
    expect(run.result?.cost_usd).toBeCloseTo(0.02295, 10);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });

  it('prints garbage can still claim completion', async () => {
    const garbage = [
      print('{"type":"assistant","message":{"content":[{"type":"text","text":"'),
      print('x', 3_000_000),
      print('"}]}}\n'),
      print('y', 3_000_000),
      print('\n{"type":"result","is_error":false,"result":\n'),
      print('{"type":"assistant","message":null}\n[1,2,3]\nnull\n"text"\n\0\0\0\n{"type":"res\0ult"}\n\n\r\n'),
    ];
    await using stage = await openStage([turn(...garbage, ...works)]);
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', done: true, iterations: 1, attempts: 1 });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });

  it('ends without output is retried three times in an iteration, then the iteration has failed', async () => {
    await using stage = await openStage([[], turn({ result: '' }), turn()]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, iterations: 2, attempts: 6 });
    expect(iterationsOf(run)).toEqual(['failed', 'failed']);
    expect(run.stderr).toMatch(/the agent ended without any output/i);
    expect(stage.after()).toEqual({ calls: 6, commits: 1, changed: [], processes: [] });
  });

  it('leaves a daemon behind is done, and the daemon is ended before the gates run', async () => {
    const daemon = [bash("setsid sh -c 'echo $$ > ../beside/daemon; exec sleep 600' </dev/null >/dev/null 2>&1 &"), until('../beside/daemon')];
    const itLives = 'grep -qs "^State:.[RS]" /proc/$(cat ../beside/daemon)/status';
    await using stage = await openStage([turn(...daemon, ...works)], { gate: `sh check.sh && ! ${itLives}` });
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 1 });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });
});

/** A recorded stream of claude whose background command ends after its result; its final message is changed to a claim. */
async function backgroundStream(): Promise<[string, { readonly init: string; readonly rest: string }]> {
  const recorded = await readFile(new URL('../../fixtures/streams/claude/bg-bash-short-then-end.jsonl', import.meta.url), 'utf8');
  const lines = recorded.replaceAll('"after"', JSON.stringify(CLAIM)).split(/(?<=\n)/);
  const second = lines.findLastIndex((line) => line.includes('"subtype":"init"'));
  const result = lines.findIndex((line) => line.includes('"type":"result"'));
  return [lines.slice(0, result + 1).join(''), { init: lines.slice(result + 1, second + 1).join(''), rest: lines.slice(second + 1).join('') }];
}
