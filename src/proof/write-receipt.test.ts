import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planWith } from '../../test/support/json-plan.ts';
import { openedGit } from '../../test/support/opened-git.ts';
import { openWorkStage } from '../../test/support/plan-stage.ts';
import { never } from '../../test/support/process-request.ts';
import { receiptFrom } from '../../test/support/receipt-from.ts';
import type { WriteReceipt } from '../journal/effects/effect.ts';
import { writeReceipt } from './write-receipt.ts';

function writing(id: string, commit: string): WriteReceipt {
  const merged = { id, plan: 'plan.json', base: 'main', taken_from: 'b', onto: 'b', judged_tree: 't', may_change: [] };
  const told = { version: 1, run: 'run-1', ralph: '1.0.0', task: id, commit, tree: 't', merged, where: 'merged', checks: [] } as const;
  const receipt = { ...told, checks: [], agent: 'claude', model: null, cost_usd: null, iterations: 1, written_at: 0 };
  return { kind: 'write-receipt', key: 'receipt:1', iteration: 1, attempt: 0, receipt };
}

const ODD = ['../../escaped', 'a/b', 'a b', 'a-b', '.', 'receipt.lock', '__proto__', 'ü', 'x'.repeat(300)];

it("each task has its own receipt below the run's folder, whatever its name is, and writing it twice keeps one", async () => {
  const stage = await openWorkStage(planWith());
  const ports = { ...stage.ports, history: (await openedGit(stage.repo.path)).history };
  const head = stage.repo.git('rev-parse', 'HEAD');
  for (const id of [...ODD, ...ODD]) {
    const fact = await writeReceipt.perform(writing(id, head), ports, async () => undefined, never);
    expect(fact).toMatchObject({ task: id, commit: head });
  }
  const folder = join(ports.place.runFolder, 'receipts');
  const files = await readdir(folder);
  const ids = await Promise.all(files.map(async (file) => receiptFrom(await readFile(join(folder, file), 'utf8')).merged?.id));
  expect(ids.toSorted()).toEqual(ODD.toSorted());
  expect(await readdir(stage.repo.beside)).not.toContain('escaped.json');
});

it('the receipt of a task is kept if git cannot note it, and the run continues', async () => {
  const stage = await openWorkStage(planWith());
  const ports = { ...stage.ports, history: (await openedGit(stage.repo.path)).history };
  const fact = await writeReceipt.perform(writing('a', '0'.repeat(40)), ports, async () => undefined, never);
  expect(fact).toMatchObject({ commit: null, why_no_note: expect.stringContaining('there is no commit 0000') as string });
  expect(await readdir(join(ports.place.runFolder, 'receipts'))).toEqual(['a.json']);
});
