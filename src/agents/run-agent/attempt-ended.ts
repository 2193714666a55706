import type { Ports } from '../../engine/ports/ports.ts';
import type { RunAgent } from '../../journal/effects/effect.ts';
import type { AttemptEnded, Ending, Spent } from '../../journal/events/attempt.ts';
import type { Usage } from '../../journal/words/agent-event.ts';
import { estimatedCostUsd, pricesOf } from '../../limits/money.ts';
import { OVERLOADED } from '../../limits/retry.ts';
import { findVerdict, type SpokenVerdict } from '../../proof/claims/find-verdict.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { judgeEnding } from '../attempt/attempt-summary.ts';
import { commitMessage } from '../attempt/commit-message.ts';
import { whyNotOk } from '../attempt/why-not-ok.ts';
import type { Hearing } from './hearing.ts';
import type { NoPrompt } from './no-prompt.ts';

/** The fact of an attempt: what was heard and how it ended, judged once and for all. */
export function attemptEnded(effect: RunAgent, ending: Ending, hearing: Hearing, { ports, durationMs, isSealed = false }: Measured): AttemptEnded {
  const { summary } = hearing;
  const { verdict, why, claim, said } = judged(effect, ending, hearing);
  return {
    ...nothingHeard(effect),
    verdict,
    why,
    ending,
    claim,
    ...(said && { review: { ...said, weak: !isSealed } }),
    message: verdict === 'ok' && effect.role === 'message' ? commitMessage(hearing.answer()) : null,
    limit_resets_at: summary.limit?.resetsAtMs ?? null,
    limit_window: verdict === 'limited' && summary.limit === null ? OVERLOADED : (summary.limit?.window ?? null),
    spent: summary.usage ? priced(spentOf(summary.usage), summary.model, ports.settings) : null,
    tools: summary.tools,
    tool_errors: summary.toolErrors,
    unknown_lines: summary.unknownLines,
    duration_ms: Math.max(0, Math.round(durationMs)),
    exit_code_if_fatal: verdict === 'fatal' ? 4 : null,
  };
}

type Heard = Pick<AttemptEnded, 'verdict' | 'why' | 'claim'> & { readonly said: SpokenVerdict | null };

/** How it ended, and what it has said by that. A reviewer that gave no verdict, and has no question either, is asked again, as one that said nothing at all. */
function judged(effect: RunAgent, ending: Ending, hearing: Hearing): Heard {
  const verdict = judgeEnding(hearing.summary, ending);
  if (verdict !== 'ok') return { verdict, why: whyNotOk(verdict, hearing.summary, ending), claim: null, said: null };
  const claim = effect.role === 'work' || effect.turn ? hearing.claim() : null;
  if (!judgesStory(effect)) return { verdict, why: '', claim, said: null };
  const said = findVerdict(hearing.lastMessage());
  const isAsking = claim?.by === 'blocked' || claim?.by === 'question';
  return said === null && !isAsking ? { verdict: 'empty', why: NO_VERDICT, claim, said } : { verdict, why: '', claim, said };
}

interface Measured {
  readonly ports: Pick<Ports, 'settings'>;
  readonly durationMs: number;
  /** Whether nothing could run beside it, or write, while it judged. */
  readonly isSealed?: boolean;
}

const NO_VERDICT = 'the reviewer ended without a verdict that can be read: one JSON object, once, at the end of its last message';

/** Reviews of `ralph run` mend what they find; only those of stories judge. */
export function judgesStory({ role, turn }: Pick<RunAgent, 'role' | 'turn'>): boolean {
  return role === 'review' && turn !== undefined;
}

/** What an agent does not say is summed up from its tokens, if somebody has named their price. */
function priced(spent: Spent, model: string | null, settings: RunSettings): Spent {
  const prices = pricesOf(settings);
  if (spent.cost_usd !== null || prices === null) return spent;
  const cost_usd = estimatedCostUsd(spent, model ?? settings.agent.model, prices);
  return cost_usd === null ? spent : { ...spent, cost_usd, estimated: true };
}

/** The prompt file is gone or cannot be read: the operator's to mend, and no later attempt would fare better. */
export function promptUnreadable(effect: RunAgent, { path, reason }: NoPrompt): AttemptEnded {
  const why = `the prompt file cannot be read: ${path}: ${reason}. Put it back and continue with: ralph runs resume`;
  return { ...nothingHeard(effect), verdict: 'fatal', why, ending: { kind: 'never-started', reason: 'other', message: why }, exit_code_if_fatal: 2 };
}

function nothingHeard({ key, iteration, attempt, role }: RunAgent): AttemptEnded {
  return {
    type: 'attempt.ended',
    key,
    iteration,
    attempt,
    role,
    verdict: 'failed',
    why: '',
    ending: { kind: 'lost' },
    claim: null,
    message: null,
    tree: null,
    limit_resets_at: null,
    limit_window: null,
    spent: null,
    tools: 0,
    tool_errors: 0,
    unknown_lines: 0,
    duration_ms: 0,
    exit_code_if_fatal: null,
  };
}

/** Numbers an agent reports are not trusted to be numbers: NaN and negative ones count as not said. */
function spentOf({ input, cacheRead, cacheWrite, output, costUsd }: Usage): Spent {
  const count = (value: number) => (Number.isFinite(value) && value > 0 ? Math.round(value) : 0);
  const cost = costUsd !== undefined && Number.isFinite(costUsd) && costUsd >= 0 ? costUsd : null;
  return { input: count(input), cache_read: count(cacheRead), cache_write: count(cacheWrite), output: count(output), cost_usd: cost, estimated: false };
}
