// A fleet in PostgreSQL: sixteen workers that race for tasks, shares of the budget, what 200 idle workers ask of the database, how fast an idle worker hears
// of a task, how soon a machine that joins has merged something, and how soon others go on with the task of one that died. It starts a server of its own,
// as the tests do.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { registerName } from '../.cache/inside/src/plans/graph/standing.js';
import { holdTask, releaseHold } from '../.cache/inside/src/plans/holds/hold-task.js';
import { openSharedBudget, setFleetBudget } from '../.cache/inside/src/store/postgres/budget.js';
import { addFleet } from '../.cache/inside/src/store/postgres/fleets.js';
import { listenForHints } from '../.cache/inside/src/store/postgres/hints.js';
import { knownMigrations, migrate } from '../.cache/inside/src/store/postgres/migrations.js';
import { openDatabase } from '../.cache/inside/src/store/postgres/open-database.js';
import { openPostgresRegisters } from '../.cache/inside/src/store/postgres/registers-postgres.js';
import { openSession } from '../.cache/inside/src/store/postgres/session.js';
import { report } from './measure.mjs';

const WORKERS = 16;
const TASKS = 10_000;
const HINTS = 300;
const SHARES = 1_000;
const BLOCK = 64;
const PLAN = 'plan.yaml';

/** Servers and machines of the tests. They find the program beside the folder from which they are loaded. */
async function supportOfTests() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const outfile = join(root, '.cache', 'bench', 'fleet-support.mjs');
  const input = join(root, 'fleet-support');
  const contents = "export { openPostgres, whyNoPostgres } from './test/support/postgres.ts'; export { openFleetStage } from './test/support/fleet-stage.ts';";
  const entry = {
    name: 'entry',
    resolveId: (id) => (id === input ? id : id === 'vitest' ? '\0vitest' : null),
    load: (id) => (id === input ? contents : id === '\0vitest' ? 'export const expect = undefined;' : null),
  };
  await build({ input, platform: 'node', external: /^[^./\0]/, plugins: [entry], logLevel: 'warn', output: { file: outfile, format: 'esm' } });
  return await import(outfile);
}

const { openPostgres, whyNoPostgres, openFleetStage } = await supportOfTests();
const why = whyNoPostgres();
if (why !== null) {
  console.error(`!!! SKIPPED, NOT MEASURED: ${why}`);
  process.exit(0);
}
const server = await openPostgres();
const url = await server.database();
const fleet = randomUUID();
/** As machines have it: each its own connections. */
const databases = await Promise.all(Array.from({ length: WORKERS }, () => openDatabase(url)));
await migrate(databases[0], await knownMigrations());
await addFleet(databases[0], { id: fleet, name: 'bench', leaseMs: 30_000 });

async function openWorker(index) {
  const database = databases[index % databases.length];
  const process = { host: 'here', boot_id: 'boot', pid: index + 1, start_time: '1' };
  const session = await openSession(database, {
    fleet,
    id: `here boot ${index + 1} 1`,
    run: `run-${index}`,
    host: 'here',
    about: { workers: 1 },
    leaseMs: 30_000,
  });
  const onOver = () => session.over('it is over');
  const registers = openPostgresRegisters({ query: session.query, fleet, session: session.id, onOver });
  const budget = openSharedBudget({ query: session.query, fleet, run: `run-${index}`, session: session.id, onOver });
  return { registers, budget, session, holder: { name: `run-${index}/1`, run: `run-${index}`, lane: 1, process } };
}
const workers = await Promise.all(Array.from({ length: WORKERS }, (_, index) => openWorker(index)));
const secondsOf = async (work) => {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
};

const done = new Set();
let twice = 0;
let lowest = 0;
/** As a worker does it: looks at what is open, takes one, finishes it. Who is late for one looks again. */
async function workOff({ registers, holder }) {
  const ports = { registers, livenessOf: () => 'alive' };
  while (lowest < TASKS) {
    const open = Array.from({ length: Math.min(BLOCK, TASKS - lowest) }, (_, index) => `t${lowest + index}`);
    const held = await registers.getMany(open.map((task) => registerName(PLAN, task)));
    const free = open.filter((task) => !held.has(registerName(PLAN, task)));
    const task = free[Math.floor(Math.random() * free.length)];
    if (task !== undefined) await takeAndFinish(task, ports, holder);
    while (done.has(`t${lowest}`)) lowest += 1;
  }
}

async function takeAndFinish(task, ports, holder) {
  const answer = await holdTask(ports, { planPath: PLAN, task, holder, key: 'take:1', nowMs: Date.now() });
  if (answer.kind === 'taken') return;
  if (done.has(task)) twice += 1;
  await releaseHold(ports, { planPath: PLAN, task, n: answer.n, ...answer.held, state: 'done', key: 'release:1' });
  done.add(task);
}

const seconds = await secondsOf(() => Promise.all(workers.map(workOff)));
report('fleet: tasks taken and finished, 16 workers', `${Math.round(done.size / seconds)}/s`, '', 'at least 500/s');
report('fleet: tasks taken twice, or never', `${twice + TASKS - done.size}`, '', 'none');

await setFleetBudget(databases[0], fleet, 1_000);
let nth = 0;
const shareSeconds = await secondsOf(() =>
  Promise.all(
    workers.map(async ({ budget }) => {
      while (nth < SHARES) {
        nth += 1;
        const attempt = `${nth}.1`;
        const { kind } = await budget.reserve(attempt, 0.5);
        if (kind === 'granted') await budget.settle(attempt, 0.25);
      }
    }),
  ),
);
report('fleet: shares reserved and settled, 16 workers', `${Math.round(SHARES / shareSeconds)}/s`, '', 'at least 100/s');

let hear = () => undefined;
const listening = listenForHints(databases[1], { fleet, onHint: () => hear(), onDeaf: () => console.error('the store passes on no notifications') });
const heardAfter = async (n) => {
  const heard = new Promise((resolve) => {
    hear = () => resolve(performance.now());
  });
  const startMs = performance.now();
  await workers[0].registers.put(registerName(PLAN, 'hinted'), n, { state: 'free' });
  const timeout = new Promise((resolve) => setTimeout(() => resolve(Number.POSITIVE_INFINITY), 2_000).unref());
  return (await Promise.race([heard, timeout])) - startMs;
};
// Until it listens.
let n = 1;
while (!Number.isFinite(await heardAfter(n)) && n < 10) n += 1;
const times = [];
for (let count = 0; count < HINTS; count += 1) {
  n += 1;
  times.push(await heardAfter(n));
}
times.sort((a, b) => a - b);
report('fleet: an idle worker hears of a task, p50', `${times[Math.floor(HINTS / 2)].toFixed(1)} ms`, '', '');
report('fleet: an idle worker hears of a task, p99', `${times[Math.floor(HINTS * 0.99)].toFixed(1)} ms`, '', 'at most 50 ms');

const IDLE = 200;
const IDLE_LEASE_MS = 30_000;
const IDLE_TASKS = 100;
const LOOKED_AT_MS = 20_000;
/** The processor time of all connections so far. */
async function serverCpuMs() {
  const pids = await server.ask(url, "select pid from pg_stat_activity where application_name like 'ralph%'");
  const ticks = pids.map(({ pid }) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' '));
  return ticks.reduce((sum, fields) => sum + 10 * (Number(fields[11]) + Number(fields[12])), 0);
}
const commits = async () => Number((await server.ask(url, 'select xact_commit as n from pg_stat_database where datname = current_database()'))[0].n);
const idle = await Promise.all(Array.from({ length: IDLE }, (_, index) => openWorker(1_000 + index)));
const names = Array.from({ length: IDLE_TASKS }, (_, index) => registerName(PLAN, `t${index}`));
// As an idle worker does it: beats by itself, and a look twice in a lease.
const looking = idle.map(({ registers }, index) => {
  const look = () => void registers.getMany(names).catch(() => undefined);
  const first = setTimeout(look, ((IDLE_LEASE_MS / 2) * index) / IDLE);
  return [first, setInterval(look, IDLE_LEASE_MS / 2)];
});
const before = [await commits(), await serverCpuMs()];
await sleep(LOOKED_AT_MS);
const after = [await commits(), await serverCpuMs()];
looking.flat().forEach(clearInterval);
for (const { session } of idle) await session[Symbol.asyncDispose]();
report(`fleet: ${IDLE} idle workers ask the database`, `${((1_000 * (after[0] - before[0])) / LOOKED_AT_MS).toFixed(0)}/s`, '', '');
report(
  `fleet: ${IDLE} idle workers, processor time of the database`,
  `${((100 * (after[1] - before[1])) / LOOKED_AT_MS).toFixed(1)} %`,
  '',
  'at most 20 % of a processor',
);

await listening[Symbol.asyncDispose]();
for (const { session } of workers) await session[Symbol.asyncDispose]();
for (const database of databases) await database[Symbol.asyncDispose]();

const untilMs = async (isSo) => {
  const startMs = performance.now();
  while (!isSo()) await sleep(5);
  return performance.now() - startMs;
};

/** Machines of which only the second one ends its work. */
async function onMachines(tasks, lease, measure) {
  const stage = await openFleetStage(server, tasks, '[ "$machine" = 1 ] && await never\nwork; claim', { machines: 2, lease });
  try {
    return await measure(stage);
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

/** From the command on a second machine to its first result on the base of the remote. */
async function joinToMerged(stage) {
  await stage.hook('post-receive', 'grep -q refs/heads/main && : >landed; exit 0');
  const landed = join(stage.remote('rev-parse', '--absolute-git-dir'), 'landed');
  const first = stage.begin(1);
  await untilMs(() => stage.calls().length === 1);
  const second = stage.begin(2);
  const ms = await untilMs(() => existsSync(landed));
  for (const { child } of [first, second]) child.kill('SIGKILL');
  return ms;
}

const LEASE_MS = 6_000;

/** From the death of a machine to an agent of another one at its task, and how many connections an idle worker has meanwhile. */
async function takeover(stage) {
  const victim = stage.begin(1);
  await untilMs(() => stage.calls().length === 1);
  const other = stage.begin(2);
  const sessions = async () => Number((await server.ask(stage.url, 'select count(*) as n from ralph.sessions'))[0].n);
  while ((await sessions()) < 2) await sleep(20);
  const open = "select count(*) as n from pg_stat_activity where datname = current_database() and application_name like 'ralph%'";
  const connections = Number((await server.ask(stage.url, open))[0].n) / 2;
  victim.child.kill('SIGKILL');
  const ms = await untilMs(() => stage.calls().length === 2);
  await other.ended;
  return { ms, connections };
}

report('fleet: from ralph work to its first merged task', `${((await onMachines(['a', 'b'], '30s', joinToMerged)) / 1000).toFixed(1)} s`, '', '');
const { ms, connections } = await onMachines(['a'], `${LEASE_MS}ms`, takeover);
report('fleet: takeover after a kill, lease of 6 s', `${(ms / 1000).toFixed(1)} s`, `${(ms / LEASE_MS).toFixed(2)}x`, 'at most 1.5 leases');
report('fleet: connections of a worker', `${connections}`, '', 'at most 3');
await server[Symbol.asyncDispose]();
