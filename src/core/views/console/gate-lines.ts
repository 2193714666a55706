import type { GateResult } from '../../../model/events/gates.ts';
import type { GateSpec } from '../../../model/run-settings.ts';
import { endingText } from './ending-text.ts';
import { shorten } from './excerpt.ts';
import { type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';

const COMMAND_CHARS = 200;

/** The strings of seed 001. A guardrail may take minutes, so the screen says at once that it runs. */
export function gateStartedLines({ command }: GateSpec): readonly Line[] {
  return [prose(span(`Guardrail start: ${shorten(command, COMMAND_CHARS)}`))];
}

/** A red one also says where its output is. */
export function gateEndedLines({ gate, green, ending, log }: GateResult, { glyphs }: Look): readonly Line[] {
  const how = green ? endingText(ending) : `${endingText(ending)}, action=${gate.failAction}`;
  const end = prose(span(`Guardrail end: ${shorten(gate.command, COMMAND_CHARS)} `), span(`(${how})`, green ? 'good' : 'bad'));
  return green ? [end] : [end, prose(span(`${glyphs.elbow}${log}`, 'dim'))];
}

/** Where there is none, nothing has passed. */
export function allPassedLines(results: readonly GateResult[]): readonly Line[] {
  return results.length > 0 && results.every((result) => result.green) ? [prose(span('All guardrails passed', 'good'))] : [];
}

/** What a claim or a summary says about guardrails that are not all green. */
export function redGatesText(results: readonly GateResult[]): string {
  const red = results.filter((result) => !result.green).length;
  if (results.length === 1) return 'the guardrail is red';
  return `${red} of ${results.length} guardrails ${red === 1 ? 'is' : 'are'} red`;
}
