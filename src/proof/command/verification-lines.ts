import { firstTellingLine } from '../../kit/pure/first-telling-line.ts';
import { formatDuration } from '../../kit/pure/duration.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { printable } from '../../kit/pure/printable.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import type { RerunCheck } from '../verify/rerun-checks.ts';

/** Which proof is looked at, before the first of its commands runs. */
export function receiptLine(of: string, { run, agent, model, iterations, cost_usd, written_at }: Receipt): string {
  const cost = cost_usd === null ? 'cost unknown' : `$${cost_usd.toFixed(4)}`;
  const by = shown(model === null ? agent : `${agent} (${model})`);
  return `Receipt of ${of}: run ${shown(run)}, ${dayOf(written_at)}, ${by}, ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}, ${cost}`;
}

export function checkLines(check: RerunCheck): readonly string[] {
  const { asRecorded, command, output } = check;
  const line = `  ${asRecorded ? '[OK]  ' : '[FAIL]'} ${shown(command)}  (${remarks(check).join(', ')})`;
  const telling = asRecorded ? '' : firstTellingLine(output);
  return telling === '' ? [line] : [line, `         ${shown(telling)}`];
}

export function sumLine(checks: readonly RerunCheck[]): string {
  const same = checks.filter(({ asRecorded }) => asRecorded).length;
  const all = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`;
  return same === checks.length ? `Verified: ${all} green in a fresh checkout, as recorded.` : `Not as recorded: ${checks.length - same} of ${all}.`;
}

function remarks({ asRecorded, ending, recordedExitCode, sameOutput, wasRed, durationMs }: RerunCheck): readonly string[] {
  return [
    ending,
    ...(asRecorded ? [] : [`recorded exit ${recordedExitCode}`]),
    formatDuration(durationMs),
    ...(wasRed === true ? ['was red before the run'] : []),
    ...(sameOutput ? [] : ['prints something else']),
  ];
}

/** A note may hold anything. */
const shown = (text: string) => printable(oneLine(text));

function dayOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : date.toISOString().slice(0, 16).replace('T', ' ');
}
