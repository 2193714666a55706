import { describe, expect, it } from 'vitest';
import { given, writer } from '../../../test/support/given.ts';
import { done, gatesRun, lint, looking, type Moment, play, START, say, settings, spent, started, test, tool } from '../../../test/support/play-on-console.ts';
import { agentBegun, claim, closed, ended, opened } from '../../../test/support/run-events.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { plainScreen } from '../console/recipe-screen.ts';
import { openConsole } from './console.ts';

const wholeRun = [
  started(),
  opened(1),
  agentBegun(1, 1),
  tool('a', 'Read', { file_path: '/src/main.go' }),
  done('a', 'package main'),
  say('It is all right.\n<response>DONE</response>'),
  ended(1, { claim, spent, tools: 58, tool_errors: 4, duration_ms: 367_000 }),
  ...gatesRun(1, [
    [lint, 0],
    [test, 2],
  ]),
  closed(1, { claim }),
  opened(2),
  agentBegun(2, 1),
  ended(2, { claim }),
  ...gatesRun(2, [
    [lint, 0],
    [test, 0],
  ]),
  closed(2, { claim, result: 'green', accepted: true }),
  {
    type: 'run.stopped',
    outcome: { stop_reason: 'completed', message: 'Completion response matched', claim, unproven: false, zero_work: false, signal: null, exit_code: 0 },
  },
] as const satisfies readonly (EventBody | Moment)[];

describe('the console', () => {
  it('shows a whole run', () => {
    expect(play(wholeRun)).toBe(`Ralph 0.1.0  run 20260115-044055-abc123
  agent       claude --verbose (model opus)
  sandbox     guard: no sandbox, only rules for dangerous commands
[ralph] WARNING: Running with --dangerously-skip-permissions without sandbox isolation
  checks      make lint, make test
  done when   the agent answers DONE and all checks are green
  limits      10 iterations, idle 20m, iteration 3h
  budget      none

=== Ralph iteration 1/10 ===
⏺ Read(/src/main.go)
✅ Result ← Read (1 lines, 12 chars)
  ⎿  package main
It is all right.
<response>DONE</response>

✅ Complete (cost: $5.76, tokens: 1.2M in (850K cached) / 45K out, tools: 58, errors: 4, time: 6m7s)

Guardrail start: make lint
Guardrail end: make lint (exit 0)
Guardrail start: make test
Guardrail end: make test (exit 2, action=APPEND)
  ⎿  .ralph/guardrail_001_make_test.log
Claim "DONE" not accepted: 1 of 2 checks is red.

=== Ralph iteration 2/10 ===

✅ Complete (tools: 0, errors: 0, time: 2s)

Guardrail start: make lint
Guardrail end: make lint (exit 0)
Guardrail start: make test
Guardrail end: make test (exit 0)
All guardrails passed

Completion response matched
  outcome     completed (exit 0)
  claim       "DONE", proven by: make lint, make test
  took        24s, 2 iterations, 2 attempts, 58 tool calls (4 failed)
  spent       $11.52 (estimated), tokens 1.2M in (850K cached) / 45K out
`);
  });

  it('warns about a guardrail with a pipe', () => {
    const piped = { ...test, command: 'make test | tee log' };
    expect(play([started({ gates: [piped, lint] })])).toContain(`
  checks      make test | tee log, make lint
              a pipe's exit code is its last command's
`);
  });

  it('shows only the result with --quiet', () => {
    expect(play(wholeRun, { quiet: true })).toBe(`Completion response matched
completed: 24s, 2 iterations, 2 attempts, 58 tool calls (4 failed), $11.52 (estimated), tokens 1.2M in (850K cached) / 45K out, "DONE", proven by: make lint, make test
`);
  });

  it('shows the run without the agent when its output is off', () => {
    const screen = play([started({ streamAgentOutput: false }), ...wholeRun.slice(1)]);
    expect(screen).not.toContain('package main');
    expect(screen).toContain('✅ Complete (cost: $5.76');
  });

  it('adds the lines of the seed with --verbose', () => {
    const screen = play(wholeRun, { verbose: true });
    for (const line of [
      '[ralph] Iteration 1/10 starting',
      '[ralph] Running agent: claude',
      '[ralph] stream stats: 3 events, 0 errors',
      '[ralph] Checking completion: "DONE" claimed by response',
      '[ralph] Running guardrail: make test',
      '[ralph] Guardrail exited with code 2 (1.2s)',
      '[ralph] No completion detected, continuing',
    ]) {
      expect(screen).toContain(`${line}\n`);
    }
  });

  it('has text marks instead of emoji when emoji are off', () => {
    const screen = play([started(looking({ emoji: false })), ...wholeRun.slice(1)]);
    expect(screen).toContain('> Read(/src/main.go)\n[OK] Result ← Read (1 lines, 12 chars)\n  |  package main\n');
    expect(screen).toContain('[OK] Complete (cost: $5.76');
  });

  it('puts the time before every line when timestamps are on', () => {
    const lines = play([started({ gates: [], ...looking({ timestamps: true }) }), opened(1)]).split('\n');
    expect(lines[0]).toBe('[04:40:55] Ralph 0.1.0  run 20260115-044055-abc123');
    expect(lines.slice(-4)).toEqual(['[04:40:55]   budget      none', '', '[04:40:56] === Ralph iteration 1/10 ===', '']);
  });
});

describe('the look of the console', () => {
  it('is the one its run was started with, also after a resume', () => {
    let screen = '';
    const write = (text: string) => {
      screen += text;
    };
    const console = openConsole({
      write,
      width: 0,
      colour: true,
      quiet: false,
      verbose: false,
      secrets: [],
      runFolder: null,
      nowMs: () => START,
      screen: plainScreen,
    });
    const events = given(started(looking({ emoji: false, color: false })), { type: 'run.resumed', ralph: '0.1.0', writer });
    const last = events.at(-1);
    if (last) console.onEvent(last, events.reduce(evolve, emptyState));
    console.onAgentEvent?.('1.1', { type: 'tool.started', id: 'a', name: 'Read', input: {} });
    expect(screen).toContain('  resumed     0 iterations so far\n');
    expect(screen.endsWith('\n> Read\n')).toBe(true);
  });

  it('has no colour when the settings or the terminal forbid it', () => {
    expect(play(wholeRun, { colour: true })).toContain('\u001b[');
    expect(play([started(looking({ color: false })), ...wholeRun.slice(1)], { colour: true })).not.toContain('\u001b[');
    expect(play(wholeRun)).not.toContain('\u001b[');
  });
});

describe('the end of the screen', () => {
  it("names the run's folder", () => {
    expect(play(wholeRun, { runFolder: '/home/dev/run' }).endsWith('\n  folder      /home/dev/run\n')).toBe(true);
  });
});

describe('the banner', () => {
  it('says what happens after green guardrails', () => {
    const reviews = { after: 5, retryLimit: 3, prompts: ['detailed', 'security'].map((name) => ({ name, prompt: 'Look.' })) };
    const screen = play([started({ reviews, scm: { command: 'git', tasks: ['commit', 'push'], timeoutMs: 60_000, message: 'agent' } })], { verbose: true });
    expect(screen).toContain(`
  reviews     detailed, security after every 5 green iterations
  commits     git: commit, push after each green iteration
`);
    expect(screen).toContain('/home/dev/project, git, 3 files dirty before the start (part of the first commit)\n');
  });

  it('names a review cycle that runs every time', () => {
    const reviews = { after: 1, retryLimit: 3, prompts: [{ name: 'detailed', prompt: 'Look.' }] };
    expect(play([started({ reviews })], { verbose: true })).toContain('  reviews     detailed after every green iteration\n');
  });

  it('warns when nothing can prove the claim of the agent', () => {
    const screen = play([started({ gates: [] })]);
    expect(screen).toContain('  checks      none\n');
    expect(screen).toContain('UNPROVEN: nothing checks its claim');
  });

  it('says which limits are off', () => {
    const limits = { ...settings.limits, idleMs: 0, iterationMs: 0, outputBytes: 0, limitWaitMs: 0 };
    const screen = play([started({ limits, maximumIterations: 0, gates: [{ ...lint, timeoutMs: 0 }] })], { verbose: true });
    expect(screen).toContain('any number of iterations, idle off, iteration off\n');
    expect(screen).toContain('output off, usage-limit wait off, check off\n');
  });

  it('says that the workspace is no repository', () => {
    const screen = play([{ ...started(), found: null }]);
    expect(screen).toContain('\n  workspace   not a git repository\n');
  });

  it('says how long a resumed run still waits for a usage limit', () => {
    const limited = ended(1, { verdict: 'limited', limit_resets_at: 10 ** 13, limit_window: 'five_hour' });
    const screen = play([started(), opened(1), agentBegun(1, 1), limited, closed(1, { result: 'abandoned' }), { type: 'run.resumed', ralph: '0.1.0', writer }]);
    expect(screen).toMatch(/\n {2}waits {7}Usage limit \(five_hour\): \S+ left\n/);
  });

  it('says what a resumed run found', () => {
    const screen = play([started(), opened(1), closed(1), opened(2), agentBegun(2, 1), { type: 'run.resumed', ralph: '0.1.0', writer }]);
    expect(screen).toContain('  resumed     2 iterations so far, iteration 2 is open, run-agent 2.1 was running\n');
  });
});
