// The output of the check command: a line for each step when it ends, and a table at the end.
import { relative } from 'node:path';

const width = 24;
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);

/** One line and the skipped tests; for a failed step, its whole output comes first. */
export function describeStep({ name, state, ms, output, reason, flaky = [] }) {
  if (state === 'skipped') return `!!!   ${name.padEnd(width)} ${reason}`;
  const line = `${state === 'passed' ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)} ${seconds(ms)}`;
  return state === 'failed' ? `\n${output.trimEnd()}\n\n${line}` : [line, ...leftOut(output), ...flaky.map(describeFlaky)].join('\n');
}

const describeFlaky = ({ file, title }) => `!!! FLAKY, MEND IT: ${relative(process.cwd(), file)}: "${title}" was red, and green when its file ran alone`;

/** The lines of test/support/skip-loudly.ts, without duplicates, because an unnoticed skip looks like a passed test. */
function leftOut(output) {
  return [...new Set(output.match(/^!!! SKIPPED.*$/gm))];
}

/** The table of all steps, the total time and, if tests ran, a separate line with how many passed and failed. */
export function describeEnd(results, { totalMs, cpuMs = null, limitMs = Number.POSITIVE_INFINITY, deepFiles = 0 }) {
  const rows = results.map(
    ({ name, state, ms }) => `  ${name.padEnd(width)} ${state === 'passed' || state === 'failed' ? seconds(ms) : ' '.repeat(8)}  ${state}`,
  );
  const counts = results.flatMap(({ tests }) => tests ?? []);
  const total = `  ${'total'.padEnd(width)} ${seconds(totalMs)}${cpuMs === null ? '' : `  (${(cpuMs / 1000).toFixed(0)} s of processor time)`}`;
  const flaky = results.flatMap((result) => result.flaky ?? []).map(describeFlaky);
  const warning = totalMs > limitMs ? tooSlow(totalMs, limitMs, counts) : [];
  return ['', ...rows, total, ...flaky, ...warning, ...(counts.length > 0 ? ['', ...describeCounts(counts, deepFiles)] : [])].join('\n');
}

const slowest = 15;

/** With the slowest test files, as a hint where to start. */
function tooSlow(totalMs, limitMs, counts) {
  const files = counts.flatMap(({ files = [] }) => files).sort((one, other) => other.ms - one.ms);
  return [
    `!!! TOO SLOW: ${minutes(totalMs)}, over the ${minutes(limitMs)} that this may take with nothing else running`,
    ...files.slice(0, slowest).map(({ name, ms }) => `    ${seconds(ms)}  ${relative(process.cwd(), name)}`),
  ];
}

const minutes = (ms) => `${(ms / 60_000).toFixed(1).replace(/\.0$/, '')} minutes`;

function describeCounts(counts, deepFiles) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  const line = `${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}`;
  const left = [`${sum('deep')} deeper tests`, ...(deepFiles > 0 ? [`${deepFiles} whole files`] : [])].join(' and ');
  return sum('deep') + deepFiles > 0 ? [`${left} were left to npm run test:all`, line] : [line];
}
