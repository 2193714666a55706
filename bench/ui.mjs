// The page of `ralph ui` in Chromium: how long it takes to show a run with a journal of 100,000 events; whether it stays smooth and small, and its server too,
// while 50 live runs write 20 events a second each, and while a plan of 500 tasks is at work. And what the server costs while nobody watches.
// `node bench/ui.mjs busy --minutes 60` runs one part, here for an hour, and then prints a row for each minute.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { takeLock } from '../.cache/inside/src/store/lock.js';
import { CLI, report } from './measure.mjs';
import { memoryMbOf, PROBED, printMinutes } from './memory.mjs';

const EVENTS = 100_000;
const RUNS = 50;
const TASKS = 500;
const EVENTS_A_SECOND = 20;
const IDLE_MS = 5_000;
const PLAN_MS = 10_000;
const TRACED_MS = 20_000;
const OPEN_GOAL_MS = 2_000;
const TASK_GOAL_MS = 50;
/** The server keeps the last 500 iterations of each run at work: the runs have them at the start, so from then on what it keeps is flat. */
const KEPT_EVENTS = 7 * 520;
const WARM_UP_MS = 10_000;
const GROWTH_GOAL_MB = { page: 5, kept: 5, resident: 60 };
const minutes = process.argv.indexOf('--minutes');
const BUSY_MS = minutes === -1 ? 20_000 : 60_000 * Number(process.argv[minutes + 1]);
const MINUTE_MS = 60_000;
const PARTS = ['long', 'busy', 'plan'].filter((part, _, all) => process.argv.includes(part) || !all.some((each) => process.argv.includes(each)));
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

if (CHROMIUM === undefined) {
  report('ralph ui: not measured, there is no chromium', '', '', '');
  process.exit(process.argv.includes('--check') ? 1 : 0);
}

const cwd = mkdtempSync(join(tmpdir(), 'ralph-bench-ui-'));
const failed = [];
let written = 0;
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const runNames = Array.from({ length: RUNS }, (_, index) => `20260101-0000${String(index).padStart(2, '0')}-bbbbbb`);

await withServer('long', [longWriter('20260101-000000-aaaaaa')], async ({ address, cpuMs }) => {
  const page = await browser.newPage();
  const meter = await meterOf(page);
  const fromMs = performance.now();
  await page.goto(`${address}#run=20260101-000000-aaaaaa`);
  await page.locator('.run-head h2').waitFor({ timeout: 60_000 });
  await page.locator('.bar').first().waitFor();
  measured(`ralph ui: a journal of ${EVENTS} events is on the page`, performance.now() - fromMs, OPEN_GOAL_MS, ' ms');
  report('ralph ui: processor time of the page for it', `${Math.round(await meter.busyMs())} ms`, '', '');
  report('ralph ui: processor time of the server for it', `${cpuMs()} ms`, '', 'start of the program included');
  await page.close();
  await sleep(1_000);
  const before = cpuMs();
  await sleep(IDLE_MS);
  measured('ralph ui: processor while nobody watches', (100 * (cpuMs() - before)) / IDLE_MS, 1, ' %');
});

await withServer('busy', runNames.map(redWriter), async ({ address, writers, memoryMb, cpuMs }) => {
  const page = await browser.newPage();
  await page.goto(address);
  const last = page.locator('.run .dot.running').nth(RUNS - 1);
  await last.waitFor({ timeout: 60_000 });
  const meter = await meterOf(page);
  const empty = await memoryMb('collect');
  for (const writer of writers) writer.write(KEPT_EVENTS);
  await writeFor(writers, WARM_UP_MS);
  const before = { page: await meter.heapMb(), server: await memoryMb('collect'), cpu: cpuMs(), busy: await meter.busyMs() };
  const rows = [];
  written = 0;
  const eachMinute = async () => rows.push({ ...(await memoryMb('as it is')), page: await meter.heapMb() });
  const longest = await longestTaskOf(page, writers, BUSY_MS, eachMinute);
  const after = { page: await meter.heapMb(), asItIs: await memoryMb('as it is'), server: await memoryMb('collect') };
  const kept = [before.server.heapUsed - empty.heapUsed, before.server.rss - empty.rss].map(Math.round);
  report(`ralph ui: what the server keeps of ${RUNS} full runs`, `${kept[0]} MB`, '', `${kept[1]} MB resident`);
  const what = `${RUNS} live runs at ${EVENTS_A_SECOND} events a second, ${BUSY_MS / 1000} s`;
  measuredTask(what, longest);
  report('ralph ui: processor of the page in it', `${Math.round((100 * ((await meter.busyMs()) - before.busy)) / BUSY_MS)} %`, '', '');
  measured("ralph ui: growth of the page's heap in it", after.page - before.page, GROWTH_GOAL_MB.page, ' MB');
  measured('ralph ui: growth of what the server keeps in it', after.server.heapUsed - before.server.heapUsed, GROWTH_GOAL_MB.kept, ' MB');
  measured("ralph ui: growth of the server's memory in it", after.asItIs.rss - before.server.rss, GROWTH_GOAL_MB.resident, ' MB');
  report('ralph ui: memory and processor of the server', `${Math.round(after.asItIs.rss)} MB`, '', `${Math.round((100 * (cpuMs() - before.cpu)) / BUSY_MS)} %`);
  report('ralph ui: events written in it', `${Math.round((1000 * written) / BUSY_MS)} a second`, '', `of ${RUNS * EVENTS_A_SECOND}`);
  await page.locator('.light.live').waitFor();
  if (rows.length > 1) printMinutes(rows);
  await page.close();
});

await withServer('plan', [planWriter('20260101-000000-cccccc')], async ({ address, writers }) => {
  for (const [tab, shown] of [
    ['graph', '.node'],
    ['board', '.card'],
  ]) {
    const page = await browser.newPage();
    await page.goto(`${address}#tab=${tab}`);
    const last = page.locator(shown).nth(TASKS - 1);
    await last.waitFor({ timeout: 60_000 });
    const meter = await meterOf(page);
    const before = await meter.busyMs();
    measuredTask(`${TASKS} tasks, ${tab}`, await longestTaskOf(page, writers, PLAN_MS));
    report('ralph ui: processor of the page in it', `${Math.round((100 * ((await meter.busyMs()) - before)) / PLAN_MS)} %`, '', '');
    await page.close();
  }
});

await browser.close();
rmSync(cwd, { recursive: true });
if (process.argv.includes('--check') && failed.length > 0) process.exitCode = 1;

function measuredTask(what, { processorMs, clockMs }) {
  measured(`ralph ui: longest task of the page, ${what}, processor time`, processorMs, TASK_GOAL_MS, ' ms');
  report('ralph ui: the same by the clock', clockMs === 0 ? 'below 50 ms' : `${Math.round(clockMs)} ms`, '', '');
}

function measured(what, value, goal, unit) {
  if (value > goal) failed.push(what);
  report(what, `${Math.abs(value) < 10 ? value.toFixed(1) : Math.round(value)}${unit}`, '', `goal ${goal}${unit}`);
}

/** Heap and processor time of a page. The time is that of its thread, so that a busy machine does not count. */
async function meterOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const metric = async (wanted) => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === wanted).value;
  };
  return {
    async heapMb() {
      await session.send('HeapProfiler.collectGarbage');
      return (await metric('JSHeapUsedSize')) / 1e6;
    },
    busyMs: async () => (await metric('TaskDuration')) * 1000,
  };
}

/** The longest task while the runs write. By the clock a busy machine counts too, so of the last seconds there is also the processor time. */
async function longestTaskOf(page, writers, forMs, eachMinute) {
  await page.evaluate(() => {
    globalThis.longest = 0;
    globalThis.observer ??= new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    });
    globalThis.observer.observe({ type: 'longtask' });
  });
  await writeFor(writers, Math.max(0, forMs - TRACED_MS), eachMinute);
  await browser.startTracing(page, { categories: ['toplevel'] });
  await writeFor(writers, Math.min(forMs, TRACED_MS));
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const pages = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`);
  const tasks = traceEvents.filter(({ name, pid, tid, tdur }) => name.endsWith('RunTask') && tdur > 0 && pages.includes(`${pid} ${tid}`));
  return { processorMs: Math.max(0, ...tasks.map(({ tdur }) => tdur / 1000)), clockMs: await page.evaluate(() => globalThis.longest) };
}

async function writeFor(writers, forMs, eachMinute) {
  const endMs = performance.now() + forMs;
  let minuteMs = performance.now() + MINUTE_MS;
  while (performance.now() < endMs) {
    const beganMs = performance.now();
    if (beganMs >= minuteMs) {
      minuteMs += MINUTE_MS;
      await eachMinute?.();
    }
    for (const writer of writers) writer.write(EVENTS_A_SECOND);
    written += writers.length * EVENTS_A_SECOND;
    await sleep(Math.max(0, 1_000 - (performance.now() - beganMs)));
  }
}

/** The runs are live: this process holds their locks. */
async function withServer(kind, openWriters, measure) {
  if (!PARTS.includes(kind)) return;
  const place = join(cwd, kind);
  const runs = join(place, '.ralph', 'runs');
  mkdirSync(runs, { recursive: true });
  const writers = openWriters.map((open) => open(runs));
  const locks = await Promise.all(writers.map(({ name, isLive }) => (isLive ? takeLock(join(runs, `${name}.lock`), name) : null)));
  const server = spawn(process.execPath, [...PROBED, CLI, 'ui', '--port', '0'], { cwd: place, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [said] = await once(server.stdout, 'data');
  const address = /http:\S+/.exec(String(said))[0];
  try {
    await measure({ address, writers, cpuMs: () => cpuMsOf(server.pid), memoryMb: (first) => memoryMbOf(server, first) });
  } finally {
    server.kill();
    await once(server, 'close');
    await Promise.all(locks.map((lock) => lock?.release()));
  }
}

/** Writes the journal of one run. `linesOf` has the lines of its n-th iteration as texts, of which number and time are put right. */
function openWriter(runs, { name, isLive, started, linesOf }) {
  const [at] = /\d{13}/.exec(started);
  let [seq, number, left] = [0, 0, []];
  const path = join(runs, name, 'journal.jsonl');
  mkdirSync(join(runs, name));
  const numbered = (line) => {
    seq += 1;
    return line.replace(/"seq":\d+,"at":\d+/, `"seq":${seq},"at":${isLive ? Date.now() : Number(at) + seq * 100}`);
  };
  writeFileSync(path, `${numbered(started.replace(/"run":"[^"]*"/, `"run":"${name}"`))}\n`);
  return {
    ...{ name, isLive },
    write(count) {
      while (left.length < count) {
        number += 1;
        left.push(...linesOf(number));
      }
      appendFileSync(
        path,
        left
          .splice(0, count)
          .map((line) => `${numbered(line)}\n`)
          .join(''),
      );
    },
  };
}

function recordedLines(journal) {
  const lines = readFileSync(new URL(`../test/fixtures/journals/${journal}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => line.replace(/,"d":"[0-9a-f]{16}"\}$/, '}'));
}

/** A live run whose iterations are all red. */
function redWriter(name) {
  return (runs) => openRedWriter(runs, name, true);
}

function longWriter(name) {
  return (runs) => {
    const writer = openRedWriter(runs, name, false);
    writer.write(EVENTS);
    return writer;
  };
}

/** The first, red iteration of a recorded journal, again and again. */
function openRedWriter(runs, name, isLive) {
  const [started, ...iteration] = recordedLines('run-red-then-green').slice(0, 8);
  const linesOf = (number) =>
    iteration.map((line) => line.replaceAll('"iteration":1,', `"iteration":${number},`).replaceAll(/(agent:|gates:|"attempt":")1\.1/g, `$1${number}.1`));
  return openWriter(runs, { name, isLive, started, linesOf });
}

/** The first task of a recorded journal for each task of a plan in layers of twenty, and then again. */
function planWriter(name) {
  const [started, ...lines] = recordedLines('work');
  const events = lines.map((line) => ({ line, body: JSON.parse(line) }));
  const isOfFirst = ({ body: { key = '', iteration, attempt, task } }) => iteration === 1 || /:1(\.1)?$/.test(key) || attempt === '1.1' || task === 'A';
  const first = events.filter(isOfFirst).slice(0, events.filter(isOfFirst).findIndex(({ body }) => body.type === 'iteration.closed') + 1);
  const needsOf = (index) => (index < 20 ? [] : [`T-${index - 20}`, `T-${index - (index % 20) - 1}`]);
  const seen = Array.from({ length: TASKS }, (_, index) => ({
    id: `T-${index}`,
    title: `Task number ${index}`,
    needs: needsOf(index),
    standing: index < 20 ? 'ready' : 'waiting',
  }));
  const plan = JSON.stringify({ whole: true, tasks: seen });
  const linesOf = (number) => {
    const task = `T-${(number - 1) % TASKS}`;
    return first.map(({ line }) => {
      const named = line.replaceAll('"A"', `"${task}"`).replaceAll('"iteration":1,', `"iteration":${number},`);
      const keyed = named.replaceAll(/("key":"[a-z]+:|"attempt":")1(\.1)?"/g, `$1${number}$2"`);
      return number === 1 && line.includes('"type":"task.taken"') ? `${keyed.slice(0, -1)},"plan":${plan}}` : keyed;
    });
  };
  return (runs) => {
    const writer = openWriter(runs, { name, isLive: true, started, linesOf });
    writer.write(first.length);
    return writer;
  };
}

/** In hundredths of a second. */
function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
