import { join } from 'node:path';
import type { EffectHandler } from '../engine/contracts.ts';
import type { WriteReceipt } from '../journal/effects/effect.ts';
import { writeAtomic } from '../kit/files/write.ts';
import { gitMust } from '../workspace/effects/scm-place.ts';

/** In the run's folder always; as a note of the commit where there is one that holds the proven tree. Written twice it is written once. */
export const writeReceipt: EffectHandler<WriteReceipt> = {
  async perform({ key, receipt }, { history, place }) {
    const file = join(place.runFolder, 'receipt.json');
    const text = `${JSON.stringify(receipt, null, 2)}\n`;
    await writeAtomic(file, text);
    const { commit } = receipt;
    if (commit !== null) await gitMust('note the receipt', () => history.writeNote(commit, text));
    return { type: 'receipt.written', key, file, commit };
  },

  find: async () => null,
};
