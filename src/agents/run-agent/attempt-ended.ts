import type { Ports } from '../../engine/ports/ports.ts';
import type { RunAgent } from '../../journal/effects/effect.ts';
import type { AttemptEnded, Ending, Spent } from '../../journal/events/attempt.ts';
import type { Usage } from '../../journal/words/agent-event.ts';
import { estimatedCostUsd, pricesOf } from '../../limits/money.ts';
import { OVERLOADED } from '../../limits/retry-policy.ts';
import { findVerdict, type SpokenVerdict } from '../../proof/claims/find-verdict.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { attemptVerdict } from '../attempt/attempt-summary.ts';
import { commitMessage } from '../attempt/commit-message.ts';
import { whyNotOk } from '../attempt/why-not-ok.ts';
import type { AttemptOutput } from './attempt-output.ts';
import type { UnreadablePrompt } from './prompt-file.ts';

/** The fact of an attempt: its events and its ending, judged once and for all. */
export function attemptEnded(effect: RunAgent, ending: Ending, attemptOutput: AttemptOutput, { ports, durationMs, isSealed = false }: Measured): AttemptEnded {
  const { summary } = attemptOutput;
  const { verdict, why, claim, said } = judged(effect, ending, attemptOutput);
  return {
    ...noOutput(effect),
    verdict,
    why,
    ending,
    claim,
    ...(said && { review: { ...said, weak: !isSealed } }),
    message: verdict === 'ok' && effect.role === 'message' ? commitMessage(attemptOutput.answer()) : null,
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

type Judged = Pick<AttemptEnded, 'verdict' | 'why' | 'claim'> & { readonly said: SpokenVerdict | null };

/** The verdict and what follows from it. A reviewer without a verdict and without a question is asked again, as one without any output. */
function judged(effect: RunAgent, ending: Ending, attemptOutput: AttemptOutput): Judged {
  const verdict = attemptVerdict(attemptOutput.summary, ending);
  if (verdict !== 'ok') return { verdict, why: whyNotOk(verdict, attemptOutput.summary, ending), claim: null, said: null };
  const claim = effect.role === 'work' || effect.turn ? attemptOutput.claim() : null;
  if (!judgesStory(effect)) return { verdict, why: '', claim, said: null };
  const said = findVerdict(attemptOutput.lastMessage());
  const isAsking = claim?.by === 'blocked' || claim?.by === 'question';
  return said === null && !isAsking ? { verdict: 'empty', why: NO_VERDICT, claim, said } : { verdict, why: '', claim, said };
}

interface Measured {
  readonly ports: Pick<Ports, 'settings'>;
  readonly durationMs: number;
  /** Whether nothing could run beside it, or write, while it judged. */
  readonly isSealed?: boolean;
}

const NO_VERDICT = 'the reviewer gave no readable verdict: one JSON object, once, at the end of its last message';

/** Reviews of `ralph run` fix what they find; only those of stories judge. */
export function judgesStory({ role, turn }: Pick<RunAgent, 'role' | 'turn'>): boolean {
  return role === 'review' && turn !== undefined;
}

/** If an agent does not report its cost, it is computed from its tokens, if prices are configured. */
function priced(spent: Spent, model: string | null, settings: RunSettings): Spent {
  const prices = pricesOf(settings);
  if (spent.cost_usd !== null || prices === null) return spent;
  const cost_usd = estimatedCostUsd(spent, model ?? settings.agent.model, prices);
  return cost_usd === null ? spent : { ...spent, cost_usd, estimated: true };
}

/** The prompt file is missing or cannot be read: the operator has to fix that, and a retry cannot help. */
export function promptUnreadable(effect: RunAgent, { path, reason }: UnreadablePrompt): AttemptEnded {
  const why = `the prompt file cannot be read: ${path}: ${reason}. Put it back and continue with: ralph runs resume`;
  return { ...noOutput(effect), verdict: 'fatal', why, ending: { kind: 'never-started', reason: 'other', message: why }, exit_code_if_fatal: 2 };
}

function noOutput({ key, iteration, attempt, role }: RunAgent): AttemptEnded {
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

/** Reported numbers are not trusted: NaN and negative ones count as unknown. */
function spentOf({ input, cacheRead, cacheWrite, output, costUsd }: Usage): Spent {
  const count = (value: number) => (Number.isFinite(value) && value > 0 ? Math.round(value) : 0);
  const cost = costUsd !== undefined && Number.isFinite(costUsd) && costUsd >= 0 ? costUsd : null;
  return { input: count(input), cache_read: count(cacheRead), cache_write: count(cacheWrite), output: count(output), cost_usd: cost, estimated: false };
}
