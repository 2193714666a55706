// Runs steps, at most two side by side, and stops at the first failure; what a step prints is kept and shown only if it fails.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCounts } from './read-counts.mjs';

const sideBySide = 2;
const patienceMs = 45 * 60_000;
const lastWordsMs = 2_000;

/** Resolves with one result for every step, in the order of the table; a step after a failure is 'not run'. */
export async function runStages(stages, onResult) {
  const results = [];
  for (const stage of stages) {
    const isOver = results.some((result) => result.state === 'failed');
    results.push(...(isOver ? stage.map(notRun) : await runStage(stage, onResult)));
  }
  return results;
}

/** 0 only if nothing failed and nothing was left out because of a failure. */
export function exitCodeOf(results) {
  return results.every(({ state }) => state === 'passed' || state === 'skipped') ? 0 : 1;
}

async function runStage(steps, onResult) {
  const results = steps.map(notRun);
  const children = new Set();
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (!failed && next < steps.length) {
      const index = next++;
      const result = await runStep(steps[index], children);
      if (failed) continue;
      results[index] = result;
      onResult(result);
      failed = result.state === 'failed';
    }
    if (failed) for (const child of children) child.kill();
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
  return results;
}

const noneYet = { passed: 0, failed: 0, skipped: 0 };
const notRun = ({ name, countsTests }) => ({ name, state: 'not run', ms: 0, output: '', ...(countsTests && { tests: noneYet }) });

async function runStep(step, children) {
  const reason = step.skip?.();
  if (reason) return { ...notRun(step), state: 'skipped', reason };
  const folder = mkdtempSync(join(tmpdir(), 'ralph-check-'));
  try {
    const report = join(folder, 'tests.json');
    const argv = step.countsTests ? [...step.argv, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : step.argv;
    const sinceMs = performance.now();
    const { code, output } = await run({ argv, cwd: step.cwd, children });
    const ended = { ...notRun(step), state: code === 0 ? 'passed' : 'failed', ms: performance.now() - sinceMs, output };
    return step.countsTests ? { ...ended, tests: readCounts(report, code === 0) } : ended;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run({ argv, cwd, children }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs });
    const chunks = [];
    children.add(child);
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    // Something a step left behind may hold the pipe for ever; the step itself is over.
    child.on('exit', () => setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe.destroy()), lastWordsMs).unref());
    child.on('close', (code, signal) => {
      children.delete(child);
      const ended = signal ? `\nended by ${signal}\n` : '';
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() + ended });
    });
  });
}
