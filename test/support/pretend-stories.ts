import type { Decision } from '../../src/engine/decide/recipe.ts';
import type { Effect, RunAgent, RunGates } from '../../src/journal/effects/effect.ts';
import type { LookAtStories, RecordStories, SettleStories } from '../../src/journal/effects/story-effect.ts';
import type { AttemptEnded } from '../../src/journal/events/attempt.ts';
import type { ProofJudged } from '../../src/journal/events/gates.ts';
import { type EventBody, JOURNAL_VERSION, type JournalEvent } from '../../src/journal/events/journal-event.ts';
import { evolve } from '../../src/journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../src/journal/state/state.ts';
import type { Outcome } from '../../src/journal/words/outcome.ts';
import type { Story, StoryPlan, Verdict } from '../../src/journal/words/story.ts';
import { acceptPersonalEdits } from '../../src/plans/review/accept-personal-edits.ts';
import { applyMoves } from '../../src/plans/review/apply-moves.ts';
import { settleStories } from '../../src/plans/review/settle-stories.ts';
import { moveOfVerdict } from '../../src/plans/review/turn.ts';
import { stories } from '../../src/recipes/review/stories.ts';
import { skipsReview, storiesSpecOf } from '../../src/settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { runStarted } from './given.ts';
import { playOut } from './play-out.ts';
import { ended, judged } from './run-events.ts';

/** What an agent does in its turn: what it makes of the file, how it ends, and what the gates say after it. */
export interface StoryAct {
  readonly form?: (plan: StoryPlan, story: Story, effect: RunAgent) => string;
  /** What a reviewer says at the end; absent: that all is well. Null: nothing. */
  readonly said?: Verdict | null;
  readonly ended?: Partial<AttemptEnded>;
  readonly gates?: 'red';
  /** What comes of putting it to the proof; absent: it is proven. */
  readonly proof?: Partial<ProofJudged>;
  /** What git had to put back. */
  readonly undone?: readonly string[];
  /** Why the list cannot be committed. It is written all the same, and stays uncommitted. */
  readonly uncommitted?: string;
}

interface Script {
  readonly settings: RunSettings;
  /** The file; what is in it lives on from one play to the next. */
  readonly world: { text: string };
  /** By what an agent is asked for, and by how often it was asked before. */
  readonly act?: (effect: RunAgent, nth: number) => StoryAct;
  readonly news?: ReadonlyMap<number, EventBody>;
  readonly past?: readonly JournalEvent[];
  readonly killedAt?: number;
}

export interface PlayedStories {
  readonly outcome: Outcome | null;
  readonly events: readonly JournalEvent[];
  readonly state: RunState;
}

/** The good agent: implements and mends. What it reviews it approves, and writes nothing. */
export function goodForm(plan: StoryPlan, story: Story, { turn }: RunAgent): string {
  return turn?.mode === 'review' ? JSON.stringify(plan) : formWith(plan, story.id, { reviewStatus: 'needs_review', reviewFeedback: '', notes: 'Did it.' });
}

const APPROVES: Verdict = { decision: 'approved', feedback: '', notes: '', weak: false };

export const rejects = (feedback = 'The edge case is missing.'): StoryAct => ({ said: { ...APPROVES, decision: 'changes_requested', feedback } });

export function formWith(plan: StoryPlan, id: string, change: Partial<Story>): string {
  const userStories = plan.userStories.map((story) => (story.id === id ? { ...story, ...change } : story));
  return JSON.stringify({ ...plan, userStories });
}

/** Plays a run on stories without any world: each effect lands as soon as nothing more is asked for. */
export function playStories(script: Script): PlayedStories {
  const { settings, killedAt = Number.POSITIVE_INFINITY } = script;
  const play = openPlay(script);
  play.begin();
  const outcome = playOut(stories, settings, play, killedAt);
  return { outcome, ...play.now() };
}

function openPlay({ settings, world, act, news, past = [] }: Script) {
  const events: JournalEvent[] = [...past];
  let asked = events.filter(({ body }) => body.type === 'attempt.ended').length;
  let state = events.reduce(evolve, emptyState);
  let nowMs = events.at(-1)?.at ?? 0;
  let acting: StoryAct = {};

  function record(body: EventBody): void {
    const event = { v: JOURNAL_VERSION, seq: events.length + 1, at: nowMs, body };
    events.push(event);
    state = evolve(state, event);
    const told = news?.get(events.length);
    if (told) record(told);
  }

  function runAgent(effect: RunAgent): void {
    asked += 1;
    acting = act?.(effect, asked) ?? {};
    const plan = JSON.parse(world.text) as StoryPlan;
    const story = plan.userStories.find(({ id }) => id === effect.turn?.story.id);
    if (story && (acting.ended?.verdict ?? 'ok') === 'ok') world.text = (acting.form ?? goodForm)(plan, story, effect);
    record(
      ended(effect.iteration, {
        key: effect.key,
        attempt: effect.attempt,
        role: effect.role,
        ...(effect.agent !== undefined && { agent: effect.agent }),
        claim: null,
        ...saidIn(effect, acting),
        ...acting.ended,
      }),
    );
  }

  function land(effect: Effect): void {
    nowMs += 1_000;
    const { key, iteration, attempt } = effect;
    if (effect.kind === 'prove' && acting.proof?.sealed !== undefined) record({ type: 'sealed.begun', key, iteration, attempt });
    if (effect.kind === 'run-agent') runAgent(effect);
    else record(factOf(effect, { settings, world, acting }));
  }

  return {
    events,
    record,
    nowMs: () => nowMs,
    now: () => ({ events, state }),
    begin() {
      if (past.length === 0) {
        record(runStarted(settings));
        return;
      }
      record({ type: 'run.resumed', ralph: 'test', writer: { host: 'h', boot_id: 'b', pid: 2, start_time: '2' } });
      for (const effect of [...state.inFlight]) record({ type: 'effect.lost', key: effect.key });
    },
    obey(decisions: readonly Decision[]) {
      const next = decisions.find((decision) => decision.kind === 'say' || decision.kind === 'do');
      const [inFlight] = state.inFlight;
      if (next?.kind === 'say') record(next.event);
      else if (next?.kind === 'do') record({ type: 'effect.begun', key: next.effect.key, effect: next.effect });
      else if (inFlight) land(inFlight);
      else nowMs = Math.min(...decisions.map((decision) => (decision.kind === 'wait' ? decision.untilMs : Number.POSITIVE_INFINITY)));
    },
  };
}

function saidIn({ role }: RunAgent, { said = APPROVES, ended: how }: StoryAct): Partial<AttemptEnded> {
  return role === 'review' && (how?.verdict ?? 'ok') === 'ok' && said !== null ? { review: said } : {};
}

interface Around {
  readonly settings: RunSettings;
  readonly world: { text: string };
  readonly acting: StoryAct;
}

type Acts = { readonly [K in Effect['kind']]?: (effect: Extract<Effect, { kind: K }>, around: Around) => EventBody };

const FACTS: Acts = {
  'look-at-stories': look,
  'settle-stories': settle,
  'record-stories': record,
  'run-gates': judge,
  'write-receipt': ({ key, receipt: { story, commit } }) => ({
    ...{ type: 'receipt.written', key, file: `/run/receipts/${story?.id}.json`, commit, signed_by: 'sha256:k', task: story?.id ?? '' },
  }),
  prove: ({ key, iteration, attempt, tree }, { acting }) => {
    const nothing = { results: [], changed: [], allowed: [], gates: [], reason: '' };
    return { type: 'proof.judged', key, iteration, attempt, tree, verdict: 'proven', level: 'green', ...nothing, ...acting.proof };
  },
};

function factOf(effect: Effect, around: Around): EventBody {
  const fact = FACTS[effect.kind];
  if (!fact) throw new Error(`Nobody pretends ${effect.kind}.`);
  return fact(effect as never, around);
}

const rulesIn = (settings: RunSettings) => ({ cap: storiesSpecOf(settings)?.reviewCap ?? 5, skipReview: skipsReview(settings) });
const formIn = ({ text }: Around['world']) => ({ kind: 'text' as const, text });

function look({ key, truth }: LookAtStories, { settings, world, acting }: Around): EventBody {
  const { plan, problem, changes } = acceptPersonalEdits(truth, formIn(world), rulesIn(settings));
  if (plan !== null) world.text = JSON.stringify(plan);
  return {
    type: 'stories.seen',
    key,
    plan,
    problem,
    changes: [...changes],
    head: 'c0',
    branch: 'ralph/demo',
    tree: 't0',
    dirty: acting.uncommitted === undefined ? [] : ['tasks.json'],
  };
}

function settle({ key, iteration, attempt, truth, mode, story, counts, review, undo_all }: SettleStories, { settings, world, acting }: Around): EventBody {
  const rules = rulesIn(settings);
  const reviewed = truth.userStories.find(({ id }) => id === story);
  const { plan, move, accepted, refused } =
    mode === 'review'
      ? { plan: truth, move: review && reviewed ? moveOfVerdict(review, reviewed, rules.cap) : null, accepted: [], refused: [] }
      : settleStories(truth, formIn(world), { mode, story, ...rules });
  const said = counts && !acting.undone ? move : null;
  const hoped = said === null ? plan : applyMoves(plan, [said], { ...rules, green: true, red: '' }).plan;
  world.text = JSON.stringify(undo_all ? truth : hoped);
  const ground = { undone: [...(acting.undone ?? [])], kept: null, head: `c${iteration}.${attempt}`, tree: 't', commit: null, problem: null };
  return { type: 'stories.settled', key, iteration, attempt, plan, move: said, accepted: [...accepted], refused: [...refused], ...ground };
}

function record({ key, iteration, plan, moved, at_cap, weak }: RecordStories, { world, acting }: Around): EventBody {
  world.text = JSON.stringify(plan);
  return {
    type: 'stories.recorded',
    key,
    iteration,
    plan,
    moved,
    at_cap,
    ...(weak !== undefined && { weak }),
    head: `c${iteration}`,
    tree: `t${iteration}`,
    commit: null,
    problem: acting.uncommitted ?? null,
  };
}

function judge({ key, iteration, attempt, where, gates }: RunGates, { acting }: Around): EventBody {
  const results = gates.map((gate) => [gate, acting.gates === 'red' ? 1 : 0] as const);
  return { ...judged(iteration, results), key, attempt, where } as EventBody;
}
