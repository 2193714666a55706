// Writes the table of steps and times in CONTRIBUTING from a run: npm test -- --write-times.
import { readFileSync, writeFileSync } from 'node:fs';

const [begin, end] = ['<!-- times: written by npm test -- --write-times -->', '<!-- /times -->'];

/** The table with the times of these results. */
function withTimes(text, results, totalMs) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no ${begin} … ${end}`);
  const rows = results.map(({ name, holds, state, ms }) => `| ${name} | ${holds} | ${state === 'passed' ? inSeconds(ms) : state} |`);
  const table = ['| step | what it holds | time |', '|---|---|---|', ...rows, `| **all** | two steps at a time | ${inSeconds(totalMs)} |`];
  return `${text.slice(0, from + begin.length)}\n${table.join('\n')}\n${text.slice(to)}`;
}

export function writeTimes(file, results, totalMs) {
  writeFileSync(file, withTimes(readFileSync(file, 'utf8'), results, totalMs));
}

const inSeconds = (ms) => `${Math.max(1, Math.round(ms / 1000))} s`;
