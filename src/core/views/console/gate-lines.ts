import type { RunGates } from '../../../model/effect.ts';
import type { GateResult } from '../../../model/events/gates.ts';
import { endingText } from './ending-text.ts';
import { shorten } from './excerpt.ts';
import { blank, type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';
import { plural } from './spent-text.ts';

const COMMAND_CHARS = 200;

/** They may take minutes, so the screen says that they run. */
export function gatesBegunLines({ gates }: RunGates): readonly Line[] {
  return gates.length === 0 ? [] : [blank, prose(span(`Running ${plural(gates.length, 'guardrail')}…`, 'dim'))];
}

/** The strings of seed 001, in the order in which the guardrails ran. */
export function gatesJudgedLines(results: readonly GateResult[], look: Look): readonly Line[] {
  if (results.length === 0) return [];
  const lines = results.flatMap((result) => resultLines(result, look));
  return results.every((result) => result.green) ? [...lines, prose(span('All guardrails passed', 'good'))] : lines;
}

function resultLines({ gate, green, ending, log }: GateResult, { glyphs }: Look): readonly Line[] {
  const command = shorten(gate.command, COMMAND_CHARS);
  const how = green ? endingText(ending) : `${endingText(ending)}, action=${gate.failAction}`;
  const end = prose(span(`Guardrail end: ${command} `), span(`(${how})`, green ? 'good' : 'bad'));
  const start = prose(span(`Guardrail start: ${command}`));
  return green ? [start, end] : [start, end, prose(span(`${glyphs.elbow}${log}`, 'dim'))];
}

/** What a claim or a summary says about guardrails that are not all green. */
export function redGatesText(results: readonly GateResult[]): string {
  const red = results.filter((result) => !result.green).length;
  if (results.length === 1) return 'the guardrail is red';
  return `${red} of ${results.length} guardrails ${red === 1 ? 'is' : 'are'} red`;
}
