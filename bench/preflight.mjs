// The time of `ralph doctor` with a warm agent, without a sandbox and through the os sandbox, beside that of a bare start of the program. --check fails if
// the goal is missed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurn } from './in-turn.mjs';
import { CLI, report } from './measure.mjs';

const ROUNDS = 15;
const TEST_TOOLS = fileURLToPath(new URL('../scripts/install-test-tools.mjs', import.meta.url));
const GOAL_MS = 1_500;

/** Answers at once, as a warm agent does. Below node_modules it is taken for the vendor's, and everything is checked. */
const AGENT = `#!/usr/bin/env node
const args = process.argv.slice(2);
if (args.includes('--version')) console.log('2.0.0 (Claude Code)');
else if (args.includes('--help')) console.log('  --verbose --output-format --model');
else process.exitCode = 1;
`;

/** A project whose agent is logged in and finds its model on this machine. */
function makePlace(port) {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-preflight-'));
  const at = (name) => join(folder, name);
  for (const name of ['repo', 'node_modules/.bin', 'home/.claude']) mkdirSync(at(name), { recursive: true });
  spawnSync('git', ['init', '-q'], { cwd: at('repo') });
  for (const [key, value] of Object.entries({ name: 'Bench', email: 'bench@example.org' }))
    spawnSync('git', ['config', `user.${key}`, value], { cwd: at('repo') });
  writeFileSync(at('node_modules/.bin/claude'), AGENT);
  chmodSync(at('node_modules/.bin/claude'), 0o755);
  writeFileSync(at('home/.claude/.credentials.json'), '{}');
  const path = [at('node_modules/.bin'), process.env.PATH].join(delimiter);
  return { folder, cwd: at('repo'), env: { ...process.env, HOME: at('home'), PATH: path, IS_SANDBOX: '1', ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` } };
}

const server = createServer((_request, response) => response.end('{}'));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { folder, cwd, env } = makePlace(server.address().port);
/** The server answers in this process, so nothing may block it. */
const ralph =
  (...args) =>
  async () => {
    const [code] = await once(spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: 'ignore' }), 'close');
    if (code !== 0) throw new Error(`ralph ${args.join(' ')} ended with ${code}`);
  };

const doctor = (sandbox) => ralph('doctor', '--agent', 'claude', '--check', 'true', sandbox);
const runs = { 'no sandbox': doctor('--no-sandbox') };
const missing = `${spawnSync(process.execPath, [TEST_TOOLS, '--check']).stderr}`.trim();
if (missing === '') runs['os sandbox'] = doctor('--sandbox=os');
else console.error(`!!! SKIPPED, NOT MEASURED: ralph doctor through the os sandbox: ${missing}`);

try {
  const median = await inTurn(ROUNDS, { bare: ralph('--version'), ...runs });
  for (const name of Object.keys(runs)) {
    const [ms, times] = [median(name), median(name) / median('bare')];
    report(`ralph doctor (warm agent, ${name})`, `${ms.toFixed(0)} ms`, `${times.toFixed(1)} x`, `at most ${GOAL_MS} ms; x: ralph --version`);
    if (ms > GOAL_MS && process.argv.includes('--check')) process.exitCode = 1;
  }
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
