import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

it('the demo refuses a claim, feeds the guardrail back, ends proven, and leaves nothing', async () => {
  await using home = await openThrowAwayFolder();
  const { code, stderr } = await ralph(['demo', '--fast'], { cwd: home.path, env: { TMPDIR: home.path } });
  expect(code, stderr).toBe(0);
  const inOrder = [
    '=== Ralph iteration 1/5 ===',
    '<response>DONE</response>',
    'Guardrail end: node --test (exit 1, action=APPEND)',
    'Claim "DONE" not accepted: the guardrail is red.',
    '=== Ralph iteration 2/5 ===',
    'The guardrail names 2 failing tests. One thing at a time: "adds the parts of 1h30m" first.',
    'Guardrail end: node --test (exit 1, action=APPEND)',
    '=== Ralph iteration 3/5 ===',
    'The guardrail names one failing test: "refuses what is not a duration".',
    'Guardrail end: node --test (exit 0)',
    'All guardrails passed',
    'Completion response matched',
    'proven by: node --test',
    'src/duration.js |',
    'ralph run --agent claude --guardrail "npm test"',
  ];
  let at = 0;
  for (const line of inOrder) {
    const found = stderr.indexOf(line, at);
    expect(found, `${line}\nis not where it should be in\n${stderr}`).toBeGreaterThanOrEqual(at);
    at = found + line.length;
  }
  expect((await readdir(home.path)).filter((name) => name.startsWith('ralph-demo-'))).toEqual([]);
});
