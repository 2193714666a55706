import { randomInt } from 'node:crypto';
import type { AgentPort } from '../../engine/ports/agent.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { DaySpending, WindowSign } from '../../engine/ports/quota.ts';
import { attemptId, type RunAgent } from '../../journal/effects/effect.ts';
import type { AttemptEnded, DaySpent } from '../../journal/events/attempt.ts';
import { costsNothing } from '../../journal/evolve/spending.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { DAY_BUDGET, FLEET_BUDGET, OVERLOADED } from '../../limits/retry-policy.ts';
import { definitionOfKind } from '../find-definition.ts';
import { noOutput } from './attempt-ended.ts';

type Known = Pick<Ports, 'quota' | 'settings' | 'clock'>;

/** The fact of an attempt that needs no agent, because its end is known: the account is limited, or the money of the day is spent. Null: it may start. */
export async function knownEnd(effect: RunAgent, agent: AgentPort, { quota, clock, settings: { maxCostPerDay } }: Known): Promise<AttemptEnded | null> {
  if (maxCostPerDay !== undefined) {
    const day = await quota.spentToday();
    if (day.usd >= maxCostPerDay)
      return { ...notStarted(effect, 'the cost limit of the day is reached', { window: DAY_BUDGET, untilMs: day.endsAtMs }), day: dayFact(day) };
  }
  const limit = agent.account === undefined ? null : await quota.limitOf(agent.account);
  if (limit === null) return null;
  const ended = notStarted(effect, `usage limit (${limit.window}), known from an earlier attempt on this machine`, limit);
  return { ...ended, ...jitterFor(ended, clock.nowMs()) };
}

const FLEET_WAIT_MS = 10_000;

/** What this attempt may cost at most. The fact instead of an attempt: the workers of the fleet have spent, or reserved, all of the budget they share. */
export async function reserveShare(effect: RunAgent, { quota, clock }: Known): Promise<{ readonly budgetUsd: number | null } | AttemptEnded> {
  if (quota.budget === undefined) return { budgetUsd: effect.budget_usd };
  const answer = await quota.budget.reserve(attemptId(effect), effect.budget_usd);
  if (answer.kind === 'granted') return { budgetUsd: answer.usd };
  if (answer.kind === 'wait')
    return notStarted(effect, 'others have reserved what is left of the budget of the fleet', { window: FLEET_BUDGET, untilMs: clock.nowMs() + FLEET_WAIT_MS });
  const ended = notStarted(effect, 'the budget of the fleet is spent', { window: FLEET_BUDGET, untilMs: clock.nowMs() });
  return { ...ended, fleet: { limit_usd: answer.limitUsd, spent_usd: answer.spentUsd } };
}

function notStarted(effect: RunAgent, why: string, { window, untilMs }: { readonly window: string; readonly untilMs: number }): AttemptEnded {
  return {
    ...noOutput(effect),
    verdict: 'limited',
    why,
    cause: { class: 'waiting', kind: 'limit' },
    ending: { kind: 'never-started', reason: 'other', message: why },
    limit_resets_at: untilMs,
    limit_window: window,
    limit_known: true,
  };
}

/** Tells all runs of this machine what the attempt has learnt and cost, and completes its fact with what they know. */
export async function withQuota(ended: AttemptEnded, agent: AgentPort, signs: readonly WindowSign[], ports: Known): Promise<AttemptEnded> {
  const { quota, clock, settings } = ports;
  if (agent.account !== undefined) await quota.note(agent.account, allSigns(ended, signs), ended.verdict === 'ok');
  const usd = isPriced(ended, agent) ? (ended.spent?.cost_usd ?? null) : 0;
  const key = attemptId(ended);
  await quota.budget?.settle(key, usd);
  const day = isPriced(ended, agent) ? await quota.addCost({ key, usd, isMessage: ended.role === 'message' }) : null;
  return {
    ...ended,
    ...usedWindows(signs),
    ...jitterFor(ended, clock.nowMs()),
    ...(settings.maxCostPerDay !== undefined && { day: dayFact(day ?? (await quota.spentToday())) }),
  };
}

function usedWindows(signs: readonly WindowSign[]): Pick<AttemptEnded, 'windows'> {
  const windows = signs.flatMap(({ window, used, resetsAtMs }) =>
    used !== null && Number.isFinite(used) && used >= 0 ? [{ window: window.slice(0, WINDOW_CHARS), used, resets_at: resetsAtMs }] : [],
  );
  return windows.length === 0 ? {} : { windows };
}

const WINDOW_CHARS = 60;

/** A limit that only the agent's words have told is no event of its stream. */
function allSigns({ verdict, limit_window, limit_resets_at }: AttemptEnded, signs: readonly WindowSign[]): readonly WindowSign[] {
  if (verdict !== 'limited' || limit_window === OVERLOADED || signs.some(({ status }) => status === 'rejected')) return signs;
  return [...signs, { window: limit_window ?? ANY_WINDOW, status: 'rejected', used: null, resetsAtMs: limit_resets_at }];
}

/** The name of a window that the agent does not name. */
const ANY_WINDOW = 'usage';

/** Keeps the last word of each window, and not without end. */
export function openSigns(): { readonly hear: (event: AgentEvent) => void; readonly all: () => readonly WindowSign[] } {
  const signs = new Map<string, WindowSign>();
  return {
    hear(event) {
      if (event.type !== 'rate_limit' || signs.size === MOST_WINDOWS) return;
      const window = event.window ?? ANY_WINDOW;
      signs.set(window, { window, status: event.status, used: event.utilization ?? null, resetsAtMs: event.resetsAtMs ?? null });
    },
    all: () => [...signs.values()],
  };
}

const MOST_WINDOWS = 20;

/** Whether a cost is known or could have been told: what a plain command costs is nobody's business here. */
function isPriced(ended: AttemptEnded, { name }: AgentPort): boolean {
  return ended.spent?.cost_usd != null || (!costsNothing(ended) && definitionOfKind(name).outputFormat === 'events');
}

const JITTER_MS = 5_000;
/** A short wait is not worth a longer one. */
const LEAST_WAIT_MS = 60_000;

function jitterFor({ verdict, limit_resets_at }: AttemptEnded, nowMs: number): Pick<AttemptEnded, 'limit_jitter_ms'> {
  return verdict === 'limited' && limit_resets_at !== null && limit_resets_at - nowMs > LEAST_WAIT_MS ? { limit_jitter_ms: randomInt(JITTER_MS) } : {};
}

const dayFact = ({ date, usd, endsAtMs }: DaySpending): DaySpent => ({ date, usd, ends_at: endsAtMs });
