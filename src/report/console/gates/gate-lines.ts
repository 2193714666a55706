import { endingText } from '../../../journal/ending-text.ts';
import type { GateResult } from '../../../journal/events/gates.ts';
import { SLOW_MS } from '../../../journal/words/proof.ts';
import { formatDuration, plural } from '../../../kit/pure/amounts.ts';
import { factsOf } from '../../../settings/schema/recipe-facts.ts';
import type { GateSpec, RunSettings } from '../../../settings/schema/run-settings.ts';
import { blank, type Line, line, prose, span } from '../line.ts';
import { type DisplaySettings, shorten } from '../look.ts';
import { secondsText } from '../spent-text.ts';
import { tellingLines } from './telling-lines.ts';

const COMMAND_CHARS = 200;

/** The texts of seed 001. A gate may take minutes, so its start is shown at once. */
export function gateStartedLines({ command }: GateSpec, words: GateWords): readonly Line[] {
  return [prose(span(`${capital(words.one)} start: ${shorten(command, COMMAND_CHARS)}`))];
}

/** For a red gate also why, and the path of its whole output. */
export function gateEndedLines(result: GateResult, words: GateWords, { glyphs }: DisplaySettings): readonly Line[] {
  const { gate, green, log } = result;
  const end = prose(span(`${capital(words.one)} end: ${shorten(gate.command, COMMAND_CHARS)} `), span(`(${howItEnded(result, words)})`, toneOf(result)));
  if (green) return [end];
  const margin = ' '.repeat(glyphs.elbow.length);
  return [end, ...tellingLines(result).map((text) => line(span(`${margin}${text}`))), prose(span(`${glyphs.elbow}${log}`, 'dim'))];
}

const toneOf = ({ green, flaky }: GateResult) => (flaky ? 'busy' : green ? 'good' : 'bad');

/** Only guardrails have an action (seed 001). Only checks show their time and are run a second time when red (seed 004). */
function howItEnded({ gate, green, flaky, ending, duration_ms }: GateResult, { one }: GateWords): string {
  const how = endingText(ending);
  if (one === 'check') return `${how}, ${secondsText(duration_ms)}${flaky ? ', flaky: red at first, green on the same files' : ''}`;
  return green ? how : `${how}, action=${gate.failAction}`;
}

/** Empty without gates: nothing has passed. */
export function allPassedLines(results: readonly GateResult[]): readonly Line[] {
  return results.length > 0 && results.every((result) => result.green) ? [prose(span('All guardrails passed', 'good'))] : [];
}

/** What a claim or a summary says when not all gates are green. */
export function redGatesText(results: readonly GateResult[]): string {
  const red = results.filter((result) => !result.green).length;
  if (results.length === 1) return 'the check is red';
  return `${red} of ${results.length} checks ${red === 1 ? 'is' : 'are'} red`;
}

/** The word in the lines at the start and the end of a gate, which seed 001 fixes for `ralph run`. Everything else says check. */
export interface GateWords {
  readonly one: string;
  readonly many: string;
}

const guardrails: GateWords = { one: 'guardrail', many: 'guardrails' };
const checks: GateWords = { one: 'check', many: 'checks' };

export function gateWords(run: { readonly settings: RunSettings } | null): GateWords {
  return saysChecks(run) ? checks : guardrails;
}

export function saysChecks(run: { readonly settings: RunSettings } | null): boolean {
  return run !== null && factsOf(run.settings).gates === 'checks';
}

/** For the first word of a line. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export const baselineBegunLines: readonly Line[] = [blank, prose(span('Baseline: the checks before the first iteration', 'accent'))];

/** Which checks were red before the first iteration, so that no agent is blamed for them. If all were green, a warning that they cannot show progress. */
export function baselineLines(results: readonly GateResult[], look: DisplaySettings): readonly Line[] {
  return [...colourLines(results, look), ...slowLines(results, look)];
}

function slowLines(results: readonly GateResult[], look: DisplaySettings): readonly Line[] {
  return results.flatMap(({ gate, duration_ms }) => (duration_ms < SLOW_MS ? [] : slowLine(gate.command, duration_ms, look)));
}

/** What such a check costs, and what to do. */
export function slowLine(command: string, tookMs: number, { glyphs }: DisplaySettings): Line {
  const cost = `takes ${formatDuration(tookMs)}, and two or three times that to prove a claim`;
  const todo = 'a faster check beside it finds most mistakes sooner; "canary": false in its settings saves one run';
  return prose(span(`${glyphs.warning}${shorten(command, COMMAND_CHARS)} ${cost} (${todo})`, 'busy'));
}

/** What a check writes is in no copy, and no agent's work. */
export const writesLine = ({ glyphs }: DisplaySettings): Line =>
  prose(span(`${glyphs.warning}The checks write into the work tree: that counts as nobody's work, and a proof discards it with its copy`, 'busy'));

function colourLines(results: readonly GateResult[], { glyphs }: DisplaySettings): readonly Line[] {
  const red = results.filter(({ green }) => !green);
  if (red.length > 0) {
    return [
      prose(span(`Baseline: ${red.length} of ${plural(results.length, 'check')} red before the start`, 'busy')),
      ...red.map(({ gate, ending }) => prose(span(`${glyphs.elbow}${shorten(gate.command, COMMAND_CHARS)} (${endingText(ending)})`, 'dim'))),
    ];
  }
  const all = results.length === 1 ? 'The check is' : `All ${results.length} checks are`;
  return [prose(span(`${glyphs.warning}${all} green from the start: they prove that nothing broke, not that the task is done.`, 'busy'))];
}

export const cleanBegunLines: readonly Line[] = [blank, prose(span('Clean verification: all checks again, in a fresh checkout of the result', 'accent'))];

export function cleanLines(results: readonly GateResult[], { glyphs }: DisplaySettings): readonly Line[] {
  if (results.every(({ green }) => green)) return [prose(span(`${glyphs.tick}Clean verification passed`, 'good'))];
  return [prose(span(`${glyphs.cross}Clean verification failed: the result works only with files that are not part of it`, 'bad'))];
}

/** `🧪 Checks: 3/5 passed` (seed 004), and which of the passed ones are flaky. */
export function checksLines(results: readonly GateResult[], { glyphs }: DisplaySettings): readonly Line[] {
  if (results.length === 0) return [];
  const passed = results.filter(({ green }) => green).length;
  const flaky = results.filter((result) => result.flaky).map(({ gate }) => shorten(gate.command, COMMAND_CHARS));
  return [
    prose(span(`${glyphs.checks}Checks: ${passed}/${results.length} passed`, passed === results.length ? 'good' : 'bad')),
    ...(flaky.length === 0 ? [] : [prose(span(`${glyphs.warning}Flaky, not the agent's fault: ${flaky.join(', ')}`, 'busy'))]),
  ];
}
