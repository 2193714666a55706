// What does not fit into `npm test`: many more random runs of the engine, and a flood of 1 GB.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const files = ['drive.property.test.ts', 'run-process-output.test.ts'];
const args = [vitest, 'run', '--project', 'world', '--testTimeout', '1200000', ...files];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, RALPH_TEST_LONG: '1' } }).status ?? 1;
