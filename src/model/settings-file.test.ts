import { describe, expect, it } from 'vitest';
import { DEFAULTS, SettingsFile } from './settings-file.ts';

/** What is told of a value, without its key. */
const said = (input: unknown) => SettingsFile.safeParse(input).error?.issues.map(({ message }) => message) ?? [];

/** One right value for every key there is; a new key is missing here until it is added. */
const everything = {
  $schema: './schema.json',
  ...DEFAULTS,
  agent: { ...DEFAULTS.agent, command: 'claude', model: 'opus', kind: 'claude' },
  guardrails: [{ command: 'npm test', failAction: 'append', hint: 'Fix it.', timeout: '5m' }],
};

const texts = ['$schema', 'completionResponse', 'agent.command', 'agent.model', 'agent.kind', 'guardrails.0.command', 'guardrails.0.hint'];
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
];
const wrong: readonly (readonly [key: string, value: unknown, says: string])[] = [
  ...texts.flatMap((key) => [5, true, null, [], {}].map((value) => [key, value, 'must be a text, got '] as const)),
  ...texts.slice(1, -1).map((key) => [key, ' \t', 'must not be empty'] as const),
  ...durations.flatMap((key) =>
    ['soon', '', '-5m', -1, true, null, [], {}].map((value) => [key, value, 'must be a duration such as "20m", "90s" or "off", got '] as const),
  ),
  ...['many', '4 GiBs', -1, 1.5, null, {}].map((value) => ['maxAgentOutput', value, 'must be a size such as "4GiB" or "500MB", got '] as const),
  ...['10', 0, -1, 1.5, 1e300, null, true, [10]].map((value) => ['maximumIterations', value, 'must be a positive integer, got '] as const),
  ...['5000', 0.5, null].map((value) => ['outputTruncateChars', value, 'must be an integer, got '] as const),
  ...['streamAgentOutput', 'includeIterationCountInPrompt', 'requireProof', 'requireChange'].flatMap((key) =>
    ['true', 1, null].map((value) => [key, value, 'must be true or false, got '] as const),
  ),
  ...['yolo', 'FULL', 1, null].map((value) => ['agent.autonomy', value, 'must be one of full, edits, ask, got '] as const),
  ...['ignore', null].map((value) => ['onAgentError', value, 'must be one of continue, stop, got '] as const),
  ...['x', '', 1, null].map((value) => ['guardrails.0.failAction', value, 'must be APPEND, PREPEND, or REPLACE, got '] as const),
  ...['claude', 1, null, ['claude']].map((value) => ['agent', value, 'must be an object, got '] as const),
  ...['60s', null].map((value) => ['shutdownGrace', value, 'must be an object, got '] as const),
  ...['--verbose', null, {}].map((value) => ['agent.flags', value, 'must be a list of texts, got '] as const),
  ...[1, null, ['--a']].map((value) => ['agent.flags.0', value, 'must be a text, got '] as const),
  ...['npm test', { command: 'npm test' }, null].map((value) => ['guardrails', value, 'must be a list of objects, got '] as const),
  ...['npm test', null, []].map((value) => ['guardrails.0', value, 'must be an object such as {"command": "npm test"}, got '] as const),
  ...[null, [], 'x', 5].map((value) => ['', value, 'must be an object, got '] as const),
];

/** All of it, with one value put elsewhere. */
function withValue(key: string, value: unknown): unknown {
  if (key === '') return value;
  const all: unknown = structuredClone({ ...everything, agent: { ...everything.agent, flags: ['--verbose'] } });
  const path = key.split('.');
  const parent = path.slice(0, -1).reduce<unknown>((inside, part) => Reflect.get(Object(inside), part), all);
  Reflect.set(Object(parent), path.at(-1) ?? '', value);
  return all;
}

describe('a settings file', () => {
  it('may say everything', () => {
    expect(said(everything)).toEqual([]);
    expect(Object.keys(everything).sort()).toEqual(Object.keys(SettingsFile.shape).sort());
  });

  it('may say nothing', () => {
    expect(said({})).toEqual([]);
  });

  it.each(wrong)('with %j: %j is refused in plain words', (key, value, says) => {
    expect(said(withValue(key, value))).toEqual([expect.stringContaining(says)]);
  });

  it.each([
    [{ maximumIteration: 5 }, 'is not a setting; did you mean "maximumIterations"?'],
    [{ max_iterations: 5 }, 'is not a setting; did you mean "maximumIterations"?'],
    [{ agent: { comand: 'claude' } }, 'is not a setting; did you mean "command"?'],
    [{ guardrails: [{ command: 'make', failaction: 'APPEND' }] }, 'is not a setting; did you mean "failAction"?'],
    [{ shutdownGrace: { sigtem: '1s' } }, 'is not a setting; did you mean "sigterm"?'],
    [{ zzz: 1 }, 'is not a setting'],
    [JSON.parse('{"__proto__": {"maximumIterations": 1}}'), 'is not a setting'],
    [{ constructor: {} }, 'is not a setting'],
  ])('with the unknown key of %j is refused', (input, says) => {
    expect(said(input)).toEqual([says]);
  });

  it('is refused in a short line however long its values are', () => {
    const [line = ''] = said({ maximumIterations: 'x'.repeat(1_000_000) });
    expect(line).toMatch(/^must be a positive integer, got "x+…$/);
    expect(line.length).toBeLessThan(120);
  });

  it('is refused without a stack overflow however deep its values are', () => {
    expect(said({ agent: { command: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) } })).toEqual(['must be a text, got a list']);
  });
});
