// npm run test:agents: the real agents, installed if need be, against the scripted model server. --few skips the deep tests, unless
// RALPH_TEST_ALL says otherwise. Further arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function nodeOrExit(args, env = {}) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}

const args = process.argv.slice(2).filter((arg) => arg !== '--few');
const deepToo = process.argv.includes('--few') ? {} : { RALPH_TEST_ALL: '1' };
nodeOrExit([join(root, 'scripts', 'install-agents.mjs')]);
nodeOrExit([join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'agents', ...args], { RALPH_REQUIRE_AGENTS: '1', ...deepToo });
