import { endingText } from '../../journal/ending-text.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { WHOLE_RUN } from '../../report/history/figures.ts';
import { sandboxRefusalText } from '../../report/history/refusals.ts';
import { costOfIteration, type RunHistory } from '../../report/history/run-history.ts';
import type { GateView, IterationPage, ProofView } from './page.ts';
import { shortened } from './shown-text.ts';

/** Every judgement of the last iterations, with the outputs of its gates. */
export interface EvidenceFold {
  add(event: JournalEvent): void;
  /** Null: there is no such iteration. */
  page(iteration: number, history: RunHistory): Omit<IterationPage, 'has_changes' | 'attempt'> | null;
}

const MOST_ITERATIONS = 200;
const MOST_JUDGEMENTS = 8;
const MOST_REFUSALS = 50;
const OUTPUT_CHARS = 20_000;

export function openEvidence(): EvidenceFold {
  const proofs = new Map<number, ProofView[]>();
  const sandbox = openSandboxRefusals();
  return {
    add({ body, at }) {
      sandbox.add(body);
      if (body.type === 'iteration.opened') proofs.delete(body.iteration - MOST_ITERATIONS);
      const judged = judgedIn(body);
      if (judged === null) return;
      const known = proofs.get(judged.iteration) ?? [];
      proofs.set(judged.iteration, [...known, { at, ...judged.proof }].slice(-MOST_JUDGEMENTS));
    },
    page(iteration, history) {
      const page = pageOf(iteration, history, proofs.get(iteration) ?? []);
      return page && { ...page, sandbox: sandbox.during(iteration) };
    },
  };
}

/** The sandbox cannot tell whose agent it was, so a refusal is shown with every iteration that was open. */
function openSandboxRefusals() {
  const refusals = new Map<number, readonly string[]>();
  const open = new Set<number>();
  return {
    add(body: EventBody): void {
      if (body.type === 'iteration.opened') {
        open.add(body.iteration);
        refusals.delete(body.iteration - MOST_ITERATIONS);
      }
      if (body.type === 'iteration.closed') open.delete(body.iteration);
      if (body.type !== 'wall.refused') return;
      for (const each of open) refusals.set(each, [...(refusals.get(each) ?? []), sandboxRefusalText(body)].slice(0, MOST_REFUSALS));
    },
    during: (iteration: number): readonly string[] => refusals.get(iteration) ?? [],
  };
}

interface Judged {
  readonly iteration: number;
  readonly proof: Omit<ProofView, 'at'>;
}

const PLACES = {
  start: 'before the first iteration',
  workspace: 'where the agent worked',
  clean: 'in a clean checkout',
  merged: 'on the merged result',
} as const;

function judgedIn(body: EventBody): Judged | null {
  if (body.type === 'gates.judged') return judged(body, { where: PLACES[body.where], green: body.results.every(({ green }) => green), reason: '' });
  if (body.type === 'proof.judged') return judged(body, { where: 'put to the proof', green: body.verdict === 'proven', reason: body.reason });
  if (body.type !== 'merge.judged' || body.result === 'moved') return null;
  return judged(body, { where: PLACES.merged, green: body.result === 'merged', reason: body.proof?.reason || body.detail });
}

interface Results {
  readonly iteration: number;
  readonly results: readonly GateResult[];
}

function judged({ iteration, results }: Results, proof: Omit<ProofView, 'at' | 'gates'>): Judged {
  return { iteration, proof: { ...proof, gates: results.map(gateView) } };
}

function gateView({ gate, green, flaky, ending, duration_ms, output, output_end }: GateResult): GateView {
  const whole = output_end === undefined ? output : `${output}\n…\n${output_end}`;
  return { command: gate.command, green, flaky, ending: endingText(ending), duration_ms, ansi: shortened(whole.trimEnd(), OUTPUT_CHARS) };
}

function pageOf(
  number: number,
  { iterations, refusals }: RunHistory,
  proofs: readonly ProofView[],
): Omit<IterationPage, 'has_changes' | 'attempt' | 'sandbox'> | null {
  const record = iterations.find(({ iteration }) => iteration === number);
  if (record === undefined) return null;
  const claiming = record.attempts.findLast((attempt) => attempt.claim !== null);
  const claim = record.claim ?? claiming?.claim ?? null;
  const refused = [...refusals.first, ...refusals.last].filter(({ iteration }) => iteration === number);
  return {
    ...{ iteration: number, task: record.item === WHOLE_RUN ? null : record.item, from: record.openedAtMs, to: record.closedAtMs, result: record.result },
    ...{
      claim: claim?.text ?? null,
      claim_attempt: claiming === undefined ? null : `${number}.${claiming.attempt}`,
      accepted: record.accepted,
      cost_usd: costOfIteration(record.attempts),
    },
    attempts: record.attempts.map(({ iteration, attempt, role, verdict, why, duration_ms, tools }) => {
      return { attempt: `${iteration}.${attempt}`, role, verdict, why, duration_ms, tools };
    }),
    proofs,
    restored: record.restored,
    refused: refused.map(({ text }) => text),
  };
}
