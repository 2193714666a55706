import { describe, expect, it } from 'vitest';
import { loopSettings } from '../../test/support/loop-spec.ts';
import { definitions } from '../agents/definitions.ts';
import { checkBudget } from './check-settings.ts';
import type { RunSettings } from './schema/run-settings.ts';

const price = { input: 1, cacheRead: 1, cacheWrite: 1, output: 1 };

interface Case {
  readonly kind: string;
  readonly model?: string | null;
  readonly prices?: readonly string[];
  readonly maxCost?: number | null;
}

function settings({ kind, model = null, prices = [], maxCost = 5 }: Case): RunSettings {
  const loop = { budget: { costUsd: maxCost, timeMs: 0 }, prices: Object.fromEntries(prices.map((name) => [name, price])) };
  return loopSettings(loop, { agent: { kind, command: kind, flags: [], model, autonomy: 'full' } });
}

describe('a limit of the cost', () => {
  it.each<Case>([
    { kind: 'claude' },
    { kind: 'opencode' },
    { kind: 'codex', model: 'gpt-5', prices: ['gpt-5'] },
    { kind: 'codex', model: 'gpt-5-mini', prices: ['gpt-5*'] },
    { kind: 'codex', prices: ['*'] },
    { kind: 'gemini', model: 'x', prices: ['*'] },
    { kind: 'amp', prices: ['*'] },
    { kind: 'stream-json', prices: ['*'] },
  ])('is accepted if the cost of the agent can be known: %j', (known) => {
    expect(() => checkBudget(settings(known))).not.toThrow();
  });

  it.each<[Case, string, string]>([
    [{ kind: 'codex', model: 'gpt-5' }, 'codex does not say what it costs, and there is no price for the model gpt-5', '"gpt-5"'],
    [{ kind: 'codex', model: 'gpt-5', prices: ['gpt-4*'] }, 'codex does not say what it costs, and there is no price for the model gpt-5', '"gpt-5"'],
    [{ kind: 'codex', prices: ['gpt-5'] }, 'codex does not say what it costs, and its model is not named', '"*"'],
    [{ kind: 'amp' }, 'amp does not say what it costs, and its model is not named', '"*"'],
    [{ kind: 'stream-json' }, 'stream-json does not say what it costs, and its model is not named', '"*"'],
    [{ kind: 'command', prices: ['*'] }, 'the command "command" tells neither its cost nor its tokens', '--max-time'],
  ])('is refused with a hint if the cost of the agent cannot be known: %j', (unknown, reason, hint) => {
    expect(() => checkBudget(settings(unknown))).toThrow(
      expect.objectContaining({ code: 'cost-unknown', exitCode: 2, message: `--max-cost cannot be kept: ${reason}`, hint: expect.stringContaining(hint) }),
    );
  });

  it('is not checked if there is none', () => {
    for (const { name } of definitions) {
      expect(() => checkBudget(settings({ kind: name, maxCost: null }))).not.toThrow();
      expect(() => checkBudget({ ...settings({ kind: name }), loop: null })).not.toThrow();
    }
  });
});
