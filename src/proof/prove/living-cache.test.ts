import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testSettings } from '../../../test/support/run-settings.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec, RunSettings } from '../../settings/schema/run-settings.ts';
import { openLivingCache } from './living-cache.ts';

const gate: GateSpec = { command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 1_000 };
const life: GateLife = { command: 'npm test', state: 'living', files: ['a.test.js'], half: [], tests: 3, why: '' };

const openPlace = async () => {
  const folder = await openThrowAwayFolder();
  const [workspace, home] = [join(folder.path, 'work'), join(folder.path, 'home')];
  mkdirSync(join(workspace, 'node_modules'), { recursive: true });
  const settings = testSettings();
  const open = (over: Partial<RunSettings> = {}, tree = 't1') => {
    const ports = { place: { runFolder: join(home, 'runs/r1'), workspace }, settings: { ...settings, ...over } } as unknown as Ports;
    return openLivingCache({ tree, below: '' }, ports);
  };
  return { workspace, settings, open, file: join(home, 'cache/living.json'), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
};

it('the living cache finds a gate only on the same tree, with the same settings and the same packages', async () => {
  await using place = await openPlace();
  const { open, workspace, settings, file } = place;
  expect(open().find(gate)).toBeNull();
  await open().keep([{ gate, life }]);
  expect(open().find(gate)).toEqual(life);
  expect(readFileSync(file, 'utf8')).not.toContain('npm test');
  expect(open({}, 't2').find(gate)).toBeNull();
  expect(open().find({ ...gate, command: 'npm run all' })).toBeNull();
  expect(open().find({ ...gate, timeoutMs: 2_000 })).toBeNull();
  expect(open({ wall: { ...settings.wall, gates: 'host' } }).find(gate)).toBeNull();
  writeFileSync(join(workspace, 'node_modules/.package-lock.json'), '{}');
  expect(open().find(gate)).toBeNull();
});

it('the living cache keeps only living gates, a limited number of them, and ignores a broken file', async () => {
  await using place = await openPlace();
  const { open, file } = place;
  await open().keep([
    { gate, life: { ...life, state: 'dead', files: [] } },
    { gate: { ...gate, command: 'b' }, life: { ...life, state: 'unknown', files: [] } },
  ]);
  expect([open().find(gate), open().find({ ...gate, command: 'b' })]).toEqual([null, null]);
  for (let n = 0; n < 45; n += 1) await open({}, `t${n}`).keep([{ gate, life }]);
  expect([open({}, 't0').find(gate), open({}, 't44').find(gate)]).toEqual([null, life]);
  const many = Array.from({ length: 3_000 }, (_, n) => `a/rather/long/path/of/a/test/that/lies/deep/${n}.test.js`);
  for (let n = 0; n < 9; n += 1) await open({}, `big${n}`).keep([{ gate, life: { ...life, files: many } }]);
  expect(readFileSync(file, 'utf8').length).toBeLessThan(1_000_000);
  expect(open({}, 'big8').find(gate)).not.toBeNull();
  writeFileSync(file, '[{"key": 1}]');
  expect(open({}, 'big8').find(gate)).toBeNull();
  await open().keep([{ gate, life }]);
  expect(open().find(gate)).toEqual(life);
});
