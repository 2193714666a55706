import { describe, expect, it } from 'vitest';
import { buildProgram, loadCommands } from '../../../cli/program.ts';
import { type LoopFlags, settingsFromLoopFlags } from './loop.ts';

const commands = await loadCommands();

/** What commander makes of a command line. */
function flagsOf(...args: readonly string[]): LoopFlags {
  const program = buildProgram(commands);
  const loop = program.commands.find((command) => command.name() === 'loop');
  loop?.action(() => undefined);
  program.parse(['loop', ...args], { from: 'user' });
  return loop?.opts() ?? {};
}

describe('the settings of the command line of a loop', () => {
  it('are nothing where it says nothing', () => {
    expect(flagsOf('task')).toEqual({});
    expect(settingsFromLoopFlags({})).toEqual({});
  });

  it('are all it says', () => {
    const loop =
      '--check a --check b --check-timeout 5s --max-iterations 7 --max-cost 1.5 --max-time 10m --completion-tag OK --require-tag auto --agent x --model y';
    const more = '--follow-spec --no-baseline --flaky-retries 0 --parallel-checks --protect t/** --verify clean --worktree --commit';
    const both = '--agent-kind codex --autonomy edits --idle-timeout 1m --iteration-timeout 2m --max-limit-wait 3m --no-stream-agent-output';
    expect(settingsFromLoopFlags(flagsOf('task', ...`${loop} ${more} ${both}`.split(' ')))).toEqual({
      loop: {
        checks: ['a', 'b'],
        checkTimeout: '5s',
        maxIterations: 7,
        maxCost: 1.5,
        maxTime: '10m',
        completionTag: 'OK',
        requireTag: 'auto',
        agent: 'x',
        model: 'y',
        followSpec: true,
        baseline: false,
        flakyRetries: 0,
        parallelChecks: true,
        protect: ['t/**'],
        verify: 'clean',
        worktree: true,
        commit: true,
      },
      agent: { kind: 'codex', autonomy: 'edits' },
      idleTimeout: '1m',
      iterationTimeout: '2m',
      maxLimitWait: '3m',
      streamAgentOutput: false,
    });
  });

  it.each(['worktree', 'commit', 'follow-spec', 'parallel-checks', 'baseline'])('may take --%s back', (flag) => {
    expect(Object.values(settingsFromLoopFlags(flagsOf('task', `--no-${flag}`)).loop ?? {})).toEqual([false]);
    expect(Object.values(settingsFromLoopFlags(flagsOf('task', `--${flag}`)).loop ?? {})).toEqual([true]);
  });

  it.each([
    [['--max-iterations', '0'], 'loop.maxIterations must be a positive integer, got 0 (from -n, --max-iterations)'],
    [['--max-cost', 'lots'], 'loop.maxCost must be a positive number, got "lots" (from --max-cost)'],
    [['--max-cost=-1'], 'loop.maxCost must be a positive number, got -1 (from --max-cost)'],
    [['--max-time', 'soon'], 'loop.maxTime must be a duration such as "20m", "90s" or "off", got "soon" (from --max-time)'],
    [['--require-tag', 'maybe'], 'loop.requireTag must be one of always, auto, never, got "maybe" (from --require-tag)'],
    [['--verify', 'dirty'], 'loop.verify must be one of clean, none, got "dirty" (from --verify)'],
    [['--check', 'make', '--check', ' '], 'loop.checks[1] must not be empty (from --check)'],
    [['--autonomy', 'yolo'], 'agent.autonomy must be one of full, edits, ask, got "yolo" (from --autonomy)'],
    [['--completion-tag', ''], 'loop.completionTag must not be empty (from --completion-tag)'],
  ])('are refused for %j by the key and by the flag', (args, message) => {
    expect(() => settingsFromLoopFlags(flagsOf('task', ...args))).toThrow(expect.objectContaining({ message, exitCode: 2, code: 'usage' }));
  });
});

describe('the help of a loop', () => {
  const loop = buildProgram(commands).commands.find((command) => command.name() === 'loop');
  const help = loop?.helpInformation() ?? '';

  it('has every option in a group, and none without a word', () => {
    expect(help.match(/^[A-Z].*:$/gm)).toEqual([
      'Arguments:',
      'Task and agent:',
      'Proof:',
      'Limits:',
      'Worktree and commits:',
      'Sandbox:',
      'Output:',
      'Options:',
    ]);
    for (const option of loop?.options ?? []) expect(option.description).not.toBe('');
  });

  it('fits a terminal', () => {
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});
