import type { GateResult } from '../../../journal/events/gates.ts';
import { mostInformativeLine, printable, truncateCodePoints } from '../../../kit/pure/text.ts';

const MOST_LINES = 6;
const MOST_CHARS = 160;

/** Lines that say nothing of a failure: frames of a stack or of code, separators, fields and totals of TAP, times and totals, the end of npm's own report. */
const NOISE = [
  /^\s*at /,
  /^\s*(?:async )?[\w.<>[\] ]+ \((?:file:|node:|\/).*:\d+:\d+\)$/,
  /^\s*(?:node:|file:\/\/)\S+:\d+:\d+$/,
  /^[-=_*~#─━⎯═.\s]+$/u,
  /^\s*[─━⎯═]+\[\d+\/\d+\][─━⎯═]*$/u,
  /^\s*>?\s*\d+\s*[|│](?:\s|$)|^\s*[|│]\s*\^+$/u,
  /^\s*[-+] (?:Expected|Received)(?:\s+[-+] \d+)?$/,
  /^\s*(?:Test Files|Test Suites:|Snapshots:|Start at|Duration|Time:|Ran all test suites)\s/,
  /^\s*(?:duration_ms|failureType|location|stack|type|operator): /,
  /^\s*(?:code: 'ERR_ASSERTION'|name: 'AssertionError')$/,
  /^\s*(?:# (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms|Subtest:?)\b|\d+\.\.\d+$)/,
  /^npm (?:error|ERR!) (?:Lifecycle|A complete log|Log files|code|path|command|workspace|location)\b/,
];

/** Why a gate is red: the last telling lines of its output, and before them the line with the error if they lack it. */
export function tellingLines({ output, output_end }: Pick<GateResult, 'output' | 'output_end'>): readonly string[] {
  const [beginning, end] = output_end === undefined ? [[], linesOf(output)] : [linesOf(output), linesOf(output_end)];
  const last = withoutMargin(end.slice(-MOST_LINES)).map(shorten);
  const error = shorten(mostInformativeLine([...beginning, ...end].join('\n')));
  if (error === '' || last.some((line) => line.trim() === error)) return last;
  return [error, ...last.slice(last.length < MOST_LINES ? 0 : 1)];
}

function linesOf(output: string): readonly string[] {
  const lines = output.split(/\r?\n|\r/).map((line) => printable(line).trimEnd());
  return lines.filter((line) => line.trim() !== '' && !NOISE.some((noise) => noise.test(line)));
}

const shorten = (line: string) => truncateCodePoints(line, MOST_CHARS - 1, '…');

/** The lines keep their indentation relative to each other. */
function withoutMargin(lines: readonly string[]): readonly string[] {
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(margin));
}
