import { attemptId } from '../../../journal/effects/effect.ts';
import type { GateResult, GatesJudged } from '../../../journal/events/gates.ts';
import type { Progress } from '../../../journal/progress.ts';
import { factsOf } from '../../../settings/schema/recipe-facts.ts';
import { isOfReview, reviewJudgedLines } from '../attempt-lines.ts';
import type { Line } from '../line.ts';
import type { Change, DisplaySettings } from '../look.ts';
import { verboseGateEndedLines, verboseGateStartedLines } from '../verbose-lines.ts';
import {
  allPassedLines,
  baselineLines,
  checksLines,
  cleanLines,
  type GateWords,
  gateEndedLines,
  gateStartedLines,
  gateWords,
  saysChecks,
  writesLine,
} from './gate-lines.ts';
import { revertedAfterChecksLines } from './proof-lines.ts';

/** Shows gates while they run. It remembers their results, so that a refused claim and the summary can name them. */
export interface GateFeed {
  /** The results of the last gates, of any iteration. */
  readonly last: readonly GateResult[];
  hear(progress: Progress, words: GateWords): readonly Line[];
  judged(body: GatesJudged, change: Change): readonly Line[];
  /** The last results of an iteration. Asked once, when the iteration closes. */
  lastResultOf(iteration: number): GatesJudged | null;
}

export function openGateFeed(look: DisplaySettings, verbose: boolean): GateFeed {
  const judgements = new Map<number, GatesJudged>();
  /** The logs of gates whose end is already on the screen: every run of a gate has its own log. */
  const shown = new Set<string>();
  let last: readonly GateResult[] = [];
  let hasToldWrites = false;

  function hear(progress: Progress, words: GateWords): readonly Line[] {
    if (progress.type === 'gate.started') return [...gateStartedLines(progress.gate, words), ...(verbose ? verboseGateStartedLines(progress.gate, words) : [])];
    const { result } = progress;
    shown.add(result.log);
    return [...gateEndedLines(result, words, look), ...(verbose ? verboseGateEndedLines(result, words) : [])];
  }

  /** Shows a gate that the console did not see while it ran. */
  function missed(attempt: string, result: GateResult, words: GateWords): readonly Line[] {
    const lines = shown.has(result.log)
      ? []
      : [...hear({ type: 'gate.started', attempt, gate: result.gate }, words), ...hear({ type: 'gate.ended', attempt, result }, words)];
    shown.delete(result.log);
    return lines;
  }

  /** Once is enough. */
  function written({ tree, tree_after }: GatesJudged): readonly Line[] {
    if (hasToldWrites || tree === null || tree_after === null || tree === tree_after) return [];
    hasToldWrites = true;
    return [writesLine(look)];
  }

  return {
    get last() {
      return last;
    },
    hear,
    judged(body, change) {
      const words = gateWords(change.state.run);
      // A red gate before the first iteration says nothing about anybody's work.
      if (body.where !== 'start') {
        last = body.results;
        judgements.set(body.iteration, body);
      }
      return [
        ...body.results.flatMap((result) => missed(attemptId(body), result, words)),
        ...revertedAfterChecksLines(body.tidied),
        ...written(body),
        ...verdictLines(body, change, look),
      ];
    },
    lastResultOf(iteration) {
      const told = judgements.get(iteration) ?? null;
      judgements.delete(iteration);
      return told;
    },
  };
}

function verdictLines(body: GatesJudged, change: Change, look: DisplaySettings): readonly Line[] {
  if (body.where === 'start' && !(change.state.run && factsOf(change.state.run.settings).hasItems)) return baselineLines(body.results, look);
  if (body.where === 'clean') return cleanLines(body.results, look);
  if (isOfReview(body, change)) return reviewJudgedLines(body, change);
  return saysChecks(change.state.run) ? checksLines(body.results, look) : allPassedLines(body.results);
}
