import type { CheckEntry, ProgressEntry } from '../../journal/state/iteration.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { fineCostText, secondsText } from '../console/spent-text.ts';

const ERROR_CHARS = 200;

/** The iterations as the progress file and the prompts show them (seed 004). */
export function progressText(iterations: readonly ProgressEntry[]): string {
  return iterations.map(entryText).join('\n\n');
}

function entryText(entry: ProgressEntry): string {
  const { iteration, steps, costUsd, durationMs, error, restored } = entry;
  const passed = entry.passed && entry.checks.every(({ green }) => green);
  return [
    `## Iteration ${iteration} — ${passed ? 'PASS' : 'FAIL'}`,
    `- Steps: ${steps}`,
    `- Cost: ${fineCostText(costUsd)}`,
    `- Duration: ${secondsText(durationMs)}`,
    ...(error === null ? [] : [`- Error: ${truncateCodePoints(oneLine(error), ERROR_CHARS)}`]),
    ...(restored.length === 0 ? [] : [`- Protected paths put back: ${restored.map(oneLine).join(', ')}`]),
    ...checksText(entry.checks),
  ].join('\n');
}

function checksText(checks: readonly CheckEntry[]): readonly string[] {
  return checks.length === 0 ? ['- Checks: not run'] : ['- Checks:', ...checks.map((check) => `  - ${oneLine(check.command)}: ${verdict(check)}`)];
}

function verdict({ green, flaky, line }: CheckEntry): string {
  if (green) return flaky ? 'PASS (flaky)' : 'PASS';
  return line === '' ? 'FAIL' : `FAIL — ${line}`;
}
