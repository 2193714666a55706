import { expect, it } from 'vitest';
import { eventsOf, finishes, openLoopStage, tries } from '../../support/loop-stage.ts';

/** Green only by the check that it changes itself. */
const held = finishes('echo other > work.txt; echo "grep -qs other work.txt" > check.sh');

it('a held claim whose files a later iteration broke is not what the run waits for, and can be accepted only with its files', async () => {
  await using stage = await openLoopStage([held, tries('rm work.txt')]);
  const run = await stage.loop('--max-iterations', '2');
  expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_iterations', done: false } });
  const [proof] = eventsOf(run, 'proof.judged');
  expect(proof).toMatchObject({ iteration: 1, verdict: 'held' });

  const id = `${run.result?.run_id}`;
  const refused = await stage.ralph('accept', id);
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/^error: the files are not those of the claim in iteration 1: work\.txt differ\nhint: Bring them back with: git restore/),
  });
  expect(eventsOf(refused, 'claim.allowed')).toEqual([]);

  stage.repo.git('restore', `--source=${proof?.['tree']}`, '--', '.');
  const accepted = await stage.ralph('accept', id, '--json');
  expect(accepted, accepted.stderr).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', done: true } });
});
