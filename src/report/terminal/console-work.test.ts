import { describe, expect, it } from 'vitest';
import { expectScreen } from '../../../test/support/expected-screen.ts';
import { gatesRun, looking, play, say, test } from '../../../test/support/play-on-console.ts';
import { agentBegun, closed, ended, judged, opened } from '../../../test/support/run-events.ts';
import { forStory, type Played, shownOfWork, stoppedWith, working } from '../../../test/support/work-console.ts';
import {
  begun,
  doneTask,
  exited,
  failedTask,
  merged,
  none,
  released,
  settled,
  taken,
  unfinishedTask,
  workspaceClosed,
  workspaceOpened,
} from '../../../test/support/work-journal.ts';
import { planTask } from '../../../test/support/work-spec.ts';
import type { GatesJudged } from '../../journal/events/gates.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';

const allComplete = stoppedWith(notDone('completed', 'All tasks complete', 0));
const red = (command: string, output: string, code = 1) => {
  const fact = judged(1, [[{ ...test, command }, code]]);
  return fact.type === 'gates.judged' ? fact.results.map((result) => ({ ...result, output })) : [];
};
const shown = shownOfWork;
const linesOf = (...args: Parameters<typeof shown>) => shown(...args).split('\n');

const limit = { ...exited(1, 2000), verdict: 'limited', why: 'HTTP 429' } as const;

const eventful: Played = [
  { type: 'plan.troubled', key: 'take:1', why: 'task-graph.yaml:3: bad indentation' },
  ...doneTask(1, 'T-012-01'),
  ...begun(2, 'T-012-02'),
  say('I look around.'),
  ended(2, limit),
  agentBegun(2, 2),
  { type: 'task.claimed', task: 'T-012-02', n: 1, by: 'run/1' },
  ended(2, { attempt: 2 }),
  settled(2, { accepted: ['T-9 was added'], refused: ['T-1 was set to complete'] }),
  ...gatesRun(2, [[test, 0]], 2),
  merged(2, {
    result: 'red',
    commit: null,
    results: red('make test', 'ok\nsrc/a.ts(3,1): error TS1: no\n'),
    missing: ['a.md is not there'],
    kept: 'refs/ralph/kept/r/1',
  }),
  released(2, 'T-012-02', 'free'),
  workspaceClosed(2),
  closed(2, { result: 'red' }),
  ...begun(3, 'T-012-02', { n: 2, tries: 1, from: 'ralph/t-012-02.1' }),
  ended(3),
  settled(3),
  merged(3, { result: 'conflict', commit: null, conflicts: ['a.ts', 'b.ts'], kept: 'refs/ralph/kept/r/2' }),
  { type: 'base.brought', key: 'base:3.1', iteration: 3, base: 'b', conflicts: ['a.ts'], problem: null },
  { type: 'effect.begun', key: 'agent:3.2', effect: { ...agentEffect(3, 2), role: 'resolve' } },
  ended(3, { attempt: 2, role: 'resolve' }),
  settled(3),
  merged(3, { result: 'moved', commit: null }),
  merged(3, { left_behind: 'a.ts is changed there', unlocked: ['T-012-03'] }),
  released(3, 'T-012-02'),
  workspaceClosed(3, 'refs/ralph/kept/r/3', 'rm: busy'),
  closed(3, { result: 'green', accepted: true }),
  ...failedTask(4, 'T-012-03'),
  ...unfinishedTask(5, 'T-012-04'),
  none({
    reason: 'all-blocked',
    counts: { total: 5, complete: 2, in_progress: 0, blocked: 1, failed: 2 },
    detail: 'T-012-05 waits for T-012-03, which has failed',
  }),
  stoppedWith(notDone('stuck', '2 tasks failed: T-012-05 waits for T-012-03, which has failed')),
];

function agentEffect(iteration: number, attempt: number) {
  const body = agentBegun(iteration, attempt);
  if (body.type !== 'effect.begun' || body.effect.kind !== 'run-agent') throw new Error('no agent');
  return body.effect;
}

describe('the whole screen of a run on a plan', () => {
  it.each([
    ['work-80', { width: 80 }, {}],
    ['work-plain', {}, looking({ emoji: false })],
  ])('with every kind of event matches the approved one: %s', (name, options, over) => {
    expectScreen(name, play([working(forStory('S-012'), { gates: [test], ...over }), ...eventful], options));
  });

  it('with four workers matches the approved one', () => {
    const [first, second] = [doneTask(1, 'T-1', 1), doneTask(2, 'T-2', 2)];
    // Each task is opened before the next one is taken.
    const mixed = second.flatMap((event, index) => [event, ...first.slice(index + 2, index + 3)]);
    expectScreen('work-lanes', play([working({}, { lanes: 4 }), ...first.slice(0, 2), ...mixed, none(), allComplete]));
  });
});

describe('a task on the screen', () => {
  it('is shown in the words of the seed', () => {
    expect(shown([...doneTask(1, 'T-012-01'), none(), allComplete])).toContain(
      '\n[1] 📋 Task: T-012-01  Title of T-012-01\n    → Branch ralph/t-012-01.1\n    → Executing via Claude...\n    ✓ Claude finished (56s)\n    → Merging into main...\n    ✓ Merged into main (abc1234)\n\n✓ All tasks complete!\n',
    );
  });

  it('is left for a person when it fails', () => {
    expect(shown(failedTask(1, 'T-1', 3))).toContain('\n    ✗ Failed (exit 3, 0s)\n    → Task left in-progress for manual review (ralph task reset T-1)\n');
  });

  it('is not called failed when its agent succeeded without completing it', () => {
    expect(shown(unfinishedTask(1, 'T-1'))).toContain('\n    ✓ Claude finished (2s)\n    ⚠ Exited without completing the task\n');
  });

  it('says why an agent failed when its exit code does not', () => {
    expect(linesOf([...begun(1, 'T'), ended(1, { verdict: 'failed', why: 'context overflow' })])).toEqual(
      expect.arrayContaining(['    ✗ Failed (exit 0, 2s)', '      context overflow']),
    );
  });

  it('waits for a usage limit, twice as long each time', () => {
    const waits = (strikes: number) =>
      linesOf([
        ...begun(1, 'T'),
        ...Array.from({ length: strikes }, (_, index) => [agentBegun(1, index + 1), ended(1, { ...limit, attempt: index + 1 })]).flat(),
      ]);
    expect(waits(1)).toEqual(expect.arrayContaining(['    ⚠ Rate limited (exit 1, 2s)', '    ⏳ Rate limited - waiting 60s before retry...']));
    expect(waits(3).filter((line) => line.includes('⏳'))).toEqual([60, 120, 240].map((s) => `    ⏳ Rate limited - waiting ${s}s before retry...`));
  });

  it('names the time of day when the provider demands a long wait', () => {
    const limit_resets_at = new Date(2026, 0, 15, 6, 40).getTime();
    expect(shown([...begun(1, 'T'), ended(1, { ...limit, limit_resets_at })])).toMatch(/⏳ Rate limited - waiting 1h 5\dm \d+s \(until 06:40.*\) before retry/);
  });

  it('reports that somebody else holds it now', () => {
    const lost: EventBody = { type: 'task.lost', task: 'T', n: 1, why: 'it was reset' };
    expect(shown([...begun(1, 'T'), lost, ended(1), released(1, 'T', 'free', false)])).toMatch(
      /\n {4}⚠ T is no longer ours: it was reset\n(.*\n)* {4}⚠ T belongs to somebody else by now\n/,
    );
  });

  it('says why it has no worktree', () => {
    expect(shown([taken('T'), opened(1), workspaceOpened(1, 'b', 'no space left on device')])).toContain('\n    ✗ No worktree: no space left on device\n');
  });

  it.each(['at work', 'merged'])('shows the last telling lines of a check that is red when it is %s, each once', (when) => {
    const results = red('make test', 'FAIL src/a.test.ts\nexpected 1\nreceived 2\n');
    const verdict = judged(1, [[test, 1]]) as GatesJudged & { readonly type: 'gates.judged' };
    const fact = when === 'merged' ? merged(1, { result: 'red', commit: null, results }) : { ...verdict, results };
    const text = shown([...begun(1, 'T'), fact]);
    expect(text).toMatch(/\n {4}Check end: make test \(exit 1, 1\.2s\)\n +FAIL src\/a\.test\.ts\n +expected 1\n +received 2\n +⎿ {2}\.ralph\/\S+\.log\n/);
    expect(text.split('received 2')).toHaveLength(2);
  });

  it('is parked when it cannot be merged', () => {
    const text = shown([...begun(1, 'T'), ended(1), settled(1), merged(1, { result: 'conflict', conflicts: ['a'] }), released(1, 'T', 'conflict')]);
    expect(text).toContain('\n    ✗ Conflict with main: a\n    → Task parked as conflict, both sides are kept (ralph task reset T)\n');
  });

  it('shows the error of git when git cannot merge it', () => {
    expect(shown([...begun(1, 'T'), merged(1, { result: 'failed', detail: 'index.lock exists' })])).toContain('\n    ✗ Merge failed: index.lock exists\n');
  });

  it('names an unknown agent by its command', () => {
    const agent: RunSettings['agent'] = { kind: 'command', command: 'bash agent.sh', flags: [], model: null, autonomy: 'full' };
    expect(shown(begun(1, 'T'), {}, { agent })).toContain('\n    → Executing via bash agent.sh...\n');
  });

  it('keeps a title with markup on one line', () => {
    const task = planTask('T\u001b[2J\nT-2', { title: 'a\u001b]0;owned\u0007b\r\nc \u202e d' });
    const lines = linesOf([taken(task.id, { task }), opened(1)]);
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toMatch(/\p{Cc}|\u202e/u);
  });
});

describe('the workers of a run', () => {
  it('label every line, those of agents included', () => {
    const text = shown([...begun(1, 'T-1', { lane: 1 }), ...begun(2, 'T-2', { lane: 2 }), say('hello'), ended(1)], {}, { lanes: 2 });
    expect(text).toMatch(/^w1 \[1\] 📋 Task: T-1 .*\n(w1 .*\n)+w2 \[2\] 📋 Task: T-2 .*\n(w2 .*\n)+w2 {7}hello\nw1 {5}✓ Claude finished \(2s\)\n$/);
  });

  it('are not named when there is only one', () => {
    expect(shown(doneTask(1, 'T'))).not.toContain('w1');
  });
});
