import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const tools = fileURLToPath(new URL('../../scripts/install-test-tools.mjs', import.meta.url));

/** For `describe.skipIf(bubblewrapIsMissing())`: without it CI fails, and anybody else is told in one loud line. */
export function bubblewrapIsMissing(): boolean {
  const { stderr } = spawnSync(process.execPath, [tools, '--check'], { encoding: 'utf8' });
  const sentence = stderr.trim();
  if (sentence === '') return false;
  if (process.env['CI']) throw new Error(sentence);
  console.warn(`!!! SKIPPED, ${sentence}`);
  return true;
}
