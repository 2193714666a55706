import { stat, writeFile } from 'node:fs/promises';
import { until } from './until.ts';

/** File systems count time in ticks: waits until a change of this file could not look as old as its last one. */
export async function tickOfTheDisk(path: string): Promise<void> {
  const { ctimeNs } = await stat(path, { bigint: true });
  await until('the clock of the file system has gone on', async () => {
    await writeFile(`${path}.clock`, '');
    return (await stat(`${path}.clock`, { bigint: true })).ctimeNs > ctimeNs;
  });
}
