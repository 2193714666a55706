import { attemptId } from '../../../model/effect.ts';
import type { GateResult, GatesJudged } from '../../../model/events/gates.ts';
import type { Progress } from '../../../model/progress.ts';
import type { Change } from './change.ts';
import { allPassedLines, gateEndedLines, gateStartedLines } from './gate-lines.ts';
import type { Line } from './line.ts';
import type { Look } from './look.ts';
import { isOfReview, reviewJudgedLines } from './review-lines.ts';
import { verboseGateEndedLines, verboseGateStartedLines } from './verbose-lines.ts';

/** The guardrails as they run. It remembers what they said, so that a refused claim and the summary can name it. */
export interface GateFeed {
  /** What the last ones said, of whichever iteration. */
  readonly last: readonly GateResult[];
  hear(progress: Progress): readonly Line[];
  judged(body: GatesJudged, change: Change): readonly Line[];
  /** What they said of an iteration; asked once, when it closes. */
  told(iteration: number): readonly GateResult[];
}

export function openGateFeed(look: Look, verbose: boolean): GateFeed {
  const results = new Map<number, readonly GateResult[]>();
  /** The logs of those whose end is on the screen: every run of a guardrail has one of its own. */
  const shown = new Set<string>();
  let last: readonly GateResult[] = [];

  function hear(progress: Progress): readonly Line[] {
    if (progress.type === 'gate.started') return [...gateStartedLines(progress.gate), ...(verbose ? verboseGateStartedLines(progress.gate) : [])];
    const { result } = progress;
    shown.add(result.log);
    return [...gateEndedLines(result, look), ...(verbose ? verboseGateEndedLines(result) : [])];
  }

  /** Who was not there when one ran is told now. */
  function missed(attempt: string, result: GateResult): readonly Line[] {
    const lines = shown.has(result.log)
      ? []
      : [...hear({ type: 'gate.started', attempt, gate: result.gate }), ...hear({ type: 'gate.ended', attempt, result })];
    shown.delete(result.log);
    return lines;
  }

  return {
    get last() {
      return last;
    },
    hear,
    judged(body, change) {
      last = body.results;
      results.set(body.iteration, last);
      const verdict = isOfReview(body, change) ? reviewJudgedLines(body, change) : allPassedLines(last);
      return [...last.flatMap((result) => missed(attemptId(body), result)), ...verdict];
    },
    told(iteration) {
      const told = results.get(iteration) ?? [];
      results.delete(iteration);
      return told;
    },
  };
}
