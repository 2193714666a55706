import { assertNever } from '../../../kit/pure/assert-never.ts';
import type { Effect } from '../../../model/effect.ts';
import type { GateResult } from '../../../model/events/gates.ts';
import type { JournalEvent } from '../../../model/events/journal-event.ts';
import { lastNumber } from '../../last-number.ts';
import type { RunState } from '../../state.ts';
import { attemptLines } from './attempt-lines.ts';
import { bannerLines, iterationHeading, resumedLines } from './banner-lines.ts';
import { closingLines } from './closing-lines.ts';
import { gatesBegunLines, gatesJudgedLines } from './gate-lines.ts';
import { leavingLines } from './leaving-lines.ts';
import { blank, type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';
import { type Ended, summaryLines } from './summary-lines.ts';
import { verboseAttemptLines, verboseGateLines, verboseLine } from './verbose-lines.ts';

/** The run's own events as lines. It remembers what the guardrails said last, so that a refused claim and the summary can name it. */
export interface JournalFeed {
  hear(event: JournalEvent, state: RunState, streamEvents: number): readonly Line[];
  /** What a run.stopped means, for those who want it told in another way. */
  ended(event: JournalEvent, state: RunState): Ended | null;
}

export function openJournalFeed(look: Look, verbose: boolean): JournalFeed {
  const judged = new Map<number, readonly GateResult[]>();
  let last: readonly GateResult[] = [];
  const also = (lines: () => readonly Line[]) => (verbose ? lines() : []);

  /** What the guardrails said of an iteration; asked once, when it closes. */
  function told(iteration: number): readonly GateResult[] {
    const results = judged.get(iteration) ?? [];
    judged.delete(iteration);
    return results;
  }

  function ended({ body, at }: JournalEvent, state: RunState): Ended | null {
    return body.type === 'run.stopped' ? { outcome: body.outcome, state, judged: last, atMs: at } : null;
  }

  function hear(event: JournalEvent, state: RunState, streamEvents: number): readonly Line[] {
    const { body, at } = event;
    const maximum = lastNumber(state);
    switch (body.type) {
      case 'run.started':
        return bannerLines(body);
      case 'run.resumed':
        return resumedLines(body, state);
      case 'iteration.opened':
        return [blank, iterationHeading(body.iteration, maximum), ...also(() => [verboseLine(`Iteration ${body.iteration}/${maximum} starting`)])];
      case 'effect.begun':
        return [...begunLines(body.effect), ...also(() => verboseBegunLines(body.effect, state))];
      case 'effect.lost':
        return [prose(span(`Nothing had come of ${body.key}: it is done again.`, 'busy'))];
      case 'attempt.spawned':
        return also(() => [verboseLine(`Agent started (pid ${body.pid})`)]);
      case 'attempt.ended':
        return [...attemptLines(body, state, at, look), ...also(() => verboseAttemptLines(body, streamEvents))];
      case 'gates.judged':
        last = body.results;
        judged.set(body.iteration, last);
        return [...gatesJudgedLines(body.results, look), ...also(() => verboseGateLines(body.results))];
      case 'iteration.closed':
        return [...closingLines(body, told(body.iteration)), ...also(() => (body.accepted ? [] : [verboseLine('No completion detected, continuing')]))];
      case 'limit.seen':
        return also(() => [verboseLine(`Usage limit announced${body.window === null ? '' : ` (${body.window})`}`)]);
      case 'operator.asked':
        return leavingLines(body, state.run?.settings.limits.graceMs ?? null);
      case 'run.stopped':
        return summaryLines({ outcome: body.outcome, state, judged: last, atMs: at });
      default:
        return assertNever(body);
    }
  }

  return { hear, ended };
}

function begunLines(effect: Effect): readonly Line[] {
  if (effect.kind === 'run-gates') return gatesBegunLines(effect);
  return effect.attempt === 1 ? [] : [blank, prose(span(`Attempt ${effect.attempt} of iteration ${effect.iteration}`, 'accent'))];
}

function verboseBegunLines(effect: Effect, { run }: RunState): readonly Line[] {
  return effect.kind === 'run-agent' ? [verboseLine(`Running agent: ${run?.settings.agent.command ?? ''}`)] : [];
}
