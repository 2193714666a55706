import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openInitPlace } from '../support/init-place.ts';
import { terminalIsMissing } from '../support/terminal.ts';

const AGENT = 'Agent command (e.g., claude, codex, amp, or other LLM CLI): ';
const GUARDRAIL = 'Add guardrail command (leave blank to finish): ';

const ACTION = '  Fail action (APPEND|PREPEND|REPLACE): ';
const HINT = '  Hint (optional, guidance for agent on failure): ';

/** The example of the seed, plus the two questions that its tool got later: iteration count and review cycles. */
const EXCHANGES = [
  [AGENT, 'claude'],
  ['Agent flags (comma-separated, optional): ', '--model,opus'],
  ['Maximum iterations [10]: ', ''],
  ['Completion response [DONE]: ', ''],
  ['Include iteration count in prompt [false]: ', ''],
  [GUARDRAIL, 'make lint'],
  [ACTION, 'APPEND'],
  [HINT, 'Fix lint errors only. Do not change behavior.'],
  [GUARDRAIL, 'make test'],
  [ACTION, 'APPEND'],
  [HINT, ''],
  [GUARDRAIL, ''],
  ['Configure review cycles? (y/N): ', ''],
  ['Configure SCM? (y/N): ', 'y'],
  ['  SCM command (e.g., git): ', 'git'],
  ['  SCM tasks (comma-separated, e.g., commit,push): ', 'commit'],
] as const;

/** Enter sends a carriage return. */
const ANSWERS = EXCHANGES.map(([, answer]) => `${answer}\r`).join('');

const SCREEN = [
  '',
  ...EXCHANGES.map((exchange) => exchange.join('')),
  '',
  'Settings written to .ralph/settings.json',
  'Next: describe the work in PROMPT.md, ask for the answer DONE at its end, then: ralph run -f PROMPT.md',
  '',
].join('\n');

const EXAMPLE_SETTINGS = {
  $schema: './settings.schema.json',
  maximumIterations: 10,
  completionResponse: 'DONE',
  outputTruncateChars: 5000,
  streamAgentOutput: true,
  includeIterationCountInPrompt: false,
  agent: { command: 'claude', flags: ['--model', 'opus'] },
  guardrails: [
    { command: 'make lint', failAction: 'APPEND', hint: 'Fix lint errors only. Do not change behavior.' },
    { command: 'make test', failAction: 'APPEND' },
  ],
  scm: { command: 'git', tasks: ['commit'] },
};

describe.skipIf(terminalIsMissing())('ralph init on a terminal', { concurrent: true }, () => {
  it('asks the questions of the seed in its words and order', async () => {
    await using place = await openInitPlace();
    await using pty = place.init();
    for (const [prompt, answer] of EXCHANGES) await pty.answer(prompt, answer);
    expect(await pty.exitCode()).toBe(0);
    expect(pty.screen()).toBe(SCREEN);
    expect(place.settings()).toEqual(EXAMPLE_SETTINGS);
  });

  it.each<[string, { columns?: number; env?: Record<string, string> }]>([
    ['a wide terminal', {}],
    ['one that reports no width', { columns: 0 }],
    ['a dumb one', { env: { TERM: 'dumb' } }],
  ])('keeps all lines in order when they are pasted at once into %s', async (_name, how) => {
    await using place = await openInitPlace();
    await using pty = place.init(how);
    await pty.asks(AGENT);
    pty.type(ANSWERS);
    expect(await pty.exitCode()).toBe(0);
    expect(pty.screen()).toBe(SCREEN);
    expect(place.settings()).toEqual(EXAMPLE_SETTINGS);
  });

  it('keeps lines that were typed before the first question', async () => {
    await using place = await openInitPlace();
    await using pty = place.init();
    pty.type(ANSWERS);
    expect(await pty.exitCode()).toBe(0);
    expect(place.settings()).toEqual(EXAMPLE_SETTINGS);
  });

  it('writes the settings in the order of the seed with a final newline, plus the schema and a .gitignore', async () => {
    await using place = await openInitPlace();
    await using pty = place.init();
    await pty.asks(AGENT);
    pty.type(ANSWERS);
    await pty.exitCode();
    const inFolder = (name: string) => readFileSync(join(place.path, '.ralph', name), 'utf8');
    expect(inFolder('settings.json')).toBe(`${JSON.stringify(EXAMPLE_SETTINGS, null, 2)}\n`);
    expect(JSON.parse(inFolder('settings.schema.json'))).toMatchObject({ properties: { guardrails: { type: 'array' } } });
    expect(inFolder('.gitignore')).toContain('!settings.json');
    expect(statSync(join(place.path, '.ralph', 'settings.json')).mode & 0o444).toBe(0o444);
    expect(place.everything().filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  it('writes settings that a run accepts', async () => {
    await using place = await openInitPlace(['claude']);
    await using pty = place.init();
    await pty.asks(AGENT);
    pty.type(ANSWERS);
    await pty.exitCode();
    place.git('init', '-q');
    // Claude needs the second variable when it runs as root.
    const env = { PATH: `${place.env['PATH']}:${process.env['PATH']}`, IS_SANDBOX: '1' };
    const { code, stdout, stderr } = await place.ralph(['run', '-p', 'hello', '--dry-run'], { env });
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^Command: .*claude.* --model opus/), '']);
  });

  it('takes by Enter what it found', async () => {
    await using place = await openInitPlace(['codex', 'claude']);
    await place.write('package.json', JSON.stringify({ scripts: { test: 'vitest', lint: 'biome check' } }));
    await using pty = place.init();
    await pty.asks(`\nFound on PATH: claude, codex (Enter takes claude)\n${AGENT}`);
    pty.type('\r\r\r\r\r');
    await pty.asks(`\nFound: npm run lint, npm test (Enter takes them, none leaves them out)\n${GUARDRAIL}`);
    pty.type('\r\r\r\r');
    expect(await pty.exitCode()).toBe(0);
    expect(place.settings()).toMatchObject({
      agent: { command: 'claude' },
      guardrails: [{ command: 'npm run lint', failAction: 'APPEND' }, { command: 'npm test' }],
    });
  });

  it.each<[string, string, string, string]>([
    ['the agent', '', '\r', `Agent command is required\n${AGENT}`],
    ['a number', 'x\r\r', 'ten\r', 'Please enter a valid number\nMaximum iterations [10]: '],
    ['a positive number', 'x\r\r', '0\r', 'Must be greater than 0\nMaximum iterations [10]: '],
    ['true or false', 'x\r\r\r\r', 'maybe\r', 'Please enter true/false or y/n\nInclude iteration count in prompt [false]: '],
    ['a fail action', 'x\r\r\r\r\rmake\r', 'DELETE\r', '  Please enter APPEND, PREPEND or REPLACE\n  Fail action (APPEND|PREPEND|REPLACE): '],
    ['yes or no', 'x\r\r\r\r\r\r', 'perhaps\r', 'Please enter y or n\nConfigure review cycles? (y/N): '],
  ])('asks again for %s', async (_name, before, wrong, screen) => {
    await using place = await openInitPlace();
    await using pty = place.init();
    await pty.asks(AGENT);
    pty.type(`${before}${wrong}`);
    await pty.asks(screen);
  });

  it('accepts a fail action in upper or lower case, and custom review prompts', async () => {
    await using place = await openInitPlace();
    await using pty = place.init();
    await pty.asks(AGENT);
    pty.type('x\r\r3\rOK\ry\rmake\rprepend\r\r\ry\r2\r1\rn\rsafety\rLook for holes.\r\r\r');
    expect(await pty.exitCode()).toBe(0);
    expect(place.settings()).toMatchObject({
      maximumIterations: 3,
      completionResponse: 'OK',
      includeIterationCountInPrompt: true,
      guardrails: [{ command: 'make', failAction: 'PREPEND' }],
      reviews: { reviewAfter: 2, guardrailRetryLimit: 1, prompts: [{ name: 'safety', prompt: 'Look for holes.' }] },
    });
  });

  it.each<[string, string, string]>([
    ['other alphabets', 'größe 日本 🦊', 'größe 日本 🦊'],
    ['20,000 characters', 'x'.repeat(20_000), 'x'.repeat(20_000)],
    ['cursor keys and escape sequences', 'ab\u001b[D\u001b[31m\u001b]0;title\u0007c\u001b[H', expect.not.stringMatching(/\p{Cc}/u) as unknown as string],
    ['what a shell would run', '$(touch hacked); `touch hacked`', '$(touch hacked); `touch hacked`'],
    ['the erase key', 'clauxx\u007f\u007fde', 'claude'],
  ])('treats %s as text', async (_name, typed, hint) => {
    await using place = await openInitPlace();
    await using pty = place.init();
    await pty.asks(AGENT);
    pty.type('x\r\r\r\r\rmake\rAPPEND\r');
    await pty.asks('on failure): ');
    pty.type(`${typed}\r\r\r\r`);
    expect(await pty.exitCode()).toBe(0);
    expect(place.settings()).toMatchObject({ guardrails: [{ hint }] });
    expect(place.everything()).not.toContain('place/hacked');
  });

  it('asks on the terminal if its output goes to a file', async () => {
    await using place = await openInitPlace();
    await using pty = place.init({ redirect: `> '${join(place.beside, 'out')}'` });
    await pty.asks(AGENT);
    pty.type(ANSWERS);
    expect(await pty.exitCode()).toBe(0);
    expect(place.settings()).toEqual(EXAMPLE_SETTINGS);
  });

  it('asks in the output file if there is no terminal', async () => {
    await using place = await openInitPlace();
    await using pty = place.init({ redirect: `> '${join(place.beside, 'out')}' 2>&1` });
    pty.type(ANSWERS);
    expect(await pty.exitCode()).toBe(0);
    expect(readFileSync(join(place.beside, 'out'), 'utf8')).toContain(`\n${AGENT}Agent flags`);
    expect(place.settings()).toEqual(EXAMPLE_SETTINGS);
  });
});
