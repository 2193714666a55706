import { describe, expect, it } from 'vitest';
import { QUESTION_CLAIMS } from '../journal/words/claim.ts';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { type LoopRequest, loopSettings } from './loop-settings.ts';
import { RunSettings } from './schema/run-settings.ts';
import { NO_SANDBOX } from './schema/sandbox-spec.ts';
import { type CompleteSettings, DEFAULTS } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

const request: LoopRequest = {
  cwd: '/project',
  prompt: 'Do the work.',
  spec: null,
  gates: [{ command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 120_000 }],
  witnesses: [],
  tag: undefined,
  agent: { command: 'claude', flags: [], autonomy: 'full' },
};

function settings(file: SettingsFile = {}, over: Partial<LoopRequest> = {}) {
  return loopSettings(deepMerge(DEFAULTS, file) as CompleteSettings, { ...request, ...over });
}

describe('the settings of a loop', () => {
  it('have the defaults of seed 004', () => {
    expect(settings()).toEqual({
      recipe: 'loop',
      prompt: { from: 'text', text: 'Do the work.' },
      agent: { kind: 'claude', command: 'claude', flags: [], model: null, autonomy: 'full' },
      claims: [...QUESTION_CLAIMS, { kind: 'tag', word: 'COMPLETE' }, { kind: 'promise', word: 'DONE' }],
      gates: [{ command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 120_000 }],
      outputTruncateChars: 2000,
      includeIterationCount: false,
      maximumIterations: 25,
      lanes: 1,
      streamAgentOutput: true,
      onAgentError: 'continue',
      requireChange: false,
      limits: expect.objectContaining({ idleMs: 1_200_000, iterationMs: 10_800_000 }),
      scm: null,
      reviews: null,
      protect: [],
      proof: { level: 'living', mayChange: [] },
      wall: { ...NO_SANDBOX, workspace: 'isolated' },
      loop: {
        spec: null,
        requireTag: 'always',
        budget: { costUsd: null, timeMs: 0 },
        prices: {},
        baseline: true,
        flakyRetries: 1,
        parallelChecks: false,
        witnesses: [],
        protect: [],
        verifyClean: false,
        worktree: null,
      },
      console: DEFAULTS.console,
    });
  });

  it('are valid in a journal', () => {
    const prices = { '*': { input: 1, output: 2 } };
    const all = settings({ prices, loop: { maxCost: 3, maxTime: 600, verify: 'clean', worktree: true } }, { spec: { path: '/spec.md', follow: true } });
    expect(RunSettings.parse(all)).toEqual(all);
  });

  it('ignore settings that only `run` has', () => {
    const file: SettingsFile = {
      maximumIterations: 3,
      guardrails: [{ command: 'false' }],
      outputTruncateChars: 1,
      includeIterationCountInPrompt: true,
      reviews: {},
      scm: { command: 'hg', tasks: ['commit'] },
      requireChange: true,
    };
    expect(settings(file)).toEqual(settings());
  });

  it('include the settings that a loop shares with `run`', () => {
    const file: SettingsFile = { idleTimeout: '1m', iterationTimeout: '2m', onAgentError: 'stop', console: { emoji: false }, shutdownGrace: { sigint: '1s' } };
    expect(settings(file)).toMatchObject({
      limits: { idleMs: 60_000, iterationMs: 120_000, graceMs: { sigint: 1_000, sigterm: 1_000 } },
      onAgentError: 'stop',
      console: { emoji: false, color: true },
    });
  });

  it.each([
    ['10m', 600_000],
    [600, 600_000],
    ['600', 600_000],
    [null, 0],
    ['off', 0],
  ])('parse the time %j', (maxTime, timeMs) => {
    expect(settings({ loop: { maxTime } }).loop.budget).toEqual({ costUsd: null, timeMs });
  });

  it('commit if asked to, and always in a worktree', () => {
    const scm = { command: 'git', tasks: ['commit'], timeoutMs: 600_000, message: 'generated' };
    expect(settings({ loop: { commit: true } }).scm).toEqual({ ...scm, allowDirty: false });
    expect(settings({ loop: { commit: true }, scm: { allowDirty: true } }).scm).toEqual({ ...scm, allowDirty: true });
    expect(settings({ loop: { worktree: true } }).scm).toEqual({ ...scm, allowDirty: true });
  });

  it('use the price of input tokens for the cache if the price has none for it', () => {
    const prices = { 'gpt-5*': { input: 2, output: 8 }, '*': { input: 2, cacheRead: 0.5, cacheWrite: 0, output: 8 } };
    expect(settings({ prices }).loop.prices).toEqual({
      'gpt-5*': { input: 2, cacheRead: 2, cacheWrite: 2, output: 8 },
      '*': { input: 2, cacheRead: 0.5, cacheWrite: 0, output: 8 },
    });
  });
});
