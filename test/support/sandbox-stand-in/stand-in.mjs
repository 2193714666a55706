import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commandsOf } from './commands.mjs';
import { parseCommandLine, Refusal } from './grammar.mjs';
import { isInStep, openMachines, syncOut } from './machine.mjs';

/**
 * A stand-in for `sbx` and for `docker sandbox`: `node stand-in.mjs sbx|docker <words>`. What it proves: our command lines are grammatical, our parsers survive
 * the known shapes, and we live with the sync as it was observed. What it cannot: that anything works with Docker.
 */
const [program, ...argv] = process.argv.slice(2);
const machines = openMachines(process.env['SANDBOX_STAND_IN'] ?? '');
const switches = machines.switches();

if (program === 'sync') {
  await sleep(switches.syncMs ?? 200);
  await syncOut(machines, argv[0]);
} else {
  process.exitCode = await answer();
}

async function answer() {
  const call = { program, argv, cwd: process.cwd(), env: Object.keys(process.env).sort(), envFile: envFileIn(argv) };
  try {
    const parsed = parseCommandLine(program, argv);
    machines.record({ ...call, refused: null });
    if (switches.hangs) await sleep(10 * 60_000);
    if (program === 'docker' && switches.plugin === false) throw new Refusal(`unknown command: docker ${argv[0]}`);
    if (parsed.command === 'version') return say(program === 'sbx' ? 'sbx version: v0.42.1 0000000' : 'docker sandbox version v0.7.1');
    if (switches.signedIn === false) throw new Refusal('Not authenticated to Docker: run "sbx login"');
    if (switches.engine === false) throw new Refusal('cannot connect to the sandbox daemon: connection refused');
    return await commandsOf({ program, machines, switches, say, syncSoon })[parsed.command](parsed);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    machines.record({ ...call, refused: error.message });
    process.stderr.write(`ERROR: ${error.message}\n`);
    return 1;
  }
}

/** Its rights and its names, never its values. */
function envFileIn(words) {
  const path = words[words.indexOf('--env-file') + 1];
  const found = words.includes('--env-file') && statSync(path, { throwIfNoEntry: false });
  return found ? { path, mode: (found.mode & 0o777).toString(8) } : null;
}

function say(text) {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** The sync runs on its own, a while after, if there is anything to do: a start of node for nothing would be most of what a call costs. */
function syncSoon(name) {
  if (isInStep(machines, name)) return;
  const self = fileURLToPath(import.meta.url);
  spawn(process.execPath, [self, 'sync', name], { detached: true, stdio: 'ignore', env: { SANDBOX_STAND_IN: machines.folder } }).unref();
}
