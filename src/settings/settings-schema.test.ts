import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOOP_DEFAULTS, RalphYaml } from './schema/loop-settings.ts';
import { DEFAULTS } from './schema/settings-defaults.ts';
import { SettingsFile } from './schema/settings-file.ts';
import { type SettingSchema, settingsSchema, settingsSchemaText, yamlSchemaText } from './settings-schema.ts';

const editor = () => new Ajv({ strict: true, allowUnionTypes: true, validateSchema: true });
const byEditor = editor().compile(JSON.parse(settingsSchemaText()));

const isAccepted = (input: unknown) => SettingsFile.safeParse(input).success;

const everything = {
  $schema: './settings.schema.json',
  ...DEFAULTS,
  agent: { command: 'claude', flags: ['--verbose'], model: 'opus', kind: 'claude', autonomy: 'full' },
  guardrails: [{ command: 'npm test', failAction: 'append', hint: 'Fix it.', timeout: '5m' }],
  reviews: { reviewAfter: 5, guardrailRetryLimit: 3, prompts: [{ name: 'security', prompt: 'Look for holes.' }] },
  scm: { command: 'git', tasks: ['commit'], timeout: '10m' },
  agents: { fast: { command: 'codex', flags: ['--verbose'], model: 'gpt-5', kind: 'codex', autonomy: 'edits' } },
  prices: { 'gpt-5*': { input: 1.25, cacheRead: 0.125, cacheWrite: 1, output: 10 } },
  worktree: { root: '../trees', copy: ['.env'], link: ['node_modules'], setup: 'npm ci', setupTimeout: '5m' },
  loop: { ...LOOP_DEFAULTS, maxCost: 5, maxTime: '10m', model: 'opus', checks: ['npm test'], protect: ['tests/**'] },
};

type Path = readonly (string | number)[];

function pathsIn(value: unknown, above: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [above];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [above, ...[...keys].flatMap((key) => pathsIn(Reflect.get(value, key), [...above, key]))];
}

/** The value with one place changed; undefined removes it. */
function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  const inside = changed(Reflect.get(Object(value), key), rest, to);
  if (Array.isArray(value)) return value.with(Number(key), inside);
  const { [key]: _, ...others } = value as Record<string | number, unknown>;
  return inside === undefined ? others : { ...others, [key]: inside };
}

const oddNumbers = [0, -0, 1, -1, 0.5, 1.5, -0.1, 5, 1e21, 2 ** 53, 2 ** 53 - 1];
const oddTexts = [
  '',
  ' ',
  '\t\n',
  '\u00a0',
  'x',
  'full',
  'FULL',
  'stop',
  'append',
  'Replace',
  'REPLACED',
  'off',
  'OFF',
  '5',
  '5.5',
  '-5',
  '5m',
  '5 m',
  '1h 30m',
  '30m1h',
  '5x',
  '1ms',
  '4GiB',
  '4 gb',
  '4gibb',
  '1.5K',
];
const oddValues = [
  undefined,
  null,
  true,
  false,
  [],
  {},
  [[]],
  [{}],
  { command: 'x' },
  [''],
  ['x'],
  [{ command: 'x' }],
  [{ name: 'x', prompt: 'x' }],
  { x: 1 },
  { sigint: 1 },
];
const anyValue = fc.oneof(fc.constantFrom<unknown>(...oddNumbers, ...oddTexts, ...oddValues), fc.jsonValue({ maxDepth: 2 }));

/** Durations and sizes as people and machines write them. */
const amount = fc
  .array(
    fc.tuple(
      fc.constantFrom('0', '1', '30', '1.5', '007', '1.', '.5', '1e3'),
      fc.constantFrom('', ' ', '  '),
      fc.constantFrom('', 'd', 'h', 'M', 'm', 's', 'ms', 'MS', 'k', 'kb', 'GiB', 'TB', 'ib', 'B'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.map((part) => part.join('')).join(''));

function expectTheSameVerdict(input: unknown): void {
  const json: unknown = JSON.parse(JSON.stringify(input));
  expect({ json, accepted: byEditor(json) }).toEqual({ json, accepted: isAccepted(json) });
}

describe('the schema for editors', () => {
  it('accepts a file with every setting, and an empty one', () => {
    for (const input of [everything, {}, DEFAULTS]) expectTheSameVerdict(input);
    expect(byEditor(everything)).toBe(true);
  });

  it.each(pathsIn(everything).map((path) => [path.join('.'), path] as const))('agrees with our own check for any value at %j', (_key, path) => {
    fc.assert(
      fc.property(anyValue, (value) => expectTheSameVerdict(changed(everything, path, value) ?? {})),
      { seed: 42, numRuns: 150 },
    );
  });

  it.each(
    pathsIn(everything)
      .filter((path) => path.length < 3)
      .map((path) => [path.join('.'), path] as const),
  )('refuses the same unknown keys as our own check at %j', (_key, path) => {
    // Our check silently drops `__proto__` in a map whose keys the operator chooses, because it can never name anything.
    const isOurs = path[0] !== 'agents' && path[0] !== 'prices';
    for (const key of ['x', 'Command', 'constructor', ...(isOurs ? ['__proto__'] : [])])
      expectTheSameVerdict(changed(everything, path, JSON.parse(`{${JSON.stringify(key)}: "x"}`)));
  });

  it.each([
    ['agents', ['fast', 'Fast_2.x-y', '', ' ', '-x', 'a b', '\u00e9']],
    ['prices', ['gpt-5', 'gpt-5*', '*', 'openai/gpt-5:high', '', '**', 'g*5', 'a b', '*x']],
  ])('accepts the same names of %s as our own check', (key, names) => {
    const value = { agents: { command: 'x' }, prices: { input: 1, output: 2 } }[key];
    for (const name of names) expectTheSameVerdict({ [key]: { [name]: value } });
  });

  it.each([['idleTimeout'], ['maxAgentOutput']])('accepts the same amounts of %s as our own check', (key) => {
    fc.assert(
      fc.property(amount, (value) => expectTheSameVerdict({ [key]: value })),
      { seed: 42, numRuns: 2_000 },
    );
  });

  it('contains the default of every setting that has one', () => {
    const { properties = {} } = settingsSchema();
    expect(properties['maximumIterations']?.default).toBe(10);
    expect(properties['console']?.properties?.['maxOutputChars']?.default).toBe(120);
    expect(properties['scm']?.properties?.['timeout']?.default).toBe('10m');
    expect(properties['guardrails']?.items?.properties?.['failAction']?.default).toBe('APPEND');
    expect(properties['agent']?.properties?.['command']).not.toHaveProperty('default');
    expect(properties['reviews']).not.toHaveProperty('default');
  });

  it('contains only defaults that it accepts', () => {
    // A group with required keys has no defaults.
    const defaultsOf = ({ properties, required = [], default: value }: SettingSchema): unknown =>
      properties === undefined || required.length > 0
        ? value
        : Object.fromEntries(Object.entries(properties).map(([key, inside]) => [key, defaultsOf(inside)]));
    const defaults: unknown = JSON.parse(JSON.stringify(defaultsOf(settingsSchema())));
    expect(defaults).toMatchObject(DEFAULTS);
    expectTheSameVerdict(defaults);
    expect(byEditor(defaults)).toBe(true);
  });

  it('of ralph.yaml agrees with our own check and contains the defaults', () => {
    const byYamlEditor = editor().compile(JSON.parse(yamlSchemaText()));
    const yaml = { ralph_loop: { max_iterations: 100, max_cost: null, max_time: '10m', completion_tag: 'X', checks: ['make'], require_tag: 'auto' } };
    expect(byYamlEditor(yaml)).toBe(true);
    for (const path of pathsIn(yaml)) {
      for (const value of [...oddNumbers, 100, 101, ...oddTexts, ...oddValues]) {
        const json: unknown = JSON.parse(JSON.stringify(changed(yaml, path, value) ?? {}));
        expect({ json, accepted: byYamlEditor(json) }).toEqual({ json, accepted: RalphYaml.safeParse(json).success });
      }
    }
    expect(yamlSchemaText()).toMatch(/"max_iterations": \{[^}]*"default": 25/);
  });

  it('uses a draft of JSON Schema that every editor supports', () => {
    expect(JSON.parse(settingsSchemaText())).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', additionalProperties: false });
    expect(settingsSchemaText()).toMatch(/^\{\n[\s\S]*\n\}\n$/);
  });
});
