import { endingText } from '../../journal/ending-text.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateSpec, RunSettings } from '../../settings/schema/run-settings.ts';
import { blank, type Line, prose, span } from './line.ts';
import { type DisplaySettings, shorten } from './look.ts';
import { plural, secondsText } from './spent-text.ts';

const COMMAND_CHARS = 200;

/** The texts of seed 001. A gate may take minutes, so its start is shown at once. */
export function gateStartedLines({ command }: GateSpec, words: GateWords): readonly Line[] {
  return [prose(span(`${capital(words.one)} start: ${shorten(command, COMMAND_CHARS)}`))];
}

/** For a red gate also the path of its output. */
export function gateEndedLines(result: GateResult, words: GateWords, { glyphs }: DisplaySettings): readonly Line[] {
  const { gate, green, log } = result;
  const end = prose(span(`${capital(words.one)} end: ${shorten(gate.command, COMMAND_CHARS)} `), span(`(${howItEnded(result, words)})`, toneOf(result)));
  return green ? [end] : [end, prose(span(`${glyphs.elbow}${log}`, 'dim'))];
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
export function redGatesText(results: readonly GateResult[], { one, many }: GateWords): string {
  const red = results.filter((result) => !result.green).length;
  if (results.length === 1) return `the ${one} is red`;
  return `${red} of ${results.length} ${many} ${red === 1 ? 'is' : 'are'} red`;
}

/** The words for gates on the surface: guardrail in seed 001, check everywhere else. */
export interface GateWords {
  readonly one: string;
  readonly many: string;
}

const guardrails: GateWords = { one: 'guardrail', many: 'guardrails' };
const checks: GateWords = { one: 'check', many: 'checks' };

export function gateWords(run: { readonly settings: RunSettings } | null): GateWords {
  return saysChecks(run) ? checks : guardrails;
}

export function isLoop(run: { readonly settings: RunSettings } | null): boolean {
  return run?.settings.recipe === 'loop';
}

export function isSupervised(run: { readonly settings: RunSettings } | null): boolean {
  return (run?.settings.supervise ?? null) !== null;
}

export function isWork(run: { readonly settings: RunSettings } | null): boolean {
  return (run?.settings.work ?? null) !== null;
}

export function isStories(run: { readonly settings: RunSettings } | null): boolean {
  return (run?.settings.stories ?? null) !== null;
}

export function saysChecks(run: { readonly settings: RunSettings } | null): boolean {
  return isLoop(run) || isSupervised(run) || isWork(run) || isStories(run);
}

/** For the first word of a line. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export const baselineBegunLines: readonly Line[] = [blank, prose(span('Baseline: the checks before the first iteration', 'accent'))];

/** Which checks were red before the first iteration, so that no agent is blamed for them. If all were green, a warning that they cannot show progress. */
export function baselineLines(results: readonly GateResult[], { glyphs }: DisplaySettings): readonly Line[] {
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
