import { describe, expect, it } from 'vitest';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { loopGates } from './requested-loop.ts';
import { type CompleteSettings, DEFAULTS } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

const none = { witnesses: [], noChecks: false };

/** Of a loop with these settings files, when the caller names these checks. */
function gatesOf(file: SettingsFile, wishes: { readonly witnesses?: readonly string[]; readonly noChecks?: boolean } = {}, checks: readonly string[] = []) {
  const loop = { ...file.loop, checks: [...(file.loop?.checks ?? []), ...checks] };
  return loopGates(deepMerge(DEFAULTS, { ...file, loop }) as CompleteSettings, file.loop ?? {}, { ...none, ...wishes });
}
const commandsOf = (...given: Parameters<typeof gatesOf>) => gatesOf(...given).map(({ command }) => command);

describe('the checks of a loop', () => {
  it('are those of its settings in their order, then the witnesses, without duplicates', () => {
    expect(commandsOf({ loop: { checks: ['make', 'lint', 'make'] } }, { witnesses: ['lint', 'test -f x'] })).toEqual(['make', 'lint', 'test -f x']);
    expect(commandsOf({}, { witnesses: ['make'] })).toEqual(['make']);
  });

  it('have all the same timeout', () => {
    const gates = gatesOf({ loop: { checks: ['make'], checkTimeout: '5s' } }, { witnesses: ['lint'] });
    expect(gates).toMatchObject([
      { command: 'make', timeoutMs: 5_000 },
      { command: 'lint', timeoutMs: 5_000 },
    ]);
  });

  it('are required, except with --no-checks', () => {
    expect(() => gatesOf({})).toThrow(expect.objectContaining({ code: 'check-missing', exitCode: 2 }));
    expect(gatesOf({}, { noChecks: true })).toEqual([]);
    expect(gatesOf({ loop: { checks: ['make'] }, guardrails: [{ command: 'lint' }] }, { noChecks: true })).toEqual([]);
  });

  it("are the project's guardrails if its settings name none for loops, each with its own hint and timeout", () => {
    const file: SettingsFile = { guardrails: [{ command: 'npm test', hint: 'Fix the code.', timeout: '1m' }] };
    expect(gatesOf(file)).toEqual([{ command: 'npm test', failAction: 'APPEND', hint: 'Fix the code.', timeoutMs: 60_000 }]);
    expect(commandsOf({ ...file, loop: { checks: ['make'] } })).toEqual(['make']);
  });

  it('add to the guardrails if the caller names them, and run once', () => {
    expect(commandsOf({ guardrails: [{ command: 'npm test' }] }, {}, ['npm run lint', 'npm test'])).toEqual(['npm test', 'npm run lint']);
  });
});
