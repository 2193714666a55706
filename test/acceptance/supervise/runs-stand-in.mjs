// Holds a run like a real process, with the lock and journal of the built product, and does nothing else until it is killed.
// Takes one JSON argument: { runsFolder, run, cwd, settings, spawned }. Prints `ready` once its journal exists.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const product = (file) => import(new URL(`../../../.cache/inside/src/${file}`, import.meta.url).href);
const [{ openFileJournal }, { takeLock }, { runLock }, { thisProcess }] = await Promise.all(
  ['store/journal-file.js', 'store/lock.js', 'store/runs/run-lock.js', 'runs/this-process.js'].map(product),
);

const { runsFolder, run, cwd, settings, spawned } = JSON.parse(process.argv[2]);
await mkdir(join(runsFolder, run), { recursive: true });
const lock = await takeLock(runLock(runsFolder, run), run);
if (lock.kind !== 'taken') throw new Error(`Somebody else holds ${run}.`);
const journal = await openFileJournal(join(runsFolder, run, 'journal.jsonl'));
const started = { type: 'run.started', run, ralph: 'stand-in', cwd, origin: cwd, settings, sources: [], found: null, writer: thisProcess() };
const bodies = [started, { type: 'iteration.opened', iteration: 1, lane: 1 }, ...spawned];
for (const [index, body] of bodies.entries()) await journal.append({ v: 1, seq: index + 1, at: Date.now(), body }, true);
process.stdout.write('ready\n');
// Keeps references, because unreferenced handles would be closed.
setInterval(() => [journal, lock], 60_000);
