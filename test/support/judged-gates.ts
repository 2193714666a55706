import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GateResult, GatesJudged } from '../../src/journal/events/gates.ts';
import { type EndedRun, journalOf, type Stage } from './stage.ts';

/** What the guardrails of each judgement came to, in order, as the journal has it. */
export function judgedGates(run: EndedRun): readonly (readonly GateResult[])[] {
  const judged = journalOf(run).filter(({ type }) => type === 'gates.judged') as readonly unknown[] as readonly GatesJudged[];
  return judged.map(({ results }) => results);
}

/** The bytes a guardrail left in its log. */
export function logOf({ repo }: Stage, { log }: Pick<GateResult, 'log'>): Buffer {
  return readFileSync(join(repo.path, log));
}
