import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

it('the demo refuses a claim, catches a cheat, ends proven, and leaves nothing', async () => {
  await using home = await openThrowAwayFolder();
  const { code, stderr } = await ralph(['demo', '--fast'], { cwd: home.path, env: { TMPDIR: home.path } });
  expect(code, stderr).toBe(0);
  const inOrder = [
    '=== Ralph iteration 1/5 ===',
    '<response>DONE</response>',
    'Guardrail end: node --test (exit 1, action=APPEND)',
    'Claim "DONE" not accepted: the check is red.',
    '=== Ralph iteration 2/5 ===',
    'The check names 2 failing tests. I know a short way to a green check.',
    'Guardrail end: node --test (exit 0)',
    'Dead check: `node --test` stays green with failures planted in test/duration.test.js',
    '=== Ralph iteration 3/5 ===',
    'Guardrail end: node --test (exit 0)',
    'Proven (living)',
    'Completion response matched',
    'proven by: node --test',
    'not believed: it stays green when tests fail',
    'src/duration.js |',
    'ralph run "Make the tests pass, then answer DONE" --agent claude --check "npm test"',
  ];
  let at = 0;
  for (const line of inOrder) {
    const found = stderr.indexOf(line, at);
    expect(found, `${line}\nis not where it should be in\n${stderr}`).toBeGreaterThanOrEqual(at);
    at = found + line.length;
  }
  expect((await readdir(home.path)).filter((name) => name.startsWith('ralph-demo-'))).toEqual([]);
});
