import type { LoopSpec, SettingsWith } from '../../src/settings/schema/run-settings.ts';
import { type SettingsChange, testSettings } from './run-settings.ts';

/** A loop with all options off; pass only what differs. */
export function loopSpec(over: Partial<LoopSpec> = {}): LoopSpec {
  return {
    spec: null,
    requireTag: 'always',
    budget: { costUsd: null, timeMs: 0 },
    prices: {},
    baseline: false,
    flakyRetries: 0,
    parallelChecks: false,
    witnesses: [],
    protect: [],
    verifyClean: false,
    worktree: null,
    ...over,
  };
}

export function loopSettings(loop: Partial<LoopSpec> = {}, over: SettingsChange = {}): SettingsWith<'loop'> {
  return testSettings({ claims: [{ kind: 'tag', word: 'COMPLETE' }], outputTruncateChars: 2000, ...over, loop: loopSpec(loop) }) as SettingsWith<'loop'>;
}
