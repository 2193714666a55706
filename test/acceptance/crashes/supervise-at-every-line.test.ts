import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readJournalFile } from '../../../src/store/journal-file.ts';
import { deep, isDeep } from '../../support/deep.ts';
import type { Crash } from '../../support/dying-ralph.ts';
import { eventsIn, openSuperviseStage, type SuperviseStage } from '../../support/supervise-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

/** Claims to be done at once, and does the work only after that was refused. It is safe to run again. */
const AGENT = '[ ! -e "$TASK_FOLDER/DONE.refused-1" ] || : >"$here/work"\n: >"$TASK_FOLDER/DONE"';
/** Periodic observations are turned off, so that every run writes the same lines. */
const flags = (stage: SuperviseStage) => ['--check', `test -e ${join(stage.beside, 'work')}`, '--poll-interval', '1h'];

/** look-at-task is not included, because it changes nothing. */
const FACTS = ['attempt.ended', 'gates.judged', 'done.refused', 'posted'];
const moments = { before: 'before it is written', after: 'after it is written', torn: 'in the middle of writing it' } as const;

/** The journal of a run that is not killed. */
const walk = isDeep
  ? await (async () => {
      await using stage = await openSuperviseStage(AGENT);
      await stage.supervise(...flags(stage));
      return stage.journal().map(({ type, key }) => `${type}${key === undefined ? '' : ` ${key}`}`);
    })()
  : [];

/** After every line, and at effects that have happened but are not recorded. Half a line counts as none. */
const rows = walk.flatMap((line, index) => {
  const isFact = FACTS.includes(line.split(' ')[0] ?? '');
  const modes: readonly Crash['mode'][] = !isFact ? ['after'] : process.env['RALPH_TEST_LONG'] === '1' ? ['before', 'after', 'torn'] : ['before', 'after'];
  return modes.map((mode) => [`${index + 1}, ${line}: killed ${moments[mode]}`, { at: index + 1, mode }] as const);
});
const [ending, survived] = [rows.filter(([, { at }]) => at === walk.length), rows.filter(([, { at }]) => at < walk.length)];

/** No torn line, no gap, no decreasing time. */
async function expectWholeJournal(stage: SuperviseStage, runFolder: string): Promise<void> {
  const lines = stage.journal();
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect(lines.map(({ at }) => Number(at))).toEqual(lines.map(({ at }) => Number(at)).sort((a, b) => a - b));
  await readJournalFile(join(runFolder, 'journal.jsonl'));
}

/** The journal, the result and the one message to the project agree, and no attempt was repeated. */
function expectEveryLifeCounted(stage: SuperviseStage, restarts: number): void {
  const charged = eventsIn(stage, 'iteration.closed').filter(({ result }) => result !== 'abandoned');
  expect(restarts).toBe(charged.length);
  expect(new Set(stage.lives()).size).toBe(stage.lives().length);
  expect(stage.projectMessages().map(({ header }) => header)).toEqual([expect.stringContaining(`"restarts":"${restarts}"`)]);
}

deep('each line is killed in process in test/crashes/, the telling ones for real in real-kills.test.ts', () => {
  it('a run that is not killed starts its agent twice, refuses DONE once and posts to the project once', () => {
    const kinds = walk.map((line) => line.split(' ')[0]);
    expect(kinds.filter((kind) => kind === 'attempt.ended')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'done.refused')).toHaveLength(1);
    expect(kinds.slice(-3)).toEqual(['effect.begun', 'posted', 'run.stopped']);
  });

  describe.concurrent('the task survives a crash of the supervisor at line', () => {
    it.each(survived)('%s', async (_, crash) => {
      await using stage = await openSuperviseStage(AGENT);
      await stage.crash(crash, ...flags(stage));
      const run = await stage.ralph('runs', 'resume', '--json');

      expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, unproven: false } });
      await expectWholeJournal(stage, run.result?.run_folder ?? '');
      expectEveryLifeCounted(stage, run.result?.restarts ?? Number.NaN);
      expect(readdirSync(stage.task).filter((name) => name.startsWith('DONE'))).toEqual(['DONE', 'DONE.refused-1']);
      expect(existsSync(join(stage.beside, 'work'))).toBe(true);
    });

    it.each(ending)('%s; then there is nothing to resume', async (_, crash) => {
      await using stage = await openSuperviseStage(AGENT);
      await stage.crash(crash, ...flags(stage));
      const refused = await stage.ralph('runs', 'resume', String(eventsIn(stage, 'run.started')[0]?.['run']), '--json');

      expect(refused, refused.stderr).toMatchObject({ code: 2, result: { stop_reason: 'fatal' } });
      expect(refused.stderr).toMatch(/^error: run \S+ is done \(completed\); there is nothing to resume\n/);
      expect(stage.projectMessages()).toHaveLength(1);
    });
  });
});
