import { expect, it } from 'vitest';
import { planOf, taskOf } from '../../../test/support/plan-of.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import { registerName } from '../graph/standing.ts';
import type { Tasks } from './open-tasks.ts';
import { completeOnlyByPlan } from './read-tasks.ts';

it('marks a complete task as done before Ralph only if nobody ever held it', async () => {
  await using folder = await openThrowAwayFolder();
  const registers = openFileRegisters(folder.path);
  await registers.put(registerName('prd.json', 'merged'), 1, { state: 'done' });
  const plan = planOf([taskOf('before', { status: 'complete' }), taskOf('merged', { status: 'complete' }), taskOf('open')]);
  const place = { plan: { kind: 'prd', path: 'prd.json' } } as Tasks['place'];
  expect(await completeOnlyByPlan({ registers, place }, plan)).toEqual(new Set(['before']));
});
