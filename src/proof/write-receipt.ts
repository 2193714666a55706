import { dirname, join } from 'node:path';
import type { EffectHandler } from '../engine/contracts.ts';
import type { WriteReceipt } from '../journal/effects/effect.ts';
import { makeFoldersBelow, writeAtomic } from '../kit/files/write.ts';
import { oneLine } from '../kit/pure/text.ts';
import { taskSlug } from '../plans/graph/task-slug.ts';
import { gitMust } from '../workspace/effects/scm-place.ts';

/** Of a run with a plan: a file for each task that was merged. */
export const TASK_RECEIPTS = 'receipts';

/** Where it lies in the folder of its run, whatever the task is called. */
export const receiptFile = (task: string | undefined) => (task === undefined ? 'receipt.json' : join(TASK_RECEIPTS, `${taskSlug(task)}.json`));

/** In the run's folder always; as a note of the commit where there is one that holds the proven tree. Written twice it is written once. */
export const writeReceipt: EffectHandler<WriteReceipt> = {
  async perform({ key, receipt }, { history, place, sign }) {
    const task = receipt.merged?.id;
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

/** The other tasks of a crew must not wait for notes that git cannot write. */
async function notedOrWhyNot(commit: string | null, note: () => Promise<void>): Promise<{ readonly commit: string | null; readonly why_no_note?: string }> {
  try {
    await note();
    return { commit };
  } catch (error) {
    return { commit: null, why_no_note: oneLine((error as Error).message) };
  }
}
