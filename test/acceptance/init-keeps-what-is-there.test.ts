import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { deepRows } from '../support/deep.ts';
import { type InitPlace, openInitPlace } from '../support/init-place.ts';
import { CTRL_C, CTRL_D, type Pty } from '../support/pty.ts';
import { refused } from '../support/refused.ts';
import { terminalIsMissing } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { ralphWithoutPowers } from '../support/without-powers.ts';

const AGENT = 'Agent command (e.g., claude, codex, amp, or other LLM CLI): ';
const OVERWRITE = 'Overwrite? (y/N): ';

/** Each question, and the input that leads to it. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  [AGENT, ''],
  ['Agent flags (comma-separated, optional): ', 'x\r'],
  ['Maximum iterations [10]: ', 'x\r\r'],
  ['Completion response [DONE]: ', 'x\r\r\r'],
  ['Include iteration count in prompt [false]: ', 'x\r\r\r\r'],
  ['Add guardrail command (leave blank to finish): ', 'x\r\r\r\r\r'],
  ['  Fail action (APPEND|PREPEND|REPLACE): ', 'x\r\r\r\r\rmake\r'],
  ['  Hint (optional, guidance for agent on failure): ', 'x\r\r\r\r\rmake\rAPPEND\r'],
  ['Configure review cycles? (y/N): ', 'x\r\r\r\r\r\r'],
  ['  Review after iterations [5]: ', 'x\r\r\r\r\r\ry\r'],
  ['  Guardrail retry limit [3]: ', 'x\r\r\r\r\r\ry\r\r'],
  ['  Use default review prompts? [Y/n]: ', 'x\r\r\r\r\r\ry\r\r\r'],
  ['  Add review name (leave blank to finish): ', 'x\r\r\r\r\r\ry\r\r\rn\r'],
  ['    Prompt: ', 'x\r\r\r\r\r\ry\r\r\rn\rsafe\r'],
  ['Configure SCM? (y/N): ', 'x\r\r\r\r\r\r\r'],
  ['  SCM command (e.g., git): ', 'x\r\r\r\r\r\r\ry\r'],
  ['  SCM tasks (comma-separated, e.g., commit,push): ', 'x\r\r\r\r\r\r\ry\rgit\r'],
];

const FEW_QUESTIONS = deepRows('an interview is stopped in one place, whatever it asks', QUESTIONS, 3);

const ABORTED = '\nAborted.\n';

async function endedAt(pty: Pty, question: string, keys: string): Promise<void> {
  await pty.asks(AGENT);
  if (keys !== '') pty.type(keys);
  await pty.asks(question);
}

describe.skipIf(terminalIsMissing())('ralph init that is stopped', { concurrent: true }, () => {
  it.each(FEW_QUESTIONS)('by Ctrl-C at "%s" writes nothing', async (question, keys) => {
    await using place = await openInitPlace();
    await using pty = place.init();
    await endedAt(pty, question, keys);
    pty.type(`half a word${CTRL_C}`);
    expect(await pty.exitCode()).toBe(130);
    expect(pty.screen()).toMatch(/half a word\nAborted\.\n$/);
    expect(place.settings()).toBeNull();
  });

  it.each(deepRows('Ctrl-D is heard where Ctrl-C is', QUESTIONS, 1))('by Ctrl-D at "%s" writes nothing', async (question, keys) => {
    await using place = await openInitPlace();
    await using pty = place.init();
    await endedAt(pty, question, keys);
    pty.type(CTRL_D);
    expect(await pty.exitCode()).toBe(130);
    expect(pty.screen().endsWith(`${question}${ABORTED}`)).toBe(true);
    expect(place.settings()).toBeNull();
  });

  it.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('by %s writes nothing', async (signal, exitCode) => {
    await using place = await openInitPlace();
    await using pty = place.init();
    await pty.asks(AGENT);
    process.kill(pty.pid(), signal);
    expect(await pty.exitCode()).toBe(exitCode);
    expect(pty.screen().endsWith(ABORTED)).toBe(true);
    expect(place.settings()).toBeNull();
  });

  it('by Ctrl-C while its questions are not visible writes nothing', async () => {
    await using place = await openInitPlace();
    const out = join(place.beside, 'out');
    await using pty = place.init({ redirect: `> '${out}' 2>&1` });
    await until('it asks', () => place.everything().includes('beside/out') && readFileSync(out, 'utf8').includes(AGENT), 20_000);
    pty.type(CTRL_C);
    expect(await pty.exitCode()).toBe(130);
    expect(readFileSync(out, 'utf8')).toBe(`\n${AGENT}${ABORTED}`);
    expect(place.settings()).toBeNull();
  });
});

const BASE = '{"agent":{"command":"claude","flags":["--model opus"]},"maximumIterations":4}';

async function withSettings(files: Readonly<Record<string, string>>): Promise<InitPlace> {
  const place = await openInitPlace();
  for (const [name, content] of Object.entries(files)) await place.write(`.ralph/${name}`, content);
  return place;
}

const shown = (settings: unknown) => `${JSON.stringify(settings, null, 2)}\n`;

describe.skipIf(terminalIsMissing())('ralph init with existing settings', { concurrent: true }, () => {
  it.each(deepRows('all that is no yes is a no', ['', 'n', 'No'], 1))('shows them and keeps them when %j is said', async (answer) => {
    await using place = await withSettings({ 'settings.json': BASE });
    await using pty = place.init();
    await pty.answer(OVERWRITE, answer);
    expect(await pty.exitCode()).toBe(0);
    expect(pty.screen()).toBe(`${shown(JSON.parse(BASE))}Loaded from .ralph/settings.json\n${OVERWRITE}${answer}\n`);
    expect(readFileSync(join(place.path, '.ralph/settings.json'), 'utf8')).toBe(BASE);
    expect(place.everything().filter((name) => name.startsWith('place/'))).toEqual(['place/.ralph', 'place/.ralph/settings.json']);
  });

  it('replaces them if the operator agrees', async () => {
    await using place = await withSettings({ 'settings.json': BASE });
    await using pty = place.init();
    await pty.answer(OVERWRITE, 'y');
    await pty.asks(`${OVERWRITE}y\n\n${AGENT}`);
    pty.type('amp\r\r\r\r\r\r\r\r');
    expect(await pty.exitCode()).toBe(0);
    expect(place.settings()).toMatchObject({ agent: { command: 'amp', flags: [] }, maximumIterations: 10 });
  });

  it('keeps them if it is stopped after the operator agreed', async () => {
    await using place = await withSettings({ 'settings.json': BASE });
    await using pty = place.init();
    await pty.answer(OVERWRITE, 'y');
    await pty.asks(AGENT);
    pty.type(CTRL_C);
    expect(await pty.exitCode()).toBe(130);
    expect(place.settings()).toEqual(JSON.parse(BASE));
  });

  it('shows them as a run would use them, with the local file merged', async () => {
    await using place = await withSettings({ 'settings.json': BASE, 'settings.local.json': '{"agent":{"flags":["--verbose"]}}' });
    await using pty = place.init();
    await pty.asks(OVERWRITE);
    const merged = { agent: { command: 'claude', flags: ['--verbose'] }, maximumIterations: 4 };
    expect(pty.screen()).toBe(`${shown(merged)}Loaded from .ralph/settings.json (with local overlay from settings.local.json)\n${OVERWRITE}`);
  });

  it('names the local file if it is the only one', async () => {
    await using place = await withSettings({ 'settings.local.json': '{"maximumIterations":4}' });
    await using pty = place.init();
    await pty.asks(`Loaded from .ralph/settings.local.json\n${OVERWRITE}`);
  });

  it('shows no secrets and no terminal control characters', async () => {
    const key = `sk-${'a1B2c3D4e5F6g7H8i9J0k1L2'}`;
    await using place = await withSettings({ 'settings.json': JSON.stringify({ agent: { command: `claude --api-key ${key}`, flags: ['\u009b2J'] } }) });
    await using pty = place.init();
    await pty.asks(OVERWRITE);
    expect(pty.screen()).toContain('[redacted]');
    expect(pty.screen()).not.toContain(key);
    expect(pty.screen()).not.toContain('\u009b');
  });

  const malformed: readonly (readonly [string, Record<string, string>, string])[] = [
    ['are no JSON', { 'settings.json': '{"agent": {},}' }, '.ralph/settings.json: Expected double-quoted property name in line 1, column 14'],
    ['are empty', { 'settings.json': '' }, '.ralph/settings.json: it is empty'],
    ['say what is no setting', { 'settings.json': '{"guardrail": []}' }, '.ralph/settings.json: guardrail is not a setting; did you mean "guardrails"?'],
    ['are no JSON in the local file', { 'settings.json': BASE, 'settings.local.json': '[' }, '.ralph/settings.local.json: Unexpected end of JSON input'],
  ];
  it.each(deepRows('what is wrong with settings is told where they are read', malformed, 2))(
    'that %s says so and offers to replace them',
    async (_name, files, why) => {
      await using place = await withSettings(files);
      await using pty = place.init();
      await pty.asks(`Existing settings are malformed: ${why}\n${OVERWRITE}`);
      pty.type('y\rclaude\r\r\r\r\r\r\r\r');
      expect(await pty.exitCode()).toBe(0);
      expect(place.settings()).toMatchObject({ agent: { command: 'claude' } });
    },
  );

  it('refuses an unusable .ralph before it asks anything', async () => {
    await using place = await openInitPlace();
    await place.write('.ralph', 'a file');
    await using pty = place.init();
    expect(await pty.exitCode()).toBe(2);
    expect(pty.screen()).toBe('error: cannot write settings: .ralph is not a folder\nhint: Move it away and try again.\n');
  });

  it('reports a failed write in one line', async () => {
    await using place = await openInitPlace();
    await using pty = place.init();
    await pty.asks(AGENT);
    await place.write('.ralph', 'a file that somebody made meanwhile');
    pty.type('claude\r\r\r\r\r\r\r\r');
    expect(await pty.exitCode()).toBe(2);
    expect(pty.screen()).toMatch(/\nerror: cannot write settings: \.ralph is not a folder\nhint: [^\n]+\n$/);
  });
});

describe.concurrent('ralph init', () => {
  it('without a terminal suggests --yes', async () => {
    await using place = await openInitPlace();
    expect(await refused(place, ['init'])).toEqual({
      code: 2,
      error: 'init requires an interactive terminal',
      hint: expect.stringContaining('ralph init --yes'),
    });
  });

  it.each(['.ralph', '.ralph/settings.json', '.ralph/settings.schema.json'])('writes through no link at %s', async (name) => {
    await using place = await openInitPlace();
    await mkdir(join(place.beside, 'elsewhere'));
    if (name !== '.ralph') await mkdir(join(place.path, '.ralph'));
    symlinkSync(join(place.beside, 'elsewhere'), join(place.path, name));
    expect(await refused(place, ['init', '--yes', '--agent', 'x', '--force'])).toMatchObject({
      code: 2,
      error: `cannot write settings: ${name} is a symbolic link`,
    });
  });

  it('does not replace a folder', async () => {
    await using place = await openInitPlace();
    await mkdir(join(place.path, '.ralph/settings.json'), { recursive: true });
    expect(await refused(place, ['init', '--yes', '--agent', 'x', '--force'])).toMatchObject({
      code: 2,
      error: 'cannot write settings: .ralph/settings.json is not a file',
    });
  });

  it.skipIf(bubblewrapIsMissing())('reports a read-only folder in one line', async () => {
    await using place = await openInitPlace();
    await mkdir(join(place.path, 'locked'), { mode: 0o555 });
    const before = place.everything();
    const { code, stdout, stderr } = await ralphWithoutPowers(['init', '--yes', '--agent', 'x'], { cwd: join(place.path, 'locked') });
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'error: cannot write .ralph/settings.json: EACCES: permission denied\nhint: Check the permissions of this directory and the free disk space.\n',
    ]);
    expect(place.everything()).toEqual(before);
  });
});
