import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/agents/command-words.ts';
import { bash, CLAIM, claudeScript, ends, scriptedClaudeIn, type Turn, turn } from '../support/claude-script.ts';
import { openPty } from '../support/pty.ts';
import { CLI } from '../support/ralph.ts';
import { openRepo } from '../support/repo.ts';
import { terminalIsMissing } from '../support/terminal.ts';

const FILES = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
  'sum.js': 'export const sum = (a, b) => a - b;\n',
  'sum.test.js':
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { sum } from './sum.js';\ntest('sum adds', () => assert.equal(sum(1, 2), 3, 'sum(1, 2) is not 3'));\n",
};
const MENDS = bash("printf 'export const sum = (a, b) => a + b;\\n' > sum.js");
const SLOW_MS = 120_000;

/** Somebody at a terminal who has read no documentation: types `ralph`, and after that only commands that a screen has shown. */
async function openPerson(files: Readonly<Record<string, string>>, script: readonly Turn[]) {
  const repo = await openRepo(files);
  const bin = await scriptedClaudeIn(repo.beside);
  const env = {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    XDG_RUNTIME_DIR: repo.beside,
    IS_SANDBOX: '1',
    CLAUDE_SCRIPT: claudeScript(script),
    CLAUDE_CALLS: join(repo.beside, 'calls.jsonl'),
  };
  const seen: string[] = [];
  const types = async (words: readonly string[], folder: string) => {
    await using pty = openPty(words, { cwd: join(repo.path, folder), beside: repo.beside, env });
    const code = await pty.exitCode(SLOW_MS);
    seen.push(pty.screen());
    return { code, screen: pty.screen() };
  };
  return {
    repo,
    /** Types `ralph` alone. */
    looks: async (folder = '.') => await types([], folder),
    /** Types the first command on a screen that this describes. What stands for a person's own words (`…`) is filled in. */
    async does(command: RegExp, { folder = '.', words = '' } = {}) {
      const shown = seen.flatMap((screen) => screen.split('\n')).flatMap((line) => new RegExp(`\\bralph ${command.source}`).exec(line)?.[0] ?? []);
      expect(shown, `No screen shows ${command}:\n${seen.join('\n')}`).not.toEqual([]);
      return await types(wordsOf((shown.at(-1) ?? '').replace('…', words)).slice(1), folder);
    },
    [Symbol.asyncDispose]: async () => await repo[Symbol.asyncDispose](),
  };
}

describe.skipIf(terminalIsMissing()).concurrent('somebody who reads only the screen', { timeout: 2 * SLOW_MS }, () => {
  it('makes the tests of a repository pass', async () => {
    await using person = await openPerson(FILES, [turn(MENDS, ...ends(CLAIM))]);
    expect((await person.looks()).screen).toContain('npm test (from package.json)');
    const { code, screen } = await person.does(/run ".*/);

    expect(code, screen).toBe(0);
    expect(screen).toMatch(/\n {2}outcome {5}completed \(exit 0\)\n {2}claim {7}"DONE", proven by: npm test \(living, in a clean copy\)\n/);
  });

  it('works off the plan of another loop as it is', async () => {
    const stories = [
      { id: 'US-001', title: 'Sum adds', acceptanceCriteria: ['sum(1, 2) is 3'], priority: 1, passes: false },
      { id: 'US-000', title: 'There is a sum', acceptanceCriteria: [], priority: 0, passes: true },
    ];
    const prd = `${JSON.stringify({ project: 'sums', branchName: 'ralph/sums', userStories: stories }, null, 2)}\n`;
    const works = turn(
      MENDS,
      bash(`git add -A && git -c user.name=a -c user.email=a@b commit -qm "sum adds" && ${process.execPath} ${CLI} task complete US-001`),
      ...ends('Done.'),
    );
    await using person = await openPerson({ ...FILES, 'prd.json': prd }, [works]);
    expect((await person.looks()).screen).toMatch(/Plan +prd\.json/);
    const { code, screen } = await person.does(/work.*/);

    expect(code, screen).toBe(0);
    expect(screen).toContain('\n  tasks       1 completed, 0 failed\n');
    expect(JSON.parse(person.repo.git('show', 'HEAD:prd.json'))).toMatchObject({ userStories: [{ id: 'US-001', passes: true }, { passes: true }] });
  });

  it('understands a red check, and sees what to do about the run that ended with it', async () => {
    await using person = await openPerson(FILES, [turn(...ends(CLAIM))]);
    await person.looks();
    const { code, screen } = await person.does(/run ".*/);

    expect(code, screen).toBe(1);
    expect(screen).toMatch(/Guardrail end: npm test \(exit 1, .*\n( {5}.*\n)* {5}.*sum\(1, 2\) is not 3/);
    expect(screen).toContain('Claim "DONE" not accepted: the check is red.');
    expect(screen).toMatch(/\n {2}checks {6}red: npm test \(exit 1, in the last \d+ iterations\)\n/);
    const inbox = await person.does(/inbox/);
    expect(inbox.screen).toMatch(/npm test: .*sum adds/);
  });

  it('finds a run that asks, from a subfolder, answers it, and it goes on', async () => {
    const asks = turn(...ends('<promise>BLOCKED: Shall sum add?</promise>'));
    await using person = await openPerson(FILES, [asks, turn(MENDS, ...ends(CLAIM))]);
    await mkdir(join(person.repo.path, 'docs'));
    await person.looks();
    expect((await person.does(/run ".*/)).code).toBe(3);

    expect((await person.looks('docs')).screen).toContain('waits for you');
    expect((await person.does(/answer --run \S+/, { folder: 'docs' })).screen).toContain('Shall sum add?');
    const { code, screen } = await person.does(/answer .*…"/, { folder: 'docs', words: 'Yes, it shall.' });
    expect(code, screen).toBe(0);
    expect(screen).toContain('outcome     completed (exit 0)');
  });

  it('allows a claim that is held', async () => {
    const cheats = turn(bash('git rm -q sum.test.js && mkdir -p test && printf "" > test/none.test.js'), ...ends(CLAIM));
    await using person = await openPerson(FILES, [cheats]);
    await person.looks();
    const held = await person.does(/run ".*/);
    expect(held.code, held.screen).toBe(3);
    expect(held.screen).toContain('Held: green only because tests or settings were changed: ');

    await person.looks();
    const { code, screen } = await person.does(/accept \S+/);
    expect(code, screen).toBe(0);
    expect(screen).toMatch(/outcome {5}completed \(exit 0\)/);
  });
});
