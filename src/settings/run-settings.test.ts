import { describe, expect, it } from 'vitest';
import { QUESTION_CLAIMS } from '../journal/words/claim.ts';
import { runSettings } from './run-settings.ts';
import { RunSettings } from './schema/run-settings.ts';
import { NO_SANDBOX } from './schema/sandbox-spec.ts';
import type { SettingsFile } from './schema/settings-file.ts';

const prompt = { from: 'text', text: 'Do the work.' } as const;
const agent = { command: 'claude' };

const settings = (file: SettingsFile, over: SettingsFile = {}) => runSettings({ agent, ...file }, { prompt, over }, '/workspace');

describe('the settings of a run', () => {
  it('are the defaults if nothing is set', () => {
    expect(settings({})).toEqual({
      recipe: 'run',
      prompt,
      agent: { kind: 'claude', command: 'claude', flags: [], model: null, autonomy: 'full' },
      claims: [...QUESTION_CLAIMS, { kind: 'response', word: 'DONE' }, { kind: 'promise', word: 'DONE' }, { kind: 'promise', word: 'COMPLETE' }],
      gates: [],
      outputTruncateChars: 5000,
      streamAgentOutput: true,
      includeIterationCount: false,
      maximumIterations: 10,
      lanes: 1,
      onAgentError: 'continue',
      requireChange: false,
      limits: {
        idleMs: 1_200_000,
        iterationMs: 10_800_000,
        outputBytes: 4 * 1024 ** 3,
        lingerMs: 15_000,
        limitWaitMs: 21_600_000,
        repeats: 3,
        failurePauseMs: 1_000,
        stuckAfter: 6,
        graceMs: { sigint: 60_000, sigterm: 1_000 },
      },
      scm: null,
      reviews: null,
      protect: [],
      proof: { level: 'living', mayChange: [] },
      wall: { ...NO_SANDBOX, workspace: 'isolated' },
      console: { emoji: true, color: true, timestamps: false, maxOutputLines: 3, maxOutputChars: 120 },
    });
  });

  it('are valid in a journal', () => {
    const all = settings({ reviews: {}, scm: { command: 'git', tasks: ['commit'] }, guardrails: [{ command: 'make' }] });
    expect(RunSettings.parse(all)).toEqual(all);
  });

  it('have no group of another recipe, but for the nulls in journals of earlier versions', () => {
    const all = settings({});
    expect(RunSettings.parse({ ...all, loop: null, supervise: null, work: null, stories: null })).toEqual(all);
    expect(RunSettings.safeParse({ ...all, loop: {} }).success).toBe(false);
    expect(RunSettings.safeParse({ ...all, recipe: 'loop', loop: null }).success).toBe(false);
  });

  it('are refused by the compiler where code reads the group of a recipe without knowing the recipe', () => {
    const all: RunSettings = settings({});
    // @ts-expect-error Only the settings of a run on a plan have it.
    expect(all.work).toBeUndefined();
    // @ts-expect-error A run has the group of its own recipe only.
    expect(RunSettings.safeParse({ ...all, recipe: 'work' } satisfies RunSettings).success).toBe(false);
  });

  it('are overridden by the command line, key by key', () => {
    const file: SettingsFile = {
      maximumIterations: 5,
      completionResponse: 'READY',
      agent: { command: 'claude', flags: ['--verbose'], model: 'opus' },
      guardrails: [{ command: 'make' }],
      requireChange: true,
    };
    expect(settings(file, { maximumIterations: 7, agent: { model: 'haiku' }, guardrails: [{ command: 'npm test' }] })).toMatchObject({
      maximumIterations: 7,
      agent: { command: 'claude', flags: ['--verbose'], model: 'haiku' },
      gates: [{ command: 'make' }, { command: 'npm test' }],
      claims: [...QUESTION_CLAIMS, { word: 'READY' }, { word: 'READY' }],
      requireChange: true,
    });
  });

  it('contain the proof level of each guardrail', () => {
    const guardrails = [
      { command: 'make' },
      { command: 'deploy', proof: 'off' as const },
      { command: 'a', proof: 'green' as const },
      { command: 'b', canary: false },
    ];
    expect(settings({ guardrails }).gates.map(({ proof }) => proof)).toEqual([undefined, 'off', 'green', 'green']);
  });

  it('ignore settings that only `loop` has', () => {
    const loop = { maxIterations: 3, checks: ['false'], agent: 'codex', worktree: true, commit: true };
    expect(settings({ loop, worktree: { setup: 'false' } })).toEqual(settings({}));
  });

  it('keep every guardrail of the files when the command line adds one', () => {
    const guardrails = [{ command: 'false', hint: 'Look.' }, { command: 'make' }];
    const added = [{ command: 'true' }, { command: 'make' }, { command: 'false' }];
    expect(settings({ guardrails }, { guardrails: added }).gates).toMatchObject([
      { command: 'false', hint: 'Look.' },
      { command: 'make' },
      { command: 'true' },
    ]);
    expect(settings({}, { guardrails: added }).gates).toHaveLength(3);
    expect(settings({ guardrails }).gates).toHaveLength(2);
  });

  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['500ms', 500],
    [45, 45_000],
    ['45', 45_000],
    [0, 0],
    ['off', 0],
  ])('parse the duration %j', (idleTimeout, idleMs) => {
    expect(settings({ idleTimeout }).limits.idleMs).toBe(idleMs);
  });

  it.each([
    ['500MB', 500_000_000],
    ['2GiB', 2 * 1024 ** 3],
    [1000, 1000],
    ['off', 0],
  ])('parse the size %j', (maxAgentOutput, outputBytes) => {
    expect(settings({ maxAgentOutput }).limits.outputBytes).toBe(outputBytes);
  });

  it('give every guardrail an action, a hint and a timeout', () => {
    const guardrails = [{ command: 'a' }, { command: 'b', failAction: 'prepend', hint: 'Look.', timeout: '5s' }];
    expect(settings({ guardrails, guardrailTimeout: '1m' }).gates).toEqual([
      { command: 'a', failAction: 'APPEND', hint: null, timeoutMs: 60_000 },
      { command: 'b', failAction: 'PREPEND', hint: 'Look.', timeoutMs: 5_000 },
    ]);
  });

  it('treat a negative outputTruncateChars as no limit, like seed 001', () => {
    expect(settings({ outputTruncateChars: -1 }).outputTruncateChars).toBe(0);
  });

  it('override the console defaults key by key', () => {
    expect(settings({ console: { emoji: false, maxOutputLines: 9 } }).console).toEqual({
      emoji: false,
      color: true,
      timestamps: false,
      maxOutputLines: 9,
      maxOutputChars: 120,
    });
  });

  it('keep that a guardrail is serial', () => {
    expect(
      settings({
        guardrails: [
          { command: 'a', serial: true },
          { command: 'b', serial: false },
        ],
      }).gates.map(({ serial }) => serial),
    ).toEqual([true, undefined]);
  });

  it('keep the order and the duplicates of scm.tasks', () => {
    expect(settings({ scm: { command: 'git', tasks: ['commit', 'push', 'commit'] } }).scm).toEqual({
      command: 'git',
      tasks: ['commit', 'push', 'commit'],
      timeoutMs: 600_000,
      message: 'agent',
      allowDirty: false,
    });
    expect(settings({ scm: { command: 'hg', tasks: ['commit'], timeout: 'off' } }).scm?.timeoutMs).toBe(0);
  });

  it.each<[string, SettingsFile]>([
    ['an empty group', { scm: {} }],
    ['a command without tasks', { scm: { command: 'git' } }],
    ['no tasks', { scm: { command: 'git', tasks: [] } }],
    ['no tasks and no command', { scm: { tasks: [] } }],
  ])('use no version control for %s', (_name, file) => {
    expect(settings(file).scm).toBeNull();
  });

  it('have the four default reviews after five iterations if the reviews group is empty', () => {
    const { reviews } = settings({ reviews: {} });
    expect(reviews).toMatchObject({ after: 5, retryLimit: 3 });
    expect(reviews?.prompts.map(({ name }) => name)).toEqual(['detailed', 'architecture', 'security', 'codeHealth']);
  });

  it('have the configured reviews', () => {
    const prompts = [{ name: 'docs', prompt: 'Read the docs.' }];
    expect(settings({ reviews: { reviewAfter: 2, guardrailRetryLimit: 0, prompts } }).reviews).toEqual({ after: 2, retryLimit: 0, prompts });
  });

  it.each<SettingsFile>([{ reviews: { prompts: [] } }, { reviews: { reviewAfter: 0 } }])('have no reviews with %j', (file) => {
    expect(settings(file).reviews).toBeNull();
  });

  it('contain the absolute path of the prompt file', () => {
    const { prompt: named } = runSettings({ agent }, { prompt: { from: 'file', path: 'docs/PROMPT.md' }, over: {} }, '/workspace');
    expect(named).toEqual({ from: 'file', path: '/workspace/docs/PROMPT.md' });
  });

  it.each([
    ['claude', 'claude'],
    ['/usr/local/bin/claude', 'claude'],
    ['claude.exe', 'claude'],
    ['codex --profile work', 'codex'],
    ['my-agent', 'command'],
    ["node 'my agent.mjs'", 'command'],
  ])('derive the agent kind from the command %s', (command, kind) => {
    expect(settings({ agent: { command } }).agent.kind).toBe(kind);
  });

  it.each<[string, SettingsFile, object]>([
    ['the first on PATH', {}, { command: 'claude', kind: 'claude', onPath: ['claude', 'codex'] }],
    ['the first on PATH, with what the settings say', { agent: { model: 'opus' } }, { command: 'claude', model: 'opus' }],
    ['the profile build', { agents: { build: { command: 'amp' } } }, { command: 'amp', name: 'build' }],
    ['what the settings name', { agent: { command: 'amp' } }, { command: 'amp' }],
  ])('take %s as the agent', (name, file, expected) => {
    const { agent: taken } = runSettings({ ...file, agentsOnPath: ['claude', 'codex'] }, { prompt, over: {} }, '/workspace');
    expect(taken).toMatchObject(expected);
    expect(taken.onPath !== undefined).toBe(name.startsWith('the first on PATH'));
  });

  it('use the configured agent kind', () => {
    expect(settings({ agent: { command: 'my-agent', kind: 'stream-json' } }).agent.kind).toBe('stream-json');
  });

  it.each<[string, SettingsFile, string]>([
    ['an unknown kind', { agent: { command: 'claude', kind: 'nope' } }, 'There is no agent called "nope".'],
    ['tasks and no version control', { scm: { tasks: ['commit'] } }, 'scm.command must be configured when scm.tasks is non-empty'],
    ['an open quote in the command', { agent: { command: "sh 'a" } }, "There is an open ' in: sh 'a"],
  ])('are refused with %s', (_name, file, message) => {
    expect(() => settings(file)).toThrow(expect.objectContaining({ message, exitCode: 2 }));
  });
});
