import { dirname, join } from 'node:path';
import type { EffectHandler } from '../engine/contracts.ts';
import type { WriteReceipt } from '../journal/effects/effect.ts';
import { taskOfReceipt } from '../journal/words/receipt.ts';
import { makeFoldersBelow, writeAtomic } from '../kit/files/write.ts';
import { oneLine } from '../kit/pure/text.ts';
import { taskSlug } from '../plans/graph/task-slug.ts';
import { gitMust } from '../workspace/effects/scm-place.ts';

/** The folder of the receipts of a run with a plan: one file for each merged task, or for each story that has passed. */
export const TASK_RECEIPTS = 'receipts';

/** Its path in the folder of its run, whatever the task is called. */
export const receiptFile = (task: string | undefined) => (task === undefined ? 'receipt.json' : join(TASK_RECEIPTS, `${taskSlug(task)}.json`));

/** Writes the receipt to the run's folder, and as a note if a commit has the proven tree. It is safe to repeat. */
export const writeReceipt: EffectHandler<WriteReceipt> = {
  async perform({ key, receipt }, { history, place, sign }) {
    const task = taskOfReceipt(receipt);
    const file = join(place.runFolder, receiptFile(task));
    const { text, signedBy, why } = await sign(receipt);
    await makeFoldersBelow(place.runFolder, dirname(file), 0o700);
    await writeAtomic(file, text);
    const fact = { type: 'receipt.written' as const, key, file, signed_by: signedBy, ...(signedBy === null && { why_unsigned: why }) };
    const { commit } = receipt;
    const note = () => (commit === null ? Promise.resolve() : history.writeNote(commit, text));
    if (task !== undefined) return { ...fact, task, ...(await notedOrWhyNot(commit, note)) };
    await gitMust('note the receipt', note);
    return { ...fact, commit };
  },

  find: async () => null,
};

/** The other tasks must not wait for notes that git cannot write. */
async function notedOrWhyNot(commit: string | null, note: () => Promise<void>): Promise<{ readonly commit: string | null; readonly why_no_note?: string }> {
  try {
    await note();
    return { commit };
  } catch (error) {
    return { commit: null, why_no_note: oneLine((error as Error).message) };
  }
}
