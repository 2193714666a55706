// npm run test:agents: the real agents, installed if need be, against the scripted model server. Further arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function nodeOrExit(args, env = {}) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}

nodeOrExit([join(root, 'scripts', 'install-agents.mjs')]);
nodeOrExit([join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'agents', ...process.argv.slice(2)], { RALPH_REQUIRE_AGENTS: '1' });
