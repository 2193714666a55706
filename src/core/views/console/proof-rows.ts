import type { RunSettings } from '../../../model/run-settings.ts';
import { hasBarePipe } from './bare-pipe.ts';
import { shorten } from './excerpt.ts';
import { gateWords, isWork, saysChecks } from './gate-words.ts';
import { type Line, span } from './line.ts';
import { row } from './rows.ts';

const SHOWN_GATES = 5;
const COMMAND_CHARS = 300;

/** What decides whether the run is done: the gates, and the word the agent has to say. */
export function proofRows(settings: RunSettings): readonly Line[] {
  const { gates } = settings;
  const { many } = gateWords({ settings });
  if (isWork({ settings }) && gates.length === 0) return [doneWhen(settings)];
  if (gates.length === 0) {
    const add = saysChecks({ settings }) ? '--check' : '--guardrail';
    return [row(many, span('none', 'bad')), row('done when', ...claimed(settings), span(`. UNPROVEN: nothing checks its word; add ${add} "npm test"`, 'busy'))];
  }
  const shown = gates.slice(0, SHOWN_GATES).flatMap(({ command }, index) => gateRows(command, index === 0 ? many : ''));
  const hidden = gates.length - SHOWN_GATES;
  return [...shown, ...(hidden > 0 ? [row('', span(`and ${hidden} more`, 'dim'))] : []), doneWhen(settings)];
}

function gateRows(command: string, label: string): readonly Line[] {
  const note = hasBarePipe(command) ? [row('', span("  a pipe's exit code is its last command's", 'dim'))] : [];
  return [row(label, span(shorten(command, COMMAND_CHARS), 'strong')), ...note];
}

function doneWhen(settings: RunSettings): Line {
  const { gates, loop } = settings;
  const { one, many } = gateWords({ settings });
  if (isWork({ settings }))
    return row('done when', ...claimed(settings), span(` and ${gates.length === 0 ? 'its own checks' : `its own ${many} and these`} are green`));
  const green = `${gates.length === 1 ? `the ${one} is` : `all ${many} are`} green`;
  if (loop?.requireTag === 'never') return row('done when', span(green));
  const orTwice = loop?.requireTag === 'auto' ? ', or without a word in two iterations in a row' : '';
  return row('done when', ...claimed(settings), span(` and ${green}${orTwice}`));
}

function claimed({ claims, recipe, supervise }: RunSettings) {
  if (recipe === 'job') return [span('the agent ends well')];
  if (recipe === 'work') return [span('a task is said to be complete ('), span('ralph task complete', 'strong'), span(')')];
  if (supervise) return [span('the task folder has a file '), span('DONE', 'strong')];
  return [span('the agent answers '), span([...new Set(claims.map((claim) => claim.word))].join(' or '), 'strong')];
}
