import { ALL_ROWS } from '../../src/settings/schema/rows/all-rows.ts';
import { DEFAULT_REVIEWS } from '../../src/settings/schema/settings-defaults.ts';
import { type SettingSchema, settingsSchema } from '../../src/settings/settings-schema.ts';

/** The flag that says a setting for one run, by its key. A setting that is true by default has a use only for its opposite. */
export const FLAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ALL_ROWS).flatMap(([key, row]) => (row.flag === undefined ? [] : [[key, flagText(row.flag.spelling, row.default)]]))),
  'guardrails[].command': '--check',
};

function flagText(spelling: string, value: unknown): string {
  const names = spelling.replace(/ [<[].*$/, '');
  return value === true && !names.startsWith('--no-') ? names.replace('--', '--no-') : names;
}

const EXAMPLE = {
  $schema: './settings.schema.json',
  agent: { command: 'claude', model: 'opus' },
  maximumIterations: 20,
  guardrails: [
    { command: 'npm run lint', hint: 'Fix lint errors only. Do not change behaviour.' },
    { command: 'npm test', failAction: 'PREPEND', timeout: '10m' },
  ],
  reviews: { reviewAfter: 5 },
  scm: { command: 'git', tasks: ['commit'] },
};

const LOOP_EXAMPLE = {
  loop: { agent: 'fast', checks: ['npm test'], maxCost: 3, protect: ['test/**'] },
  agents: { fast: { command: 'codex', model: 'gpt-5-mini' } },
  prices: { 'gpt-5-mini*': { input: 1, cacheRead: 0.1, output: 5 } },
  worktree: { copy: ['.env'], link: ['node_modules'] },
};

export const SEED_EXAMPLE = `ralph_loop:
  max_iterations: 25         # 1-100
  max_cost: null             # USD, null = no limit
  max_time: null             # seconds, null = no limit
  completion_tag: "COMPLETE" # what the agent says when it is done
  agent: build               # a profile, a command, or build
`;

const INTRODUCTION = `# Settings

<!-- Written by \`npm run generate\` from src/settings/schema/rows/ and src/settings/schema/settings-file.ts: change it there. -->

\`.ralph/settings.json\`, over it \`.ralph/settings.local.json\`, over both the command line. Neither file has to be there. Objects are merged key by key; everything else, lists too, is replaced. Only \`--guardrail\` adds to the guardrails of the files: one more never weakens the proof. An unknown key, a key named twice or a wrong type is refused, naming the key. A run keeps the settings it was started with, also when it is resumed.

\`ralph config show\` tells which settings hold in a directory and where each comes from; secrets are hidden. \`ralph config schema\` prints the JSON Schema of a settings file: with \`"$schema": "./settings.schema.json"\` and the schema beside it, which is what \`ralph init\` writes, an editor completes and checks what you type.

A duration is \`"90s"\`, \`"20m"\`, \`"1h30m"\`, a number of seconds, or \`"off"\`; a size is \`"500MB"\`, \`"4GiB"\`, or a number of bytes. 0 and \`"off"\` mean no limit.

\`ralph loop\` takes its settings from the group [\`loop\`](#loop). It is held to \`guardrails\` if the group has no \`checks\`, and \`completionResponse\` is its word if the group has no \`completionTag\`. Of the others only these count for it: \`agent\`, \`agents\`, \`prices\`, \`worktree\`, \`console\`, \`notify\`, \`shutdownGrace\`, \`streamAgentOutput\`, \`onAgentError\`, and the limits of an agent (\`idleTimeout\`, \`iterationTimeout\`, \`lingerTimeout\`, \`maxAgentOutput\`, \`maxLimitWait\`, \`failurePause\`). The group can also be written as [\`ralph.yaml\`](#ralphyaml).

\`ralph supervise\` and \`ralph job\` have their own options. Of the settings only these count for them: \`agent\`, \`console\`, \`notify\`, \`shutdownGrace\`, \`streamAgentOutput\`, \`lingerTimeout\`, \`maxAgentOutput\`, \`maxLimitWait\`.

\`ralph work\` takes its agent, its limits, \`guardrails\` and \`worktree\` from here, and has options for the rest. These do not count for it: \`maximumIterations\`, \`includeIterationCountInPrompt\`, \`reviews\`, \`scm\`, \`requireProof\`, \`requireChange\`, \`onAgentError\`, and the group \`loop\`.

## Examples

The settings of a project, for everybody who works on it:

\`\`\`json
${JSON.stringify(EXAMPLE, null, 2)}
\`\`\`

In \`.ralph/settings.local.json\`, what only you want; here another agent, and no reviews:

\`\`\`json
${JSON.stringify({ agent: { command: 'codex' }, reviews: { reviewAfter: 0 } }, null, 2)}
\`\`\`

For \`ralph loop\`, with an agent that does not say what it costs (the prices are examples, not today's):

\`\`\`json
${JSON.stringify(LOOP_EXAMPLE, null, 2)}
\`\`\`
`;

const YAML = `## ralph.yaml

The group \`loop\` as a file of its own at the top of the workspace, or anywhere with \`ralph loop --config <path>\`; YAML or JSON, the same keys in snake case. \`max_iterations\` is at most 100 there.

\`\`\`yaml
${SEED_EXAMPLE}\`\`\`

The command line wins over the file of \`--config\`, that over \`.ralph/settings.local.json\`, that over \`.ralph/settings.json\`, and that over \`ralph.yaml\`. Lists replace each other; only \`--check\` and \`--protect\` add to those of the files. \`ralph config schema --yaml\` prints the JSON Schema of this file.
`;

interface Row {
  readonly key: string;
  readonly schema: SettingSchema;
  readonly isRequired: boolean;
}

/** docs/reference/settings.md, made of the schema and the defaults. */
export function settingsPage(): string {
  const keys = Object.entries(settingsSchema().properties ?? {});
  const single = keys.filter(([, schema]) => partsOf(schema) === undefined).map(([key, schema]) => ({ key, schema, isRequired: false }));
  const groups = keys.filter(([, schema]) => partsOf(schema) !== undefined).map(([key, schema]) => sectionOf(key, schema));
  return [INTRODUCTION, `## The run\n\n${tableOf(single)}`, ...groups, YAML, reviewsInFull()].join('\n');
}

function sectionOf(key: string, schema: SettingSchema): string {
  const rows = rowsOf(key, schema);
  const isList = schema.items !== undefined;
  return `## \`${key}\`\n\n${isList ? '' : `${schema.description}\n\n`}${tableOf(isList ? [{ key, schema, isRequired: false }, ...rows] : rows)}`;
}

/** The values of a list, or of a map of names of the operator's own. */
const valuesIn = ({ items, additionalProperties }: SettingSchema) => items ?? (additionalProperties || undefined);

/** Of a group, or of the groups of a list or a map. */
const partsOf = (schema: SettingSchema) => schema.properties ?? valuesIn(schema)?.properties;

function rowsOf(above: string, schema: SettingSchema): readonly Row[] {
  const { required = [] } = valuesIn(schema) ?? schema;
  const between = schema.properties === undefined ? (schema.items === undefined ? '.<name>' : '[]') : '';
  return Object.entries(partsOf(schema) ?? {}).flatMap(([name, inside]) => {
    const key = `${above}${between}.${name}`;
    const row = { key, schema: inside, isRequired: required.includes(name) };
    return partsOf(inside) === undefined ? row : [row, ...rowsOf(key, inside)];
  });
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ key, schema, isRequired }) => {
    const flag = FLAGS[key] === undefined ? '' : `\`${FLAGS[key]}\``;
    return [`\`${key}\``, `${typeOf(schema)}${isRequired ? ', required' : ''}`, defaultOf(schema), flag, schema.description];
  });
  const head = ['key', 'type', 'default', 'flag', 'meaning'];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function typeOf(schema: SettingSchema): string {
  const [first, second] = schema.anyOf ?? [];
  return first !== undefined && second?.type === 'null' ? `${typeOf(first)} or \`null\`` : typeOfOne(schema);
}

function typeOfOne({ title, type, enum: words = [], anyOf = [], items, ...bounds }: SettingSchema): string {
  if (title !== undefined) return title;
  const choices = [...words, ...anyOf.flatMap((choice) => choice.enum ?? [])];
  if (choices.length > 0) return choices.map((word) => `\`"${word}"\``).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'array') return items?.properties === undefined ? 'list of texts' : 'list of objects';
  return numberOf(type, bounds) ?? 'text';
}

function numberOf(type: string | undefined, { exclusiveMinimum, minimum }: SettingSchema): string | null {
  if (type === 'number') return exclusiveMinimum === 0 ? 'positive number' : 'number from 0';
  if (type !== 'integer') return null;
  const least = exclusiveMinimum === 0 ? 1 : minimum === 0 ? 0 : null;
  return least === null ? 'whole number' : `whole number from ${least}`;
}

function defaultOf({ default: value, items }: SettingSchema): string {
  if (value === undefined) return '';
  if (items?.properties !== undefined && Array.isArray(value) && value.length > 0) return value.map(({ name }) => `\`${name}\``).join(', ');
  return `\`${JSON.stringify(value)}\``;
}

function reviewsInFull(): string {
  const prompts = DEFAULT_REVIEWS.map(({ name, prompt }) => `- \`${name}\`: ${prompt}\n`);
  return `## The reviews, where \`reviews.prompts\` is not said\n\n${prompts.join('')}`;
}
