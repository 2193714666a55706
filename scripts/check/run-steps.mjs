// Runs steps, two at a time, and stops at the first failure. The output of a step is shown only if it fails.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { onlyTheirFiles, testsToRunAgain } from './flaky.mjs';
import { readCounts, readReport } from './read-counts.mjs';

const lanes = 2;
const patienceMs = 45 * 60_000;
const lastWordsMs = 2_000;
const memory = '/dev/shm';

/**
 * Starts the steps in the order of the list, each as soon as those in its `after` have ended and a slot is free. Resolves with one result
 * for every step, in that order. After a failure it stops the running steps; they and the rest are 'not run'.
 */
export async function runSteps(steps, onResult, env = {}) {
  const results = steps.map(notRun);
  const waiting = new Set(steps.keys());
  const running = new Map();
  const children = new Set();
  const isOver = (name) => !steps.some((step, index) => step.name === name && (waiting.has(index) || running.has(index)));
  const next = () => [...waiting].find((index) => (steps[index].after ?? []).every(isOver));
  let failed = false;

  const start = (index) => {
    waiting.delete(index);
    running.set(
      index,
      runStep(steps[index], { children, env }).then((result) => {
        running.delete(index);
        if (failed) return;
        results[index] = result;
        onResult(result);
        failed = result.state === 'failed';
        if (failed) for (const child of children) child.kill();
      }),
    );
  };

  for (;;) {
    while (!failed && running.size < lanes && next() !== undefined) start(next());
    if (running.size === 0) return results;
    await Promise.race(running.values());
  }
}

/** 0 only if nothing failed and nothing was skipped because of a failure. */
export function exitCodeOf(results) {
  return results.every(({ state }) => state === 'passed' || state === 'skipped') ? 0 : 1;
}

const noneYet = { passed: 0, failed: 0, skipped: 0, deep: 0, files: [] };
const notRun = ({ name, holds, countsTests }) => ({ name, holds, state: 'not run', ms: 0, output: '', ...(countsTests && { tests: noneYet }) });

async function runStep(step, { children, env }) {
  const reason = step.skip?.();
  if (reason) return { ...notRun(step), state: 'skipped', reason };
  const sinceMs = performance.now();
  const ended = (rest) => ({ ...notRun(step), ...rest, ms: performance.now() - sinceMs });
  if (!step.countsTests) {
    const { code, output } = await run({ argv: step.argv, cwd: step.cwd, env: { ...process.env, ...env }, children });
    return ended({ state: code === 0 ? 'passed' : 'failed', output });
  }
  const first = await runTests(step, { children, env, argv: step.argv });
  const again = env.RALPH_TEST_STRICT === '1' ? [] : first.again;
  if (again.length === 0) return ended(first);
  const second = await runTests(step, { children, env, argv: onlyTheirFiles(step.argv, again) });
  if (second.state !== 'passed') return ended(first);
  const { passed, failed } = first.tests;
  return ended({ state: 'passed', output: first.output, flaky: again, tests: { ...first.tests, passed: passed + failed, failed: 0 } });
}

/** One run of a test step in a temporary folder of its own; `again` names what was red and deserves a second look. */
async function runTests(step, { children, env, argv }) {
  const folder = mkdtempSync(join(step.onDisk ? tmpdir() : inMemory(), 'ralph-check-'));
  // Some tests start programs as other users.
  chmodSync(folder, 0o755);
  try {
    const report = join(folder, 'tests.json');
    const { code, output } = await run({
      argv: [...argv, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      cwd: step.cwd,
      env: { ...process.env, ...env, TMPDIR: folder },
      children,
    });
    const written = readReport(report);
    const tests = readCounts(written, { output, succeeded: code === 0 });
    return code === 0 && written ? { state: 'passed', output, tests, again: [] } : { state: 'failed', output, tests, again: testsToRunAgain(written, output) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Where tests put their repositories: in memory, which saves a sixth of the processor time, if there is plenty. */
function inMemory() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

function run({ argv, cwd, env, children }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs });
    const chunks = [];
    children.add(child);
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    // A process that a step left running may hold the pipe for ever; the step itself has ended.
    child.on('exit', () => setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe.destroy()), lastWordsMs).unref());
    child.on('close', (code, signal) => {
      children.delete(child);
      const ended = signal ? `\nended by ${signal}\n` : '';
      // We search the output for loud lines, and colours would hide them.
      resolve({ code: code ?? 1, output: stripVTControlCharacters(Buffer.concat(chunks).toString()) + ended });
    });
  });
}
