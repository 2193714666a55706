import { describe, expect, it } from 'vitest';
import { expectScreen } from '../../../test/support/expected-screen.ts';
import { allPassed, checksRun, loopStarted, pytest, ruff, spentUsd, stopped, tag, twoIterations } from '../../../test/support/loop-journal.ts';
import { looking, play, say } from '../../../test/support/play-on-console.ts';
import { agentBegun, closed, ended, opened } from '../../../test/support/run-events.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { LoopSpec } from '../../settings/schema/run-settings.ts';
import { CLEAR_LINE } from './status-line.ts';

const worktree = { path: '/home/dev/project.ralph/sign in', branch: 'ralph/20260115-044055-abc123', repository: '/home/dev/project' };
const scm = { command: 'git', tasks: ['commit'], timeoutMs: 60_000, message: 'generated' as const };
const committed: EventBody = { type: 'commit.made', key: 'c', iteration: 2, commit: 'abc1234def', tree: 'tree', message: 'Ralph iteration 2', left_out: [] };
const noted: EventBody = { type: 'receipt.written', key: 'receipt', file: '/runs/r/receipt.json', commit: 'abc1234def' };
const spent = notDone('max_iterations', 'Maximum iterations reached without completion.');

/** An iteration whose agent changes what no check can see. */
const cheating: readonly EventBody[] = [
  opened(1),
  agentBegun(1),
  ended(1, { tools: 2, claim: tag }),
  { type: 'paths.restored', key: 'put-back:1.1', iteration: 1, attempt: 1, paths: ['tests/test_auth.py', 'ci.yml'], kept: 'refs/ralph/kept/r/1.1' },
  ...checksRun(1, [
    [pytest, 0],
    [ruff, 0],
  ]),
  closed(1, { result: 'red', claim: tag }),
];

const everything: Partial<LoopSpec> = {
  spec: { path: 'spec.md', follow: false },
  requireTag: 'auto',
  budget: { costUsd: 5, timeMs: 600_000 },
  protect: ['tests/**', '.github/**'],
  verifyClean: true,
  worktree,
};

describe('the whole screen of a loop', () => {
  it.each([
    ['loop-80', { width: 80 }, {}],
    ['loop-plain', {}, looking({ emoji: false })],
  ])('that succeeds matches the approved one: %s', (name, options, over) => {
    expectScreen(name, play([loopStarted({}, over), ...twoIterations, stopped(allPassed)], options));
  });

  it('with every option shows all of them', () => {
    const moments = [
      loopStarted(everything, { scm }),
      ...twoIterations.slice(0, 2),
      ...cheating,
      { type: 'spec.seen', path: 'spec.md', obeyed: false } as const,
      opened(2),
      agentBegun(2),
      ended(2, { tools: 4, spent: spentUsd(0.5), claim: tag }),
      ...checksRun(2, [[pytest, 0]], 'workspace', { flaky: true }),
      ...checksRun(2, [[pytest, 1]], 'clean'),
      closed(2, { result: 'red', claim: tag }),
      opened(3),
      agentBegun(3),
      ended(3, { tools: 1, spent: spentUsd(0.25), claim: tag }),
      ...checksRun(3, [[pytest, 0]]),
      ...checksRun(3, [[pytest, 0]], 'clean'),
      committed,
      closed(3, { result: 'green', claim: tag, accepted: true }),
      noted,
      stopped(allPassed),
    ];
    expectScreen('loop-everything', play(moments, { width: 100 }));
  });

  it('that fails says what is still red', () => {
    const moments = [
      loopStarted({ worktree }),
      ...checksRun(
        0,
        [
          [pytest, 0],
          [ruff, 0],
        ],
        'start',
      ),
      opened(1),
      agentBegun(1),
      ended(1, { verdict: 'failed', why: 'API down' }),
      closed(1, { result: 'failed' }),
      opened(2),
      agentBegun(2),
      ended(2, { tools: 3, spent: spentUsd(0.01) }),
      ...checksRun(2, [
        [pytest, 1],
        [ruff, 0],
      ]),
      closed(2, { result: 'red' }),
      stopped(spent),
    ];
    expectScreen('loop-failed', play(moments, { width: 80 }));
  });
});

describe('the screen of a loop', () => {
  const shown = (moments: readonly EventBody[], loop: Partial<LoopSpec> = {}) => play([loopStarted(loop), ...moments]);

  it('says when the checks are green and the agent made no claim', () => {
    const green = [opened(1), agentBegun(1), ended(1), ...checksRun(1, [[pytest, 0]]), closed(1, { result: 'green' })];
    expect(shown(green)).toContain('✓ Iteration 1 → passed (cost unknown, 5.0s)\nThe checks are green, but the agent did not say COMPLETE.\n');
    expect(shown(green, { requireTag: 'never' })).not.toContain('did not say');
  });

  it('ends without a claim when none is required', () => {
    expect(shown([], { requireTag: 'never' })).toContain('  done when   all checks are green\n');
  });

  it('says that a change of the specification counts', () => {
    expect(shown([{ type: 'spec.seen', path: 'spec.md', obeyed: true }])).toContain('⚠️ spec.md was changed. It counts from now on.\n');
  });

  it('says where the receipt is without a commit', () => {
    expect(shown([{ ...noted, commit: null } as EventBody, stopped(allPassed)])).toContain('\n  receipt     /runs/r/receipt.json\n');
  });

  it('names a check that is still missing', () => {
    expect(play([loopStarted({}, { gates: [] })])).toContain('UNPROVEN: nothing checks its claim; add --check "npm test"\n');
  });

  it('does not mention protected paths when nothing changed them', () => {
    expect(shown([{ type: 'paths.restored', key: 'p', iteration: 1, attempt: 1, paths: [], kept: null }])).not.toContain('Protected');
  });

  it('shows only the result with --quiet', () => {
    expect(play([loopStarted({ worktree }, { scm }), ...twoIterations, committed, stopped(allPassed)], { quiet: true })).toBe(
      `The agent said "COMPLETE" and all checks are green.
all_checks_passed: 16s, 2 iterations, 2 attempts, 5 tool calls, $0.04, tokens 2K in / 600 out, "COMPLETE", proven by: pytest tests/, ruff check src/
  worktree    /home/dev/project.ralph/sign in on branch ralph/20260115-044055-abc123
              git -C /home/dev/project diff HEAD...ralph/20260115-044055-abc123
              git -C /home/dev/project merge ralph/20260115-044055-abc123
`,
    );
  });

  it('counts the iterations that it does not list', () => {
    const many = Array.from({ length: 120 }, (_, index) => [opened(index + 1), closed(index + 1)]).flat();
    const screen = shown([...many, stopped(spent)]);
    expect(screen).toContain('\n  iterations  20 iterations before these\n              21: failed, 0 tool calls, $0.0000\n');
  });
});

describe('the status line on a terminal', () => {
  const status = { columns: () => 40, isReady: () => true };
  const moments = [loopStarted(), opened(1), agentBegun(1), say('Hello.'), ended(1), stopped(spent)];

  it('stays below the output and disappears at the end', () => {
    const screen = play(moments, { width: 40, status });
    expect(screen).toContain(`=== Ralph iteration 1/25 ===\n${CLEAR_LINE}iteration 1/25 · claude works · 0s`);
    expect(screen).toContain(`${CLEAR_LINE}Hello.\niteration 1/25 · claude works · 1s`);
    expect(screen.slice(screen.lastIndexOf(CLEAR_LINE))).not.toContain('works');
  });

  it('changes no other line', () => {
    const screen = play(moments, { status });
    const lines = screen
      .split('\n')
      .map((line) => line.slice(Math.max(0, line.lastIndexOf(CLEAR_LINE) + CLEAR_LINE.length * Number(line.includes(CLEAR_LINE)))));
    expect(lines.join('\n')).toBe(play(moments));
  });

  it('is cut before the edge', () => {
    const screen = play(moments, { status: { ...status, columns: () => 12 } });
    expect(screen).toContain(`${CLEAR_LINE}iteration …`);
  });

  it('is not shown by a quiet console', () => {
    expect(play(moments, { status, quiet: true })).not.toContain(CLEAR_LINE);
  });
});
