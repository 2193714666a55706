import { SOURCE, TESTS } from './project-files.ts';

/** One thing the scripted agent does. */
export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly kind: 'plan'; readonly items: readonly PlanItem[] };

export interface PlanItem {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** What the agent does about a prompt. It knows only what it is told and what the source looks like now: each turn is a fresh start. */
export function turnFor(prompt: string, source: string): readonly Step[] {
  const failing = failingTests(prompt);
  if (failing.length > 0) return answerTheGuardrail(failing, source);
  return /^Guardrail ".*" failed/m.test(prompt) ? giveUp() : firstLook(source);
}

/** Overconfident, as agents are: it repairs the first thing it sees, runs nothing, and says that all is well. */
function firstLook(source: string): readonly Step[] {
  const fix = fixes.find((each) => isMissing(each, source));
  return [
    { kind: 'say', text: 'I will look at the code and at its tests.' },
    { kind: 'read', path: SOURCE },
    { kind: 'read', path: TESTS },
    ...(fix ? [planFor(fix), editFor(fix)] : []),
    { kind: 'say', text: 'parseDuration works now, the tests should be green.\n<response>DONE</response>' },
  ];
}

function answerTheGuardrail(failing: readonly string[], source: string): readonly Step[] {
  const fix = fixes.find((each) => failing.includes(each.test) && isMissing(each, source));
  const told = failing.length === 1 ? 'The guardrail names one failing test' : `The guardrail names ${failing.length} failing tests`;
  if (!fix) return [{ kind: 'say', text: `${told}, but I do not know how to repair that.` }];
  const isLast = failing.length === 1;
  return [
    { kind: 'say', text: isLast ? `${told}: "${fix.test}".` : `${told}. One thing at a time: "${fix.test}" first.` },
    { kind: 'read', path: SOURCE },
    editFor(fix),
    { kind: 'say', text: isLast ? 'That was the last one.\n<response>DONE</response>' : 'That test should pass now; there is more to do.' },
  ];
}

function planFor(fix: Fix): Step {
  return {
    kind: 'plan',
    items: [
      { content: 'Read the module and its tests', status: 'completed' },
      { content: `Make parseDuration ${fix.what}`, status: 'in_progress' },
      { content: 'Say that it is done', status: 'pending' },
    ],
  };
}

function giveUp(): readonly Step[] {
  return [{ kind: 'say', text: 'The guardrail was red, but its output names no test that I know.' }];
}

const isMissing = ({ from, to }: Fix, source: string) => source.includes(from) && !source.includes(to);

function editFor({ from, to }: Fix): Step {
  return { kind: 'edit', path: SOURCE, from, to };
}

/** The names of the tests that the guardrail's output calls failed, as Node's reporters print them: TAP, or a cross before the name. */
export function failingTests(prompt: string): readonly string[] {
  const lines = prompt.replaceAll(COLOURS, '').split('\n');
  const failures = lines.filter((line) => /^\s*(not ok \d+ - |✖ )/.test(line));
  return fixes.map((fix) => fix.test).filter((name) => failures.some((line) => line.includes(name)));
}

const COLOURS = new RegExp(`${'\u001b'}\\[[0-9;]*m`, 'g');

/** One change to the source, and the test that asks for it. */
export interface Fix {
  readonly test: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** All that is wrong with the demo's project, in the order in which each change builds on the one before. */
export const fixes: readonly Fix[] = [
  {
    test: 'reads minutes and hours',
    what: 'read minutes and hours',
    from: `  const [, amount] = /^(\\d+)s$/.exec(text) ?? [];
  return Number(amount);
`,
    to: `  const seconds = { s: 1, m: 60, h: 3600 };
  const [, amount, unit] = /^(\\d+)([smh])$/.exec(text) ?? [];
  return Number(amount) * seconds[unit];
`,
  },
  {
    test: 'adds the parts of 1h30m',
    what: 'add up several parts',
    from: `  const [, amount, unit] = /^(\\d+)([smh])$/.exec(text) ?? [];
  return Number(amount) * seconds[unit];
`,
    to: `  const parts = [...text.matchAll(/(\\d+)([smh])/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * seconds[unit], 0);
`,
  },
  {
    test: 'refuses what is not a duration',
    what: 'refuse anything else',
    from: '  const parts = ',
    to: `  if (!/^(\\d+[smh])+$/.test(text)) throw new TypeError(\`not a duration: \${text}\`);
  const parts = `,
  },
];
