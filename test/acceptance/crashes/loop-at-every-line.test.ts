import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type CrashWorld, LOOP_FILES, linesOf, openCrashWorld } from '../../support/crash-world.ts';
import { deep } from '../../support/deep.ts';
import type { Crash } from '../../support/dying-ralph.ts';
import { receiptFrom } from '../../support/receipt-from.ts';
import { until } from '../../support/until.ts';

vi.setConfig({ maxConcurrency: 3 });

/** The journal of a loop with all proofs that is not killed. Its first agent changes protected paths, its second one does the work. */
const walk = [
  'run.started',
  'effect.begun run-gates start',
  'gates.judged start',
  'effect.begun find-living',
  'living.found',
  'iteration.opened',
  'effect.begun run-agent',
  'attempt.spawned',
  'attempt.ended',
  'effect.begun put-back',
  'paths.restored',
  'effect.begun run-gates workspace',
  'gates.judged workspace',
  'iteration.closed',
  'iteration.opened',
  'effect.begun run-agent',
  'attempt.spawned',
  'attempt.ended',
  'effect.begun put-back',
  'paths.restored',
  'effect.begun run-gates workspace',
  'gates.judged workspace',
  'effect.begun run-gates clean',
  'gates.judged clean',
  'effect.begun prove',
  'proof.judged',
  'effect.begun commit',
  'commit.made',
  'iteration.closed',
  'effect.begun write-receipt',
  'receipt.written',
  'run.stopped',
];

/** Lines at which something is begun but not done, done but not recorded, or half recorded. */
const modesOf = (line: string): readonly Crash['mode'][] => {
  if (line.startsWith('effect.begun')) return ['after'];
  return ['paths.restored', 'receipt.written'].includes(line) ? ['before', 'torn'] : ['before'];
};
/** Another test covers the lines up to the end of an agent: run-at-every-line.test.ts. */
const isKnownElsewhere = (line: string, index: number) => index < 3 || line === 'iteration.opened' || line === 'attempt.spawned' || line.endsWith('run-agent');
const rows = walk.flatMap((line, index) => (isKnownElsewhere(line, index) ? [] : modesOf(line).map((mode) => ({ line, at: index + 1, mode }))));

const eventsOf = (world: CrashWorld): readonly Record<string, unknown>[] => linesOf(join(world.runFolder(), 'journal.jsonl')).map((line) => JSON.parse(line));
const nameOf = ({ type, effect, where }: Record<string, unknown>) =>
  [type, (effect as { kind?: string })?.kind, (effect as { where?: string })?.where ?? where].filter(Boolean).join(' ');

/** One commit of the green iteration with its receipt; Ralph has reverted and reported the cheat; no file of ours is left. */
async function expectProven(world: CrashWorld): Promise<void> {
  const events = eventsOf(world);
  expect(events.filter(({ type }) => type === 'iteration.closed').map(({ iteration, result }) => `${iteration} ${result}`)).toEqual(['1 red', '2 green']);
  const restored = events.filter(({ type, paths }) => type === 'paths.restored' && (paths as readonly string[]).length > 0);
  expect(restored).toMatchObject([{ iteration: 1, paths: ['check.sh'] }]);
  expect(world.git('show', `${restored[0]?.['kept']}:check.sh`)).toBe('true');
  expect(world.git('log', '--format=%s', '--reverse')).toBe('start\nIteration 2: Do the work.');
  expect(world.git('show', 'HEAD:check.sh')).toBe(LOOP_FILES['check.sh'].trim());
  expect(world.git('status', '--porcelain')).toBe('');
  const note = world.git('notes', '--ref=ralph', 'show', 'HEAD');
  expect(readFileSync(join(world.runFolder(), 'receipt.json'), 'utf8').trim()).toBe(note);
  expect(receiptFrom(note)).toMatchObject({
    commit: world.git('rev-parse', 'HEAD'),
    tree: world.git('rev-parse', 'HEAD^{tree}'),
    where: 'clean',
    iterations: 2,
    checks: [{ command: 'sh check.sh', exit_code: 0, was_red: true }],
  });
  expect(world.git('worktree', 'list').split('\n')).toHaveLength(1);
  await until('nothing runs any more', () => world.processes().length === 0);
}

deep('each line is killed in process in test/crashes/, the telling ones for real in real-kills.test.ts', () => {
  it('a loop that is not killed writes the lines of this table', async () => {
    await using world = await openCrashWorld({ loop: true });
    const run = await world.start().ended;
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(eventsOf(world).map(nameOf)).toEqual(walk);
    await expectProven(world);
  });

  describe.concurrent('a crash neither loses nor repeats a proof:', () => {
    it.for(rows.map((row) => [`${row.at} ${row.line}, killed ${row.mode}`, row] as const))('%s', async ([, row]) => {
      await using world = await openCrashWorld({ loop: true });
      await world.crash({ at: row.at, mode: row.mode });
      const { code, stderr } = await world.resume();
      expect({ code, stderr }).toMatchObject({ code: 0 });
      await expectProven(world);
    });
  });
});
