import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repo } from './repo.ts';

/** A command that leaves a line behind, and where. */
export async function markerIn({ beside }: Pick<Repo, 'beside'>) {
  const file = join(beside, 'marker');
  const script = join(beside, 'evil.sh');
  await writeFile(script, `#!/bin/sh\necho "$0 $*" >> '${file}'\n[ -t 0 ] || cat\n`);
  await chmod(script, 0o755);
  return { script, ran: async () => await readFile(file, 'utf8').catch(() => '') };
}
