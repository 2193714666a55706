import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { loadSettings } from './load-settings.ts';
import type { SettingsFile } from './schema/settings-file.ts';

const BASE = '.ralph/settings.json';
const LOCAL = '.ralph/settings.local.json';

type Files = Readonly<Record<string, string | Uint8Array>>;

async function load(files: Files) {
  await using folder = await openThrowAwayFolder();
  await mkdir(join(folder.path, '.ralph'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content);
  return await loadSettings(folder.path);
}

const merged = async (base: SettingsFile, local: SettingsFile) => (await load({ [BASE]: JSON.stringify(base), [LOCAL]: JSON.stringify(local) })).settings;

/** The error for the operator; the test fails if there is none. */
async function refusalOf(files: Files | Promise<unknown>): Promise<OperatorError> {
  const trouble: unknown = await (files instanceof Promise ? files : load(files)).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(trouble instanceof OperatorError)) throw new Error(`Not refused: ${String(trouble)}`);
  return trouble;
}

describe('the settings files', () => {
  it('may both be missing', async () => {
    await using folder = await openThrowAwayFolder();
    expect(await loadSettings(folder.path)).toEqual({ settings: {}, sources: [] });
  });

  it('are merged: the local file overrides the base, objects key by key', async () => {
    expect(await merged({ agent: { command: 'claude', flags: ['--model opus'] } }, { agent: { flags: ['--verbose'] } })).toEqual({
      agent: { command: 'claude', flags: ['--verbose'] },
    });
  });

  it.each<[string, SettingsFile, SettingsFile, SettingsFile]>([
    ['scalars override', { maximumIterations: 5, requireProof: true }, { maximumIterations: 7 }, { maximumIterations: 7, requireProof: true }],
    ['false overrides true', { streamAgentOutput: true }, { streamAgentOutput: false }, { streamAgentOutput: false }],
    ['0 overrides a duration', { idleTimeout: '5m' }, { idleTimeout: 0 }, { idleTimeout: 0 }],
    ['arrays replace', { guardrails: [{ command: 'a' }, { command: 'b' }] }, { guardrails: [{ command: 'c' }] }, { guardrails: [{ command: 'c' }] }],
    ['an empty array replaces', { guardrails: [{ command: 'a' }] }, { guardrails: [] }, { guardrails: [] }],
    ['objects merge', { shutdownGrace: { sigint: '5s' } }, { shutdownGrace: { sigterm: '1s' } }, { shutdownGrace: { sigint: '5s', sigterm: '1s' } }],
    ['an empty object changes nothing', { agent: { command: 'claude' } }, { agent: {} }, { agent: { command: 'claude' } }],
  ])('are merged so that %s', async (_name, base, local, expected) => {
    expect(await merged(base, local)).toEqual(expected);
  });

  it('are listed as sources if they exist', async () => {
    expect((await load({ [LOCAL]: '{}' })).sources).toEqual([LOCAL]);
    expect((await load({ [BASE]: '{}', [LOCAL]: '{}' })).sources).toEqual([BASE, LOCAL]);
  });

  it.each([
    ['begin with a byte order mark', '\uFEFF{"maximumIterations": 3}'],
    ['have the line ends of Windows', '{\r\n  "maximumIterations": 3\r\n}\r\n'],
    ['have white space around', '\n\n \t{"maximumIterations": 3} \n'],
    ['have the size of a megabyte', JSON.stringify({ maximumIterations: 3, $schema: 'x'.repeat(1_000_000) })],
  ])('may %s', async (_name, content) => {
    expect((await load({ [BASE]: content })).settings.maximumIterations).toBe(3);
  });
});

describe('a settings file is refused, by its name and that of the key,', () => {
  it.each([
    ['maximumIterations', '{"maximumIterations": "10"}', 'maximumIterations must be a positive integer, got "10"'],
    ['completionResponse', '{"completionResponse": 1}', 'completionResponse must be a text, got 1'],
    ['outputTruncateChars', '{"outputTruncateChars": "5000"}', 'outputTruncateChars must be an integer, got "5000"'],
    ['streamAgentOutput', '{"streamAgentOutput": "yes"}', 'streamAgentOutput must be true or false, got "yes"'],
    ['includeIterationCountInPrompt', '{"includeIterationCountInPrompt": 1}', 'includeIterationCountInPrompt must be true or false, got 1'],
    ['agent', '{"agent": "claude"}', 'agent must be an object, got "claude"'],
    ['agent.command', '{"agent": {"command": ["claude"]}}', 'agent.command must be a text, got a list'],
    ['agent.flags', '{"agent": {"flags": "--verbose"}}', 'agent.flags must be a list of texts, got "--verbose"'],
    ['agent.flags[1]', '{"agent": {"flags": ["--verbose", 2]}}', 'agent.flags[1] must be a text, got 2'],
    ['guardrails', '{"guardrails": {"command": "make"}}', 'guardrails must be a list of objects, got an object'],
    ['guardrails[1].hint', '{"guardrails": [{"command": "make"}, {"command": "make", "hint": false}]}', 'guardrails[1].hint must be a text, got false'],
    ['shutdownGrace', '{"shutdownGrace": 5}', 'shutdownGrace must be an object, got 5'],
    ['scm', '{"scm": "git"}', 'scm must be an object, got "git"'],
    ['scm.tasks', '{"scm": {"tasks": "commit"}}', 'scm.tasks must be a list of texts, got "commit"'],
    ['reviews', '{"reviews": true}', 'reviews must be an object, got true'],
    ['reviews.prompts', '{"reviews": {"prompts": {}}}', 'reviews.prompts must be a list of objects, got an object'],
    ['console.emoji', '{"console": {"emoji": "no"}}', 'console.emoji must be true or false, got "no"'],
  ])('for the wrong type of %s', async (_key, content, says) => {
    for (const name of [BASE, LOCAL]) {
      const refusal = await refusalOf({ [BASE]: '{"agent": {"command": "claude"}}', [name]: content });
      expect(refusal).toMatchObject({ message: `failed to load settings: ${name}: ${says}`, exitCode: 2, code: 'settings-invalid' });
    }
  });

  it.each([
    ['{"guardrails": [{"command": ""}]}', 'guardrails[0].command must not be empty'],
    ['{"guardrails": [{}]}', 'guardrails[0].command must not be empty'],
    ['{"guardrails": [{"command": "make", "failAction": "x"}]}', 'guardrails[0].failAction must be APPEND, PREPEND, or REPLACE, got "x"'],
    ['{"maximumIterations": -1}', 'maximumIterations must be a positive integer, got -1'],
    ['{"maximumIterations": 0}', 'maximumIterations must be a positive integer, got 0'],
    ['{"idleTimeout": "soon"}', 'idleTimeout must be a duration such as "20m", "90s" or "off", got "soon"'],
    ['{"maxAgentOutput": "lots"}', 'maxAgentOutput must be a size such as "4GiB" or "500MB", got "lots"'],
    ['{"maximumIteration": 5}', 'maximumIteration is not a setting; did you mean "maximumIterations"?'],
    ['{"agent": {"comand": "claude"}}', 'agent.comand is not a setting; did you mean "command"?'],
    ['{"guardrails": [{"command": "make", "failaction": "APPEND"}]}', 'guardrails[0].failaction is not a setting; did you mean "failAction"?'],
    ['{"foo": 1, "bar": 2}', 'foo is not a setting'],
    ['{"__proto__": {"maximumIterations": 1}}', '__proto__ is not a setting'],
    ['{"agent": {"__proto__": {"command": "claude"}}}', 'agent.__proto__ is not a setting'],
    ['{"two\\nlines": 1}', '"two\\nlines" is not a setting'],
    ['null', 'the settings must be an object, got null'],
    ['[]', 'the settings must be an object, got a list'],
    ['"claude"', 'the settings must be an object, got "claude"'],
    ['{"maximumIterations": 5, "maximumIterations": 50}', '"maximumIterations" is there twice'],
    ['{"agent": {"command": "a", "command": "b"}}', '"command" is there twice'],
    ['{"guardrails": [{"command": "a"}, {"command": "a", "hint": "b", "h\\u0069nt": "c"}]}', '"hint" is there twice'],
    ['{"scm": {"tasks": ["commit", ""]}}', 'scm.tasks[1] must not be empty'],
    ['{"reviews": {"reviewAfter": -1}}', 'reviews.reviewAfter must be non-negative, got -1'],
    ['{"reviews": {"reviewAfter": 1.5}}', 'reviews.reviewAfter must be an integer, got 1.5'],
    ['{"reviews": {"prompts": [{"name": "", "prompt": "x"}]}}', 'reviews.prompts[0].name must not be empty'],
    ['{"reviews": {"prompts": [{"name": "x"}]}}', 'reviews.prompts[0].prompt must not be empty'],
    ['{"console": {"maxOutputLines": 0}}', 'console.maxOutputLines must be a positive integer, got 0'],
  ])('for %s', async (content, says) => {
    expect((await refusalOf({ [BASE]: content })).message).toBe(`failed to load settings: ${BASE}: ${says}`);
  });

  it.each([
    ['{"maximumIterations": 0}', 'maximumIterations must be a positive integer, got 0'],
    ['{"agent": null}', 'agent must be an object, got null'],
    ['{"agent": {"command": null}}', 'agent.command must be a text, got null'],
    ['{"guardrails": null}', 'guardrails must be a list of objects, got null'],
    ['{"agent": []}', 'agent must be an object, got a list'],
  ])('for a local file with %s over a valid base', async (local, says) => {
    const base = JSON.stringify({ maximumIterations: 5, agent: { command: 'claude' }, guardrails: [{ command: 'make' }] });
    expect((await refusalOf({ [BASE]: base, [LOCAL]: local })).message).toBe(`failed to load settings: ${LOCAL}: ${says}`);
  });

  it.each([
    ['lists', '['.repeat(100_000) + ']'.repeat(100_000), 'a list'],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'an object'],
  ])('for %s nested a hundred thousand deep', async (_name, deep, what) => {
    expect((await refusalOf({ [BASE]: `{"agent": {"command": ${deep}}}` })).message).toBe(
      `failed to load settings: ${BASE}: agent.command must be a text, got ${what}`,
    );
    expect((await refusalOf({ [BASE]: `{"x": ${deep}}` })).message).toBe(`failed to load settings: ${BASE}: x is not a setting`);
  });

  it('in one line, even if thousands of keys are wrong', async () => {
    const { message } = await refusalOf({ [BASE]: JSON.stringify({ agent: 1, guardrails: 2, idleTimeout: 'x'.repeat(1_000_000), ['k'.repeat(5000)]: 1 }) });
    expect(message).toBe(`failed to load settings: ${BASE}: agent must be an object, got 1`);
    const long = await refusalOf({ [BASE]: JSON.stringify({ ['k\n'.repeat(500_000)]: 'v'.repeat(500_000) }) });
    expect(long.message.length).toBeLessThan(200);
  });
});

describe('a settings file that cannot be read', () => {
  it.each([
    ['is empty', '', 'it is empty'],
    ['is white space', ' \r\n', 'it is empty'],
    ['is only a byte order mark', '\uFEFF', 'it is empty'],
    ['ends in the middle', '{"agent": {', expect.stringMatching(/in line 1, column 12$/)],
    ['has a trailing comma', '{\n  "maximumIterations": 3,\n}', expect.stringMatching(/in line 3, column 1$/)],
    ['has a comment', '// mine\n{}', 'there is a comment in line 1, column 1'],
    ['has a comment at the end of a line', '{\n  "maximumIterations": 3 // enough\n}', 'there is a comment in line 2, column 26'],
    ['has a comment of many lines', '{\r\n/*\r\n*/}', 'there is a comment in line 2, column 1'],
    ['has an address without quotes', '{"$schema": http://host/x}', expect.stringContaining('Unexpected token')],
    ['has slashes in texts and a trailing comma', '{"$schema": "http://\\"//host/*",}', expect.stringMatching(/in line 1, column 33$/)],
    ['is not JSON at all', 'agent: claude', expect.stringContaining('is not valid JSON')],
    ['has zero bytes', '{"maximumIterations": 3}\0\0', expect.stringMatching(/^Unexpected .*in line 1, column 25$/)],
    ['is nothing but zero bytes', '\0'.repeat(100), expect.stringContaining('Unexpected token')],
    ['is not UTF-8', Buffer.from('{"completionResponse": "fa\u00e7ade"}', 'latin1'), 'it is not UTF-8 text'],
    ['is UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'it is not UTF-8 text'],
    ['has a second value', '{}\n{}', expect.stringMatching(/in line 2, column 1$/)],
  ])('because it %s is named in the error, with line and column', async (_name, content, reason) => {
    const refusal = await refusalOf({ [LOCAL]: content });
    expect(refusal).toMatchObject({ exitCode: 2, code: 'settings-unreadable' });
    expect(refusal.message.replace(`failed to load settings: ${LOCAL}: `, '')).toEqual(reason);
  });

  it.each([BASE, LOCAL])('because it is a directory is named in the error: %s', async (name) => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, name), { recursive: true });
    expect((await refusalOf(loadSettings(folder.path))).message).toBe(`failed to load settings: ${name}: it is a directory`);
  });

  it.each([BASE, LOCAL])('because it is a pipe without a writer is refused at once: %s', async (name) => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, '.ralph'));
    execFileSync('mkfifo', [join(folder.path, name)]);
    expect((await refusalOf(loadSettings(folder.path))).message).toBe(`failed to load settings: ${name}: it is not a regular file`);
  });

  it('because its symbolic link is circular is named in the error', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, '.ralph'));
    await symlink('settings.json', join(folder.path, BASE));
    expect((await refusalOf(loadSettings(folder.path))).message).toBe(`failed to load settings: ${BASE}: ELOOP: it cannot be read`);
  });

  it('because .ralph is a file counts as missing', async () => {
    await using folder = await openThrowAwayFolder();
    await writeFile(join(folder.path, '.ralph'), '');
    expect(await loadSettings(folder.path)).toEqual({ settings: {}, sources: [] });
  });
});
