import type { GateResult } from '../../journal/events/gates.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { endingText } from '../../journal/ending-text.ts';
import { secondsText } from './progress-text.ts';
import { shorten } from './excerpt.ts';
import { capital, type GateWords } from './gate-words.ts';
import { type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';

const COMMAND_CHARS = 200;

/** The strings of seed 001. A gate may take minutes, so the screen says at once that it runs. */
export function gateStartedLines({ command }: GateSpec, words: GateWords): readonly Line[] {
  return [prose(span(`${capital(words.one)} start: ${shorten(command, COMMAND_CHARS)}`))];
}

/** A red one also says where its output is. */
export function gateEndedLines(result: GateResult, words: GateWords, { glyphs }: Look): readonly Line[] {
  const { gate, green, log } = result;
  const end = prose(span(`${capital(words.one)} end: ${shorten(gate.command, COMMAND_CHARS)} `), span(`(${howItEnded(result, words)})`, toneOf(result)));
  return green ? [end] : [end, prose(span(`${glyphs.elbow}${log}`, 'dim'))];
}

const toneOf = ({ green, flaky }: GateResult) => (flaky ? 'busy' : green ? 'good' : 'bad');

/** Only guardrails have an action (seed 001); only checks tell their time, and are given a second look (seed 004). */
function howItEnded({ gate, green, flaky, ending, duration_ms }: GateResult, { one }: GateWords): string {
  const how = endingText(ending);
  if (one === 'check') return `${how}, ${secondsText(duration_ms)}${flaky ? ', flaky: red at first, green on the same files' : ''}`;
  return green ? how : `${how}, action=${gate.failAction}`;
}

/** Where there is none, nothing has passed. */
export function allPassedLines(results: readonly GateResult[]): readonly Line[] {
  return results.length > 0 && results.every((result) => result.green) ? [prose(span('All guardrails passed', 'good'))] : [];
}

/** What a claim or a summary says about gates that are not all green. */
export function redGatesText(results: readonly GateResult[], { one, many }: GateWords): string {
  const red = results.filter((result) => !result.green).length;
  if (results.length === 1) return `the ${one} is red`;
  return `${red} of ${results.length} ${many} ${red === 1 ? 'is' : 'are'} red`;
}
