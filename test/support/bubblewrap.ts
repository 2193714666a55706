import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { skipLoudly } from './skip-loudly.ts';

const tools = fileURLToPath(new URL('../../scripts/install-test-tools.mjs', import.meta.url));

/** For `describe.skipIf(bubblewrapIsMissing())`: without it CI fails; elsewhere a loud line reports the skip. */
export function bubblewrapIsMissing(): boolean {
  const { stderr } = spawnSync(process.execPath, [tools, '--check'], { encoding: 'utf8' });
  return skipLoudly(stderr.trim() || null);
}
