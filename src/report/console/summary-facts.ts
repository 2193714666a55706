import type { Outcome } from '../../journal/words/outcome.ts';
import type { RunState } from '../../journal/state/state.ts';
import { type Line, prose, type Span, span, type Tone } from './line.ts';
import { costText } from './spent-text.ts';
import { spacedDuration } from './work-words.ts';
import { workedMs } from './worked-time.ts';

const LABEL_COLUMNS = 12;

/** `   Runtime:    2m 16s`: one line of a summary that many tasks or stories have (seed 000). */
export function fact(label: string, ...spans: readonly Span[]): Line {
  return prose(span(`   ${`${label}:`.padEnd(LABEL_COLUMNS - 1)} `, 'dim'), ...spans);
}

/** What it took, and how it ended. */
export function endFacts({ outcome, state }: { readonly outcome: Outcome; readonly state: RunState }): readonly Line[] {
  return [
    ...costFacts(state),
    fact('Runtime', span(spacedDuration(workedMs(state)))),
    fact('Outcome', span(outcome.stop_reason, toneOf(outcome)), span(` (exit ${outcome.exit_code})`, 'dim')),
  ];
}

export function toneOf({ exit_code }: Outcome): Tone {
  return exit_code === 0 ? 'good' : 'bad';
}

function costFacts({ spent: { attempts, costKnown, costUsd } }: RunState): readonly Line[] {
  if (attempts === 0 || costUsd === 0) return [];
  return [fact('Cost', span(`${costText(costUsd)}${costKnown ? '' : ' or more'}`))];
}
