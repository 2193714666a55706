import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readJournalFile } from '../../src/adapters/journal/journal-file.ts';
import { run as recipe } from '../../src/recipes/run.ts';
import { bash, CLAIM, ends, limited, turn } from '../support/claude-script.ts';
import { linesOf, openCrashWorld } from '../support/crash-world.ts';
import { expectTheJournalToTellTheNextDecision } from '../support/next-decision.ts';
import { openStage, WORK } from '../support/stage.ts';
import { until } from '../support/until.ts';

/** The journal a real run left, and the types in it, so that each test can show what it was about. */
async function expectReplayed(runFolder: string): Promise<readonly string[]> {
  const events = await readJournalFile(join(runFolder, 'journal.jsonl'));
  const started = events[0]?.body;
  if (started?.type !== 'run.started') throw new Error('The journal does not begin with run.started.');
  expectTheJournalToTellTheNextDecision(recipe, events, started.settings);
  return events.map(({ body }) => body.type);
}

it('of a run that was red, and then green', async () => {
  await using world = await openCrashWorld();
  expect(await world.start().ended).toMatchObject({ code: 0 });
  expect(await expectReplayed(world.runFolder())).toContain('gates.judged');
});

it('of a run that was killed twice, and resumed', async () => {
  await using world = await openCrashWorld();
  await world.crash({ at: 5, mode: 'torn' });
  await world.crash({ at: 12, mode: 'after', resume: true });
  expect(await world.resume()).toMatchObject({ code: 0 });
  expect((await expectReplayed(world.runFolder())).filter((type) => type === 'run.resumed')).toHaveLength(2);
});

it('of a run that waited for a usage limit', async () => {
  await using stage = await openStage([limited(1_000), turn(bash(WORK), ...ends(CLAIM))]);
  const run = await stage.run();
  expect(run).toMatchObject({ code: 0, result: { iterations: 1, attempts: 2 } });
  expect(await expectReplayed(run.result?.run_folder ?? '')).toContain('attempt.ended');
});

it('of a run that was told to leave', async () => {
  await using world = await openCrashWorld();
  await world.hang('agent');
  const running = world.start();
  await until('the agent is at work', () => world.log().length === 1);
  running.child.kill('SIGTERM');
  await until('it has heard', () => linesOf(join(world.runFolder(), 'journal.jsonl')).some((line) => line.includes('operator.asked')));
  await world.release('agent');
  expect(await running.ended).toMatchObject({ code: 143 });
  expect(await expectReplayed(world.runFolder())).toContain('operator.asked');
});
