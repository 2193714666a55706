// A run of the built product that kills itself with SIGKILL at one line of its journal. It is wired as src/wiring/start-run.ts and
// resume-run.ts do it; only the journal has a wrapper. Takes one JSON argument, the Crash of crash-world.ts.
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const product = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const [
  { openSystemClock },
  { openFileJournal },
  { openScope },
  { runSettings },
  { goOn },
  { chooseRun, newRunId },
  { thisWriter },
  { wantedLoop },
  { openWorkspace },
] = await Promise.all(
  [
    'adapters/clock-system.js',
    'adapters/journal/journal-file.js',
    'kit/async/scope.js',
    'wiring/config/run-settings.js',
    'wiring/go-on.js',
    'wiring/run-home.js',
    'wiring/this-writer.js',
    'wiring/wanted-loop.js',
    'wiring/workspace.js',
  ].map(product),
);

const crash = JSON.parse(process.argv[2]);
const cwd = process.cwd();
const ralph = 'killable';
/** Long enough for an agent to be up and heard of, if somebody started one before its intent is in the file. */
const heldBackMs = 500;

/** `before`: the line is never written. `after`: it is, and nothing else happens. `torn`: half of it is. */
function deadly(journal, path) {
  return {
    past: journal.past,
    close: () => journal.close(),
    async append(event, durable) {
      if (event.seq !== crash.at) return await journal.append(event, durable);
      if (crash.mode === 'before' && event.body.type === 'effect.begun') await sleep(heldBackMs);
      if (crash.mode === 'after') await journal.append(event, durable);
      if (crash.mode === 'torn') await appendFile(path, halfOf(event));
      process.kill(process.pid, 'SIGKILL');
    },
  };
}

function halfOf({ v, seq, at, body }) {
  const line = JSON.stringify({ v, seq, at, ...body });
  return line.slice(0, Math.ceil(line.length / 2));
}

async function openings(workspace, clock) {
  if (crash.resume) {
    const run = await chooseRun(null, workspace.home.runsFolder, cwd);
    return { run, settings: null, opening: { type: 'run.resumed', ralph, writer: thisWriter() } };
  }
  const run = newRunId(clock.nowMs());
  const settings = crash.loop ? (await wantedLoop({ ...crash.loop, cwd })).settings : runSettings({}, crash.request, cwd);
  const snapshot = { ...(await workspace.git.snapshot()), ...(crash.loop ? { tree: (await workspace.git.look()).tree } : {}) };
  const found = { ...snapshot, dirty_count: snapshot.dirty.length };
  return { run, settings, opening: { type: 'run.started', run, ralph, cwd, settings, found, sources: [], writer: thisWriter() } };
}

const scope = openScope();
const workspace = await openWorkspace(cwd, scope);
const clock = openSystemClock();
const { run, settings, opening } = await openings(workspace, clock);
await workspace.hold(run);
const runFolder = join(workspace.home.runsFolder, run);
await mkdir(join(runFolder, 'inbox'), { recursive: true, mode: 0o700 });
const path = join(runFolder, 'journal.jsonl');
const journal = deadly(await openFileJournal(path), path);
await goOn({
  workspace,
  runFolder,
  journal,
  clock,
  settings: settings ?? journal.past[0].body.settings,
  options: { cwd, projections: () => [], obeySignals: true, signal: new AbortController().signal },
  opening,
});
await scope[Symbol.asyncDispose]();
