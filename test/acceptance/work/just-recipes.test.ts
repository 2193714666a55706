import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram, loadCommands } from '../../../src/cli/program.ts';
import { whyNotParsed } from '../../docs/parse-command.ts';
import { deepRows } from '../../support/deep.ts';
import { type Just, justIn, justIsMissing } from '../../support/just.ts';
import { openGitPlace, type Place } from '../../support/place.ts';

const commands = await loadCommands();

/** Words that survive only if no shell expands them twice. */
const ODD = 'it\'s $HOME "x"';

/** Each recipe, its arguments, and the resulting ralph command. */
const RECIPES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['ralph', ['--plan', ODD], ['work', '--prompt-command', 'just prompt --claim', '--plan', ODD]],
  ['ralph-story', ['S-005', '--plan', ODD], ['work', '--story', 'S-005', '--prompt-command', "just prompt --claim --story 'S-005'", '--plan', ODD]],
  ['prompt', ['--claim', ODD], ['task', 'prompt', '--claim', ODD]],
  ['prompt-current', [], ['task', 'prompt', '--current']],
  ['dag-status', ['--story', ODD], ['task', 'list', '--story', ODD]],
  ['dag-refresh', ['--plan', ODD], ['task', 'check', '--plan', ODD]],
  ['task-complete', [ODD, '--force'], ['task', 'complete', ODD, '--force']],
  ['task-reset', [ODD], ['task', 'reset', ODD]],
  ['task-audit', ['-n', '5'], ['task', 'audit', '-n', '5']],
  ['ralph-status', ['--json'], ['status', '--json']],
  ['ralph-logs', ['--json'], ['logs', '-f', '--json']],
  ['worktree-new', [ODD], ['worktree', 'new', ODD]],
  ['worktree-list', ['--json'], ['worktree', 'list', '--json']],
  ['worktree-remove', [ODD], ['worktree', 'remove', '--branch', ODD]],
  ['worktree-remove-force', [ODD], ['worktree', 'remove', '--force', ODD]],
];
const NAMES = RECIPES.map(([name]) => name);

const GRAPH = `version: "1.0"
nodes:
  - {id: T-1, title: First, description: Write one., priority: 1, status: pending, output: one.txt}
  - {id: T-2, title: Second, description: Write two., priority: 1, status: pending, output: two.txt}
edges:
  - {from: T-1, to: T-2}
`;

interface JustPlace extends Place {
  readonly just: Just;
}

async function openJustPlace(files: Readonly<Record<string, string>> = {}): Promise<JustPlace> {
  const place = await openGitPlace();
  for (const [name, content] of Object.entries(files)) await place.write(name, content);
  await place.ralph(['init', '--just']);
  place.git('config', 'user.name', 't');
  place.git('config', 'user.email', 't@example.com');
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'ready');
  return { ...place, just: justIn(place.path, place.beside) };
}

describe.skipIf(justIsMissing())('the recipes for just', { concurrent: true }, () => {
  it('are those of the seed, each with a description', async () => {
    await using place = await openJustPlace();
    const { code, stdout } = await place.just.run(['--list', '--unsorted', '--list-heading', '']);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(NAMES);
    for (const line of lines) expect(line).toMatch(/ # [A-Z].+/);
  });

  it.each(deepRows('each of them is run below', RECIPES, 3))('can be shown without being run: %s', async (recipe, args) => {
    await using place = await openJustPlace();
    const { code, stderr } = await place.just.run(['--dry-run', recipe, ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^(shift; )?ralph [a-z]+ /) });
  });

  it.each(RECIPES)('call existing commands and pass on their arguments: %s', async (recipe, args, expected) => {
    await using place = await openJustPlace();
    const echo = join(place.beside, 'echo.mjs');
    await writeFile(echo, 'process.stdout.write(JSON.stringify(process.argv.slice(2)));\n');
    const { code, stdout } = await place.just.run([recipe, ...args], { RALPH_COMMAND: `node ${echo}` });
    expect([code, JSON.parse(stdout)]).toEqual([0, expected]);
    expect(whyNotParsed(buildProgram(commands), expected)).toBeNull();
  });

  it('can be imported into an existing justfile', async () => {
    await using place = await openJustPlace({ justfile: 'build:\n    echo built\n' });
    await writeFile(join(place.path, 'justfile'), `import 'ralph.just'\n${await readFile(join(place.path, 'justfile'), 'utf8')}`);
    const { code, stdout } = await place.just.run(['--summary']);
    expect(code).toBe(0);
    expect(stdout.trim().split(' ').sort()).toEqual(['build', ...NAMES].sort());
  });

  it('create, list and remove worktrees', async () => {
    await using place = await openJustPlace();
    const { run } = place.just;
    const root = `${place.path}.ralph`;
    const made = [await run(['worktree-new', 'one']), await run(['worktree-new', 'two'])];
    const [bad, again] = [await run(['worktree-new', 'a b']), await run(['worktree-new', 'one'])];
    await writeFile(join(root, 'two', 'new.txt'), '');
    const listed = await run(['worktree-list']);
    const [removed, kept] = [await run(['worktree-remove', 'one']), await run(['worktree-remove', 'two'])];
    const forced = await run(['worktree-remove-force', 'two']);

    expect(made.map(({ code }) => code)).toEqual([0, 0]);
    expect([bad.code, again.code]).toEqual([2, 4]);
    expect(listed.stdout).toMatch(/^one .* clean +0 ahead +-\ntwo .* dirty +0 ahead +-$/m);
    expect(removed).toMatchObject({ code: 0, stdout: `Removed ${join(root, 'one')}\n` });
    expect(kept).toMatchObject({ code: 4, stderr: expect.stringContaining('Not committed: new.txt\n') });
    expect(kept.stderr.trimEnd().split('\n')).toHaveLength(2);
    expect(forced).toMatchObject({ code: 0, stdout: `Removed ${join(root, 'two')}; branch ralph/two is kept\n` });
    expect(existsSync(root)).toBe(false);
  });

  it('show, claim, complete and reset tasks', async () => {
    await using place = await openJustPlace({ 'task-graph.yaml': GRAPH });
    const { run } = place.just;
    const [checked, shown, none] = [await run(['dag-refresh']), await run(['prompt']), await run(['prompt-current'])];
    const [claimed, current, empty] = [await run(['prompt', '--claim']), await run(['prompt-current']), await run(['prompt', '--claim'])];
    const unproven = await run(['task-complete', 'T-1']);
    await place.write('one.txt', 'one\n');
    place.git('add', '-A');
    place.git('commit', '-q', '-m', 'one');
    const completed = await run(['task-complete', 'T-1']);
    const [second, reset, status, audit] = [
      await run(['prompt', 'T-2', '--claim']),
      await run(['task-reset', 'T-2']),
      await run(['dag-status']),
      await run(['task-audit']),
    ];

    expect(checked.code).toBe(0);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('Your task: T-1') });
    expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('No task is claimed') });
    expect(claimed).toMatchObject({ code: 0, stdout: expect.stringContaining('Your task: T-1'), stderr: expect.stringContaining('✓ Claimed task: T-1') });
    expect(current).toMatchObject({ code: 0, stdout: claimed.stdout });
    expect(empty).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('No tasks available.'),
      stderr: expect.stringMatching(/^\{.*"reason":"all-claimed"/),
    });
    expect(unproven.code).not.toBe(0);
    expect(completed).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ T-1 marked complete') });
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('Your task: T-2') });
    expect(reset).toMatchObject({ code: 0, stdout: expect.stringContaining('T-2 reset to ready') });
    expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(/T-1[^\n]*complete.*T-2[^\n]*ready/s) });
    expect(audit).toMatchObject({ code: 0, stdout: expect.stringMatching(/claimed: T-1.*completed: T-1.*reset: T-2/s) });
  });

  it('work through a plan', async () => {
    await using place = await openJustPlace({ 'task-graph.yaml': GRAPH });
    const agent = join(place.beside, 'agent.sh');
    await writeFile(agent, 'case $RALPH_TASK_ID in T-1) echo 1 > one.txt;; T-2) echo 2 > two.txt;; esac\nralph task complete "$RALPH_TASK_ID"\n');
    const worked = await place.just.run(['ralph', '--agent', `sh ${agent}`, '--pause', '0s', '--json']);
    const status = await place.just.run(['dag-status']);

    expect({ code: worked.code, stderr: worked.stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(worked.stdout)).toMatchObject({ stop_reason: 'completed' });
    expect(status.stdout).toMatch(/T-1[^\n]*complete.*T-2[^\n]*complete/s);
    expect(existsSync(join(place.path, 'two.txt'))).toBe(true);
  });
});
