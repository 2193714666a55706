import type { Effect } from '../../journal/effects/effect.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { type EventTable, lookUp } from '../../journal/events/recipe-events.ts';
import type { RunState } from '../../journal/state/state.ts';
import { instructionText } from '../../journal/words/instruction.ts';
import type { RequestView } from './page.ts';

/** Everything that people have told a run, and whether it has taken effect. */
export interface RequestsFold {
  add(event: JournalEvent): void;
  /** The newest first. */
  requests(state: RunState): readonly RequestView[];
}

const MOST_REQUESTS = 60;

interface Given {
  readonly at: number;
  readonly by: string;
  readonly text: string;
  appliedAt: number | null;
  /** An answer takes effect when an agent is told. */
  readonly answer: string | null;
}

export function openRequests(): RequestsFold {
  const given: Given[] = [];
  return {
    add({ body, at }) {
      for (const each of given) each.appliedAt ??= isAppliedBy(body, each) ? at : null;
      const next = lookUp(REQUESTS, body, at) ?? null;
      if (next !== null) given.push(next);
      if (given.length > MOST_REQUESTS) given.shift();
    },
    requests({ instructions = [] }) {
      const told = instructions.map(({ instruction, by, atMs, appliedAtMs }): RequestView => {
        return { at: atMs, by, text: instructionText(instruction), applied_at: appliedAtMs };
      });
      const asked = given.map(({ at, by, text, appliedAt }): RequestView => ({ at, by, text, applied_at: appliedAt }));
      return [...asked, ...told].toSorted((one, other) => other.at - one.at).slice(0, MOST_REQUESTS);
    },
  };
}

const ASKED = { pause: 'pause', 'go-on': 'continue', drain: 'finish what has begun, then stop', abort: 'stop now' } as const;

const REQUESTS: EventTable<[at: number], Given | null> = {
  'operator.asked': ({ what, by }, at) => ({ at, by, text: ASKED[what], appliedAt: what === 'pause' || what === 'go-on' ? at : null, answer: null }),
  'question.answered': ({ story, answer, by }, at) => ({
    at,
    by,
    text: `answer${story === null ? '' : ` about ${story}`}: ${answer}`,
    appliedAt: null,
    answer,
  }),
  'run.resumed': ({ by }, at) => (by === undefined ? null : { at, by, text: 'resume', appliedAt: at, answer: null }),
  'claim.allowed': ({ task, by }, at) => ({ at, by, text: `accept the claim${task === undefined ? '' : ` of ${task}`}`, appliedAt: at, answer: null }),
  // The register has it from whoever accepted it.
  'task.taken': ({ task, claim }, at) =>
    claim?.allowed ? { at: claim.allowed.at, by: claim.allowed.by, text: `accept the claim of ${task.id}`, appliedAt: at, answer: null } : null,
};

function isAppliedBy(body: EventBody, { answer }: Given): boolean {
  if (answer === null) return body.type === 'run.stopped';
  return body.type === 'effect.begun' && answersTold(body.effect).includes(answer);
}

function answersTold(effect: Effect): readonly string[] {
  if (effect.kind !== 'run-agent') return [];
  return [...(effect.answers ?? []), ...(effect.turn?.answers ?? [])].map(({ answer }) => answer);
}
