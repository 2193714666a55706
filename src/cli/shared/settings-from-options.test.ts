import { describe, expect, it } from 'vitest';
import { buildProgram, loadCommands } from '../program.ts';
import { type RunFlags, settingsFromOptions } from './run-flags.ts';

const commands = await loadCommands();

const settings = (over: Partial<RunFlags>) => settingsFromOptions(over);

describe('the settings of a command line', () => {
  it('contain only what its flags say', () => {
    expect(settings({})).toEqual({});
    expect(settings({ maxIterations: '3', tool: 'amp', model: 'opus', check: ['make'], streamAgentOutput: false, requireChange: true })).toEqual({
      maximumIterations: 3,
      agent: { command: 'amp', model: 'opus' },
      guardrails: [{ command: 'make' }],
      streamAgentOutput: false,
      requireChange: true,
    });
  });

  it.each<[Partial<RunFlags>, string]>([
    [{ maximumIterations: '-1' }, 'maximumIterations must be a positive integer, got -1 (from -m, --maximum-iterations)'],
    [{ maxIterations: 'x' }, 'maximumIterations must be a positive integer, got "x" (from -n, --max-iterations)'],
    [{ completionPromise: ' ' }, 'completionResponse must not be empty (from --completion-promise)'],
    [{ backend: '' }, 'agent.command must not be empty (from --backend)'],
    [{ model: '' }, 'agent.model must not be empty (from --model)'],
    [{ agentKind: '' }, 'agent.kind must not be empty (from --agent-kind)'],
    [{ check: ['make', ' '] }, 'guardrails[1].command must not be empty (from --check)'],
    [{ maxLimitWait: 'x' }, 'maxLimitWait must be a duration such as "20m", "90s" or "off", got "x" (from --max-limit-wait)'],
  ])('are refused for %j with an error that names the key and the flag', (over, message) => {
    expect(() => settings(over)).toThrow(expect.objectContaining({ message, exitCode: 2, code: 'usage' }));
  });

  it('name only existing flags in errors', () => {
    const flags = buildProgram(commands).commands.flatMap(({ options }) => options.flatMap(({ short, long }) => [short, long]));
    for (const name of ['maximumIterations', 'maxIterations', 'completionResponse', 'completionPromise', 'backend', 'tool', 'agent', 'model'] as const) {
      const wrong = { [name]: '' };
      expect(() => settings(wrong)).toThrow(
        expect.objectContaining({ message: expect.toSatisfy((text: string) => flags.includes(text.match(/\(from (\S+)\)$/)?.[1])) }),
      );
    }
  });
});
