import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DEFAULTS } from './settings-defaults.ts';
import { SettingsFile } from './settings-file.ts';

/** The error messages of a value, without the key. */
const errorsOf = (input: unknown) => SettingsFile.safeParse(input).error?.issues.map(({ message }) => message) ?? [];

/** A valid value for every key. A new key must be added here too. */
const everything = {
  $schema: './schema.json',
  ...DEFAULTS,
  otel: 'http://localhost:4318',
  sandbox: { ...DEFAULTS.sandbox, maxMemory: '8GiB', maxProcesses: 512 },
  agent: {
    ...DEFAULTS.agent,
    command: 'claude',
    model: 'opus',
    kind: 'claude',
    fallback: ['codex'],
    configDir: '~/.claude-work',
    env: { ANTHROPIC_API_KEY: '$MY_KEY' },
  },
  maxCost: 5,
  maxCostPerDay: 20,
  guardrails: [{ command: 'npm test', failAction: 'append', hint: 'Fix it.', timeout: '5m', proof: 'living', canary: true, serial: true }],
  reviews: { reviewAfter: 5, guardrailRetryLimit: 3, prompts: [{ name: 'security', prompt: 'Look for holes.' }] },
  scm: { command: 'git', tasks: ['commit', 'push'], timeout: '10m', allowDirty: true },
  agents: { fast: { command: 'codex', flags: [], model: 'gpt-5', kind: 'codex', autonomy: 'full', configDir: '~/.codex-2', env: { A: 'b' } } },
  prices: { 'gpt-5*': { input: 1.25, cacheRead: 0.125, cacheWrite: 1, output: 10 } },
  worktree: { root: '../trees', copy: ['.env'], link: ['node_modules'], setup: 'npm ci', setupTimeout: '5m' },
  setup: 'npm ci',
  labels: ['gpu'],
  store: { url: 'postgres://ralph@db.example.org/ralph' },
  proof: { ...DEFAULTS.proof, sealed: '../hidden' },
  loop: { ...DEFAULTS.loop, maxCost: 5, maxTime: '10m', model: 'opus', checks: ['npm test'], protect: ['tests/**'] },
  notify: {
    events: ['needs_you', 'ended'],
    interval: '5m',
    desktop: { events: ['ended'] },
    command: { events: [], run: 'tell' },
    webhook: { events: [], url: 'https://example.org/hook', secret: 'env:KEY' },
    slack: { events: [], url: 'env:SLACK_URL' },
    telegram: { events: [], token: 'file:~/.token', chat: '-100', api: 'http://localhost:8081' },
    ntfy: { events: [], topic: 'news', server: 'https://ntfy.example.org', token: 'env:NTFY' },
    email: { events: [], to: ['a@example.org'], from: 'ralph@example.org', sendmail: '/usr/bin/msmtp' },
  },
};

const filledTexts = [
  'agents.fast.command',
  'worktree.root',
  'proof.sealed',
  'worktree.setup',
  'worktree.copy.0',
  'worktree.link.0',
  'loop.completionTag',
  'loop.agent',
  'loop.model',
  'loop.checks.0',
  'loop.protect.0',
  'completionResponse',
  'agent.command',
  'agent.model',
  'agent.kind',
  'guardrails.0.command',
  'reviews.prompts.0.name',
  'reviews.prompts.0.prompt',
  'scm.command',
  'scm.tasks.0',
];
const texts = ['$schema', ...filledTexts, 'guardrails.0.hint'];
const loopFlags = ['followSpec', 'baseline', 'parallelChecks', 'worktree', 'commit'].map((key) => `loop.${key}`);
const flags = [
  ...loopFlags,
  'streamAgentOutput',
  'includeIterationCountInPrompt',
  'requireProof',
  'requireChange',
  'scm.allowDirty',
  'console.emoji',
  'console.color',
  'console.timestamps',
];
const durations = [
  'guardrailTimeout',
  'idleTimeout',
  'iterationTimeout',
  'lingerTimeout',
  'failurePause',
  'maxLimitWait',
  'shutdownGrace.sigint',
  'shutdownGrace.sigterm',
  'guardrails.0.timeout',
  'scm.timeout',
  'worktree.setupTimeout',
  'loop.checkTimeout',
];
const wrong: readonly (readonly [key: string, value: unknown, says: string])[] = [
  ...texts.flatMap((key) => [5, true, null, [], {}].map((value) => [key, value, 'must be a text, got '] as const)),
  ...filledTexts.map((key) => [key, ' \t', 'must not be empty'] as const),
  ...durations.flatMap((key) =>
    ['soon', '', '-5m', -1, true, null, [], {}].map((value) => [key, value, 'must be a duration such as "20m", "90s" or "off", got '] as const),
  ),
  ...['many', '4 GiBs', -1, 1.5, null, {}].map((value) => ['maxAgentOutput', value, 'must be a size such as "4GiB" or "500MB", got '] as const),
  ...['soon', '', -1, true, []].map((value) => ['loop.maxTime', value, 'must be a duration such as "20m", "90s" or "off", got '] as const),
  ...['5', 0, -1, Number.NaN, true, []].map((value) => ['loop.maxCost', value, 'must be a positive number, got '] as const),
  ...['input', 'cacheRead', 'cacheWrite', 'output'].flatMap((key) => [
    ...['1', null, []].map((value) => [`prices.gpt-5*.${key}`, value, 'must be a number, got '] as const),
    [`prices.gpt-5*.${key}`, -1, 'must be non-negative, got -1'] as const,
  ]),
  ...['maximumIterations', 'loop.maxIterations', 'console.maxOutputLines', 'console.maxOutputChars'].flatMap((key) =>
    ['10', 0, -1, 1.5, 1e300, null, true, [10]].map((value) => [key, value, 'must be a positive integer, got '] as const),
  ),
  ...['reviews.reviewAfter', 'reviews.guardrailRetryLimit', 'loop.flakyRetries'].flatMap((key) => [
    ...[-1, -1e6].map((value) => [key, value, `must be non-negative, got ${value}`] as const),
    ...['5', 1.5, 1e300, null, true, []].map((value) => [key, value, 'must be an integer, got '] as const),
  ]),
  ...['5000', 0.5, null].map((value) => ['outputTruncateChars', value, 'must be an integer, got '] as const),
  ...flags.flatMap((key) => ['true', 1, null].map((value) => [key, value, 'must be true or false, got '] as const)),
  ...['yolo', 'FULL', 1, null].map((value) => ['agent.autonomy', value, 'must be one of full, edits, ask, got '] as const),
  ...['maybe', true, null].map((value) => ['loop.requireTag', value, 'must be one of always, auto, never, got '] as const),
  ...['dirty', true, null].map((value) => ['loop.verify', value, 'must be one of clean, none, got '] as const),
  ...['ignore', null].map((value) => ['onAgentError', value, 'must be one of continue, stop, got '] as const),
  ...['x', '', 1, null].map((value) => ['guardrails.0.failAction', value, 'must be APPEND, PREPEND, or REPLACE, got '] as const),
  ...['claude', 1, null, ['claude']].map((value) => ['agent', value, 'must be an object, got '] as const),
  ...['shutdownGrace', 'reviews', 'scm', 'console', 'loop', 'worktree', 'agents', 'prices', 'agents.fast'].flatMap((key) =>
    ['60s', null, []].map((value) => [key, value, 'must be an object, got '] as const),
  ),
  ...[1, null, []].map((value) => ['prices.gpt-5*', value, 'must be an object such as {"input": 1.25, "output": 10}, got '] as const),
  ...['agent.flags', 'agents.fast.flags', 'scm.tasks', 'loop.checks', 'loop.protect', 'worktree.copy', 'worktree.link'].flatMap((key) =>
    ['--verbose', null, {}].map((value) => [key, value, 'must be a list of texts, got '] as const),
  ),
  ...[1, null, ['--a']].map((value) => ['agent.flags.0', value, 'must be a text, got '] as const),
  ...['guardrails', 'reviews.prompts'].flatMap((key) =>
    ['npm test', { command: 'npm test' }, null].map((value) => [key, value, 'must be a list of objects, got '] as const),
  ),
  ...['security', null, []].map((value) => ['reviews.prompts.0', value, 'must be an object such as {"name": "security", "prompt": "…"}, got '] as const),
  ...['npm test', null, []].map((value) => ['guardrails.0', value, 'must be an object such as {"command": "npm test"}, got '] as const),
  ...[null, [], 'x', 5].map((value) => ['', value, 'must be an object, got '] as const),
];

/** `everything` with one value replaced. */
function withValue(key: string, value: unknown): unknown {
  if (key === '') return value;
  const all: unknown = structuredClone({ ...everything, agent: { ...everything.agent, flags: ['--verbose'] } });
  const path = key.split('.');
  const parent = path.slice(0, -1).reduce<unknown>((inside, part) => Reflect.get(Object(inside), part), all);
  Reflect.set(Object(parent), path.at(-1) ?? '', value);
  return all;
}

/** The keys of all objects, also of those in lists. */
function keysOf(value: unknown, above = ''): readonly string[] {
  if (Array.isArray(value)) return keysOf(value[0], above);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .flatMap(([key, inside]) => [`${above}${key}`, ...keysOf(inside, `${above}${key}.`)])
    .toSorted();
}

function keysOfSchema({ properties = {}, items, additionalProperties }: z.core.JSONSchema.JSONSchema, above = ''): readonly string[] {
  if (items !== undefined) return keysOfSchema(items as z.core.JSONSchema.JSONSchema, above);
  // The operator chooses these names; the one in `everything` stands for all.
  const chosen = above
    .slice(0, -1)
    .split('.')
    .reduce<unknown>((value, key) => Reflect.get(Object(value), key), everything);
  const [name] = Object.keys(chosen ?? {});
  if (typeof additionalProperties === 'object') return keysOfSchema({ properties: { [name ?? '']: additionalProperties } }, above);
  return Object.entries(properties)
    .flatMap(([key, inside]) => [`${above}${key}`, ...keysOfSchema(inside as z.core.JSONSchema.JSONSchema, `${above}${key}.`)])
    .toSorted();
}

describe('a settings file', () => {
  it('may contain every setting', () => {
    expect(errorsOf(everything)).toEqual([]);
    expect(keysOf(everything)).toEqual(keysOfSchema(z.toJSONSchema(SettingsFile, { io: 'input' })));
  });

  it('may be empty', () => {
    expect(errorsOf({})).toEqual([]);
  });

  it.each(wrong)('with %j: %j is refused with a plain message', (key, value, says) => {
    expect(errorsOf(withValue(key, value))).toEqual([expect.stringContaining(says)]);
  });

  it.each([
    [{ maximumIteration: 5 }, 'is not a setting; did you mean "maximumIterations"?'],
    [{ max_iterations: 5 }, 'is not a setting; did you mean "maximumIterations"?'],
    [{ agent: { comand: 'claude' } }, 'is not a setting; did you mean "command"?'],
    [{ guardrails: [{ command: 'make', failaction: 'APPEND' }] }, 'is not a setting; did you mean "failAction"?'],
    [{ shutdownGrace: { sigtem: '1s' } }, 'is not a setting; did you mean "sigterm"?'],
    [{ scm: { comand: 'git' } }, 'is not a setting; did you mean "command"?'],
    [{ loop: { maxIteration: 5 } }, 'is not a setting; did you mean "maxIterations"?'],
    [{ loop: { max_iterations: 5 } }, 'is not a setting; did you mean "maxIterations"?'],
    [{ agents: { fast: { comand: 'x' } } }, 'is not a setting; did you mean "command"?'],
    [{ agents: { 'a b': {} } }, 'is no name for this; it must be letters, digits, and after the first also . _ -'],
    [{ prices: { 'g*5': { input: 1, output: 1 } } }, 'is no name for this; it must be the name of a model, its beginning with a * after it, or *'],
    [{ console: { colour: true } }, 'is not a setting; did you mean "color"?'],
    [{ reviews: { prompts: [{ name: 'a', prompt: 'b', promt: 'c' }] } }, 'is not a setting; did you mean "prompt"?'],
    [{ zzz: 1 }, 'is not a setting'],
    [JSON.parse('{"__proto__": {"maximumIterations": 1}}'), 'is not a setting'],
    [{ constructor: {} }, 'is not a setting'],
  ])('with the unknown key of %j is refused', (input, says) => {
    expect(errorsOf(input)).toEqual([says]);
  });

  it.each(['append', 'Prepend', 'rEPLACE', 'APPEND'])('may write a fail action as %s', (failAction) => {
    expect(errorsOf({ guardrails: [{ command: 'make', failAction }] })).toEqual([]);
  });

  it('may remove the limits of a loop', () => {
    expect(errorsOf({ loop: { maxCost: null, maxTime: null } })).toEqual([]);
  });

  it('must have an input and an output in each price', () => {
    expect(errorsOf({ prices: { '*': {} } })).toEqual(['must not be empty', 'must not be empty']);
  });

  it('must have a name and a prompt in each review', () => {
    expect(errorsOf({ reviews: { prompts: [{}] } })).toEqual(['must not be empty', 'must not be empty']);
  });

  it('is refused in a short line even if its values are long', () => {
    const [line = ''] = errorsOf({ maximumIterations: 'x'.repeat(1_000_000) });
    expect(line).toMatch(/^must be a positive integer, got "x+…$/);
    expect(line.length).toBeLessThan(120);
  });

  it('is refused without printing its secrets', () => {
    expect(errorsOf({ agent: { flags: '--api-key hunter2' } })).toEqual(['must be a list of texts, got "--api-key [redacted]"']);
  });

  it('is refused without a stack overflow even if its values are deeply nested', () => {
    expect(errorsOf({ agent: { command: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) } })).toEqual(['must be a text, got a list']);
  });
});
