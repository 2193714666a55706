// Deep: twenty kills of a loop with eight workers take minutes; `npm test` has a night with one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';
import { until } from '../../support/until.ts';
import { eventsIn, expectAllDone, openWorkStage, type WorkStage } from '../../support/work-stage.ts';

const KILLS = 20;
const FILES = { '.gitattributes': 'all.txt merge=union\n', 'all.txt': '' };
/** Every task changes the same file, so each merge has a tree that no worker has judged. */
const AGENT = '[ -e "$id.txt" ] || { echo "$id" >>all.txt; work; }\nclaim';

/** Of all journals. The last line may be incomplete, since its loop is at work. */
function linesIn({ repo }: WorkStage): number {
  const runs = join(repo.path, '.git/ralph/runs');
  const journals = existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run, 'journal.jsonl')) : [];
  return journals.filter((file) => existsSync(file)).reduce((sum, file) => sum + readFileSync(file, 'latin1').split('\n').length - 1, 0);
}

it('eight workers whose loop is killed twenty times, wherever it is, merge every task once and leave nothing', { timeout: 900_000 }, async () => {
  const ids = Array.from({ length: 32 }, (_, index) => `T${index}`);
  await using temporary = await openThrowAwayFolder();
  await using stage = await openWorkStage(ids, AGENT, { files: FILES, env: { TMPDIR: temporary.path }, withinMs: 600_000 });
  let running = stage.begin('--workers', '8', '--proof', 'green');
  let kills = 0;
  for (; kills < KILLS; kills += 1) {
    const lines = linesIn(stage) + 2 + ((kills * 7) % 19);
    await until(`the journal has ${lines} lines`, () => running.child.exitCode !== null || linesIn(stage) >= lines, 60_000);
    if (running.child.exitCode !== null) break;
    await stage.kill(running);
    running = stage.start('work', '--resume', '--json');
  }
  const run = await stage.over(running);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect([kills, eventsIn(stage, 'run.resumed').length > KILLS / 2]).toEqual([KILLS, true]);
  expectAllDone(stage, ids);
  expect(readdirSync(temporary.path)).toEqual([]);
});
