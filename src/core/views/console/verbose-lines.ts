import type { AttemptEnded } from '../../../model/events/attempt.ts';
import type { GateResult } from '../../../model/events/gates.ts';
import { endingText } from './ending-text.ts';
import { shorten } from './excerpt.ts';
import { type Line, prose, span } from './line.ts';

/** `[ralph] …` (seed 001). */
export function verboseLine(text: string): Line {
  return prose(span(`[ralph] ${text}`, 'dim'));
}

export function verboseGateLines(results: readonly GateResult[]): readonly Line[] {
  return results.flatMap(({ gate, ending, duration_ms }) => [
    verboseLine(`Running guardrail: ${gate.command}`),
    verboseLine(`Guardrail ${ending.kind === 'exited' ? `exited with code ${ending.code}` : endingText(ending)} (${secondsText(duration_ms)})`),
  ]);
}

export function verboseAttemptLines({ claim, unknown_lines, duration_ms }: AttemptEnded, events: number): readonly Line[] {
  return [
    verboseLine(`stream stats: ${events} events, ${unknown_lines} errors`),
    verboseLine(`Agent ran for ${secondsText(duration_ms)}`),
    verboseLine(claim ? `Checking completion: "${shorten(claim.text, 60)}" claimed by ${claim.by}` : 'Checking completion: nothing claimed'),
  ];
}

/** `1.2s`: whole seconds would hide what verbose is asked for. */
function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)}s`;
}
