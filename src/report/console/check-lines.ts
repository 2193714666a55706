import type { GateResult } from '../../journal/events/gates.ts';
import { endingText } from '../../journal/ending-text.ts';
import { shorten } from './excerpt.ts';
import { blank, type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';
import { plural } from './spent-text.ts';

const COMMAND_CHARS = 200;

export const baselineBegunLines: readonly Line[] = [blank, prose(span('Baseline: the checks before the first iteration', 'accent'))];

/** What was red before anybody touched anything, so that nobody is blamed for it; or that the checks have nothing to show yet. */
export function baselineLines(results: readonly GateResult[], { glyphs }: Look): readonly Line[] {
  const red = results.filter(({ green }) => !green);
  if (red.length > 0) {
    return [
      prose(span(`Baseline: ${red.length} of ${plural(results.length, 'check')} red before the start`, 'busy')),
      ...red.map(({ gate, ending }) => prose(span(`${glyphs.elbow}${shorten(gate.command, COMMAND_CHARS)} (${endingText(ending)})`, 'dim'))),
    ];
  }
  const all = results.length === 1 ? 'The check is' : `All ${results.length} checks are`;
  return [prose(span(`${glyphs.warning}${all} green from the start: what they prove is that nothing broke, not that the task is done.`, 'busy'))];
}

export const cleanBegunLines: readonly Line[] = [blank, prose(span('Clean verification: all checks once more, in a fresh checkout of the result', 'accent'))];

export function cleanLines(results: readonly GateResult[], { glyphs }: Look): readonly Line[] {
  if (results.every(({ green }) => green)) return [prose(span(`${glyphs.tick}Clean verification passed`, 'good'))];
  return [prose(span(`${glyphs.cross}Clean verification failed: it works only with files that are not part of the result`, 'bad'))];
}

/** `🧪 Checks: 3/5 passed` (seed 004), and which of the passed ones nobody should rely on. */
export function checksLines(results: readonly GateResult[], { glyphs }: Look): readonly Line[] {
  if (results.length === 0) return [];
  const passed = results.filter(({ green }) => green).length;
  const flaky = results.filter((result) => result.flaky).map(({ gate }) => shorten(gate.command, COMMAND_CHARS));
  return [
    prose(span(`${glyphs.checks}Checks: ${passed}/${results.length} passed`, passed === results.length ? 'good' : 'bad')),
    ...(flaky.length === 0 ? [] : [prose(span(`${glyphs.warning}Flaky, not the agent's doing: ${flaky.join(', ')}`, 'busy'))]),
  ];
}
