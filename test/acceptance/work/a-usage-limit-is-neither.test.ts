import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, claudeScript, ends, limited, scriptedClaudeIn, type Turn, turn } from '../../support/claude-script.ts';
import { ralph } from '../../support/ralph.ts';
import { withResult } from '../../support/stage.ts';
import { eventsIn, expectTidy, openWorkStage, type WorkStage } from '../../support/work-stage.ts';

const works = turn(
  bash('echo "by $RALPH_TASK_ID" >"$RALPH_TASK_ID.txt"; git add -A; git commit -qm "work of $RALPH_TASK_ID"; ralph task complete "$RALPH_TASK_ID"'),
  ...ends('Done.'),
);
const HOUR = 3_600_000;

async function withClaude(stage: WorkStage, script: readonly Turn[], ...more: readonly string[]) {
  const bin = await scriptedClaudeIn(stage.repo.beside);
  const env = {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    HOME: stage.repo.beside,
    XDG_RUNTIME_DIR: stage.repo.beside,
    IS_SANDBOX: '1',
    CLAUDE_SCRIPT: claudeScript(script),
    CLAUDE_CALLS: join(stage.repo.beside, 'claude-calls'),
  };
  return withResult(await ralph(['work', '--agent', 'claude', '--pause', '0s', '--json', ...more], { cwd: stage.repo.path, env }));
}

const callTimes = ({ repo }: WorkStage) =>
  readFileSync(join(repo.beside, 'claude-calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).atMs as number);

describe.concurrent('a usage limit', () => {
  it('is waited out until its reset, without a failure or a used try, on the same task', async () => {
    await using stage = await openWorkStage(['A', 'B'], '');
    const run = await withClaude(stage, [limited(3_000), works], '--max-failures', '0');

    expect(run, run.stderr).toMatchObject({
      code: 0,
      result: { stop_reason: 'completed', iterations: 2, attempts: 3, work: { tasks: { done: 2, failed: 0, not_completed: 0 } } },
    });
    const [seen] = eventsIn(stage, 'limit.seen');
    expect(callTimes(stage)[1]).toBeGreaterThanOrEqual(Number(seen?.['resets_at']));
    expect(stage.merged()).toEqual(['A', 'B']);
    expectTidy(stage);
  });

  it('of one worker also pauses the other', async () => {
    await using stage = await openWorkStage(['A', 'B', 'C'], '');
    const run = await withClaude(stage, [limited(4_000), limited(4_000), works], '--workers', '2');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { work: { tasks: { done: 3, failed: 0 } } } });
    const [, , third] = callTimes(stage);
    const resets = eventsIn(stage, 'limit.seen').map(({ resets_at }) => Number(resets_at));
    expect(third).toBeGreaterThanOrEqual(Math.min(...resets));
  });

  it('that lasts too long ends the run, and the task is free for the next', async () => {
    await using stage = await openWorkStage(['A'], 'work; claim');
    const run = await withClaude(stage, [limited(HOUR)], '--max-limit-wait', '5s');
    const next = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'rate_limited', done: false, work: { tasks: { failed: 0 } } } });
    expect(eventsIn(stage, 'task.released').map(({ state }) => state)).toEqual(['free', 'done']);
    expect(next, next.stderr).toMatchObject({ code: 0 });
  });
});
