import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLAIM, ends, turn } from '../support/claude-script.ts';
import { openStage } from '../support/stage.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

it('serial gates of two runs never run at the same time', async () => {
  await using shared = await openThrowAwayFolder();
  const log = join(shared.path, 'log');
  const command = `echo in >> ${log}; sleep 1; echo out >> ${log}`;
  const props = { gate: null, settings: { guardrails: [{ command, serial: true }] } };
  await using one = await openStage([turn(...ends(CLAIM))], props);
  await using other = await openStage([turn(...ends(CLAIM))], props);
  const flags = ['--no-sandbox', '--proof', 'off'];
  const runs = await Promise.all([one.run(...flags), other.run(...flags)]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(readFileSync(log, 'utf8')).toBe('in\nout\nin\nout\n');
});
