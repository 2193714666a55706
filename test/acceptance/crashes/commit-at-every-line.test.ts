import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type CrashWorld, linesOf, openCrashWorld } from '../../support/crash-world.ts';
import { deep } from '../../support/deep.ts';
import type { Crash } from '../../support/dying-ralph.ts';
import { until } from '../../support/until.ts';

vi.setConfig({ maxConcurrency: 3 });

/** The journal of the second, green iteration of a run that is not killed. */
const walk = [
  'effect.begun run-gates',
  'gates.judged',
  'effect.begun prove',
  'proof.judged',
  'effect.begun run-agent',
  'attempt.spawned',
  'attempt.ended',
  'effect.begun commit',
  'commit.made',
  'effect.begun run-command',
  'command.ended',
  'iteration.closed',
  'effect.begun write-receipt',
  'receipt.written',
  'run.stopped',
];
/** The number of lines before it. */
const before = 14;

const rows = walk.flatMap((line, index) => (['before', 'after', 'torn'] as const).map((mode) => ({ line, at: before + index + 1, mode })));
const isOver = ({ at, mode }: Crash) => at === before + walk.length && mode === 'after';

const typesOf = (world: CrashWorld) =>
  linesOf(join(world.runFolder(), 'journal.jsonl')).map((line) => {
    const { type, effect } = JSON.parse(line);
    return effect ? `${type} ${effect.kind}` : type;
  });

/** One commit with the message of the agent, locally and at the remote; nothing else has changed, and nothing is still running. */
async function expectOneCommit(world: CrashWorld): Promise<void> {
  expect(world.git('log', '--format=%s', '--reverse')).toBe('start\nsettings\nTake step 2');
  expect(world.git('log', '--format=%s', '--reverse', 'origin/main')).toBe('start\nsettings\nTake step 2');
  expect(world.git('show', '--name-only', '--format=', 'HEAD').split('\n')).toEqual(['step-1.txt', 'step-2.txt']);
  expect(world.git('status', '--porcelain')).toBe('');
  await until('nothing runs any more', () => world.processes().length === 0);
}

deep('each line is killed in process in test/crashes/, the telling ones for real in real-kills.test.ts', () => {
  it('a run that is not killed writes the lines of this table', async () => {
    await using world = await openCrashWorld({ commits: true });
    expect(await world.start().ended).toMatchObject({ code: 0 });
    expect(typesOf(world).slice(before)).toEqual(walk);
    await expectOneCommit(world);
  });

  describe.concurrent('a crash commits nothing twice and loses no commit:', () => {
    it.for(rows.filter((row) => !isOver(row)).map((row) => [`${row.line}, killed ${row.mode}`, row] as const))('%s', async ([, row]) => {
      await using world = await openCrashWorld({ commits: true });
      await world.crash({ at: row.at, mode: row.mode });
      const { code, stderr } = await world.resume();
      expect({ code, stderr }).toMatchObject({ code: 0 });
      await expectOneCommit(world);
    });
  });
});
