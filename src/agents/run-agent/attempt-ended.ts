import type { Ports } from '../../engine/ports/ports.ts';
import type { RunAgent } from '../../journal/effects/effect.ts';
import type { AttemptEnded, AttemptVerdict, Ending, Spent } from '../../journal/events/attempt.ts';
import { costsNothing } from '../../journal/evolve/spending.ts';
import type { Usage } from '../../journal/words/agent-event.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { agentNamed } from '../../limits/agents.ts';
import { estimatedCostUsd, messageCostUsd, priceFor, seenCostUsd, TELLS_TOKENS } from '../../limits/prices.ts';
import { OVERLOADED } from '../../limits/retry-policy.ts';
import { findVerdict, type SpokenVerdict } from '../../proof/claims/find-verdict.ts';
import { pricesOf, reviewAgentOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { AgentSpec } from '../../settings/schema/sandbox-spec.ts';
import { type AttemptSummary, attemptVerdict } from '../attempt/attempt-summary.ts';
import { causeOf } from '../attempt/cause-of.ts';
import { commitMessage } from '../attempt/commit-message.ts';
import { noUsage } from '../json.ts';
import type { AttemptOutput } from './attempt-output.ts';
import type { UnreadablePrompt } from './prompt-file.ts';

/** The fact of an attempt: its events and its ending, judged once and for all. */
export function attemptEnded(effect: RunAgent, ending: Ending, attemptOutput: AttemptOutput, measured: Measured): AttemptEnded {
  const { ports, durationMs, isSealed = false } = measured;
  const { summary } = attemptOutput;
  const { verdict, why, claim, said } = judged(effect, ending, attemptOutput, measured);
  const cause = causeOf(verdict, summary, ending);
  return {
    ...noOutput(effect),
    verdict,
    why,
    ...(cause && { cause }),
    ...(verdict === 'failed' && isAtOnce(summary, measured) && { at_once: true as const }),
    ending,
    claim,
    ...nearClaimOf(effect, verdict, attemptOutput),
    ...(said && { review: { ...said, weak: !isSealed } }),
    ...lastWordsOf(effect, attemptOutput),
    message: verdict === 'ok' && effect.role === 'message' ? commitMessage(attemptOutput.answer()) : null,
    limit_resets_at: summary.limit?.resetsAtMs ?? null,
    limit_window: verdict === 'limited' && summary.limit === null ? OVERLOADED : (summary.limit?.window ?? null),
    spent: summary.usage
      ? priced(summary.usage, summary.model, effect, ports.settings)
      : spentUntold(effect, { verdict, ending, summary, promptChars: attemptOutput.promptChars }, ports.settings),
    tools: summary.tools,
    tool_errors: summary.toolErrors,
    ...(summary.tools > 0 && summary.tools === summary.toolErrors && summary.toolError !== '' && { tool_error: summary.toolError }),
    unknown_lines: summary.unknownLines,
    duration_ms: Math.max(0, Math.round(durationMs)),
    exit_code_if_fatal: verdict === 'fatal' ? 4 : null,
  };
}

function lastWordsOf({ role }: RunAgent, attemptOutput: AttemptOutput): Pick<AttemptEnded, 'last_words'> {
  const last_words = role === 'message' ? '' : attemptOutput.lastWords();
  return last_words === '' ? {} : { last_words };
}

type Judged = Pick<AttemptEnded, 'verdict' | 'why' | 'claim'> & { readonly said: SpokenVerdict | null };

/** The verdict and what follows from it. A reviewer without a verdict and without a question is asked again, as one without any output. */
function judged(effect: RunAgent, ending: Ending, attemptOutput: AttemptOutput, { changedFiles }: Measured): Judged {
  const first = attemptVerdict(attemptOutput.summary, ending);
  const verdict = first === 'empty' && changedFiles === true ? 'ok' : first;
  if (verdict !== 'ok') return { verdict, why: whyNotOk(verdict, attemptOutput.summary, ending), claim: null, said: null };
  const claim = effect.role === 'work' || effect.turn ? attemptOutput.claim() : null;
  if (!judgesStory(effect)) return { verdict, why: '', claim, said: null };
  const said = findVerdict(attemptOutput.lastMessage());
  const isAsking = claim?.by === 'blocked' || claim?.by === 'question';
  return said === null && !isAsking ? { verdict: 'empty', why: NO_VERDICT, claim, said } : { verdict, why: '', claim, said };
}

const NEAR_CLAIM_CHARS = 60;

/** A story needs no claim: its fields say how it stands. */
function nearClaimOf({ role, turn }: RunAgent, verdict: AttemptVerdict, attemptOutput: AttemptOutput): Pick<AttemptEnded, 'near_claim'> {
  const said = role === 'work' && turn === undefined && verdict === 'ok' ? attemptOutput.nearClaim() : null;
  return said === null ? {} : { near_claim: truncateCodePoints(oneLine(said), NEAR_CLAIM_CHARS, '…') };
}

interface Measured {
  readonly ports: Pick<Ports, 'settings'>;
  readonly durationMs: number;
  /** Whether nothing could run beside it, or write, while it judged. */
  readonly isSealed?: boolean;
  /** Whether it has changed files; null: nobody looked. Only a command that printed nothing is looked at: it may have worked in silence. */
  readonly changedFiles: boolean | null;
}

const AT_ONCE_MS = 30_000;

/** It said, called and changed nothing, as far as anybody can tell. */
function isAtOnce({ empty, tools }: AttemptSummary, { durationMs, changedFiles }: Measured): boolean {
  return empty && tools === 0 && durationMs < AT_ONCE_MS && changedFiles === false;
}

const NO_VERDICT = 'the reviewer gave no readable verdict: one JSON object, once, at the end of its last message';

/** Reviews of `ralph run` fix what they find; only those of stories judge. */
export function judgesStory({ role, turn }: Pick<RunAgent, 'role' | 'turn'>): boolean {
  return role === 'review' && turn !== undefined;
}

/** A cost that the agent did not tell is computed from its tokens: from all, or from those that it used after it told a cost. */
function priced(usage: Usage, model: string | null, effect: RunAgent, settings: RunSettings): Spent {
  const spent = spentOf(usage);
  const untold = spent.cost_usd === null ? usage : usage.afterCost;
  if (untold === undefined) return spent;
  const agent = agentOfAttempt(effect, settings);
  const price = priceFor({ kind: agent.kind, model: model ?? agent.model }, pricesOf(settings));
  if (price === null) return { ...spent, estimated: spent.cost_usd !== null };
  return { ...spent, cost_usd: (spent.cost_usd ?? 0) + estimatedCostUsd(spentOf(untold), price), estimated: true };
}

interface Told {
  readonly verdict: AttemptVerdict;
  readonly ending: Ending;
  readonly summary: AttemptSummary;
  readonly promptChars: number;
}

/**
 * The cost of an attempt that told no tokens: of a commit message it is assumed, of an agent that was ended before it told them it is estimated from what was
 * seen. Null: it cost nothing, or nothing is known.
 */
function spentUntold(effect: RunAgent, { verdict, ending, summary, promptChars }: Told, settings: RunSettings): Spent | null {
  const isMessage = effect.role === 'message';
  if (costsNothing({ verdict, ending, spent: null, tools: summary.tools })) return null;
  const { kind, model } = agentOfAttempt(effect, settings);
  if (!isMessage && (summary.empty || !TELLS_TOKENS.has(kind))) return null;
  const price = priceFor({ kind, model: summary.model ?? model }, pricesOf(settings));
  if (price === null) return isMessage ? spentOf(noUsage) : null;
  return { ...spentOf(noUsage), cost_usd: isMessage ? messageCostUsd(price) : seenCostUsd({ ...summary, promptChars }, price), estimated: true };
}

function agentOfAttempt(effect: RunAgent, settings: RunSettings): AgentSpec {
  const reviewer = effect.agent === undefined && judgesStory(effect) ? reviewAgentOf(settings) : null;
  return reviewer ?? agentNamed(settings, effect.agent);
}

/** The prompt file is missing or cannot be read: the operator has to fix that, and a retry cannot help. */
export function promptUnreadable(effect: RunAgent, { path, reason }: UnreadablePrompt): AttemptEnded {
  const why = `the prompt file cannot be read: ${path}: ${reason}. Put it back and continue with: ralph runs resume`;
  const ending: Ending = { kind: 'never-started', reason: 'other', message: why };
  return { ...noOutput(effect), verdict: 'fatal', why, cause: { class: 'permanent', kind: 'prompt' }, ending, exit_code_if_fatal: 2 };
}

export function noOutput({ key, iteration, attempt, role, agent }: RunAgent): AttemptEnded {
  return {
    type: 'attempt.ended',
    key,
    iteration,
    attempt,
    role,
    ...(agent !== undefined && { agent }),
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

/** One line for people: why an attempt is not ok. Empty when it is. */
function whyNotOk(verdict: AttemptVerdict, summary: AttemptSummary, ending: Ending): string {
  switch (verdict) {
    case 'ok':
      return '';
    case 'limited':
      return summary.limit?.window ? `usage limit (${summary.limit.window})` : (summary.error?.message ?? 'usage limit');
    case 'empty':
      return 'the agent ended without any output';
    case 'lost':
      return 'the loop died while the agent ran';
    case 'failed':
    case 'fatal':
      return isOurDoing(ending) ? howItEnded(ending, summary) : (summary.error?.message ?? howItEnded(ending, summary));
    default:
      return assertNever(verdict);
  }
}

/** What an agent prints while Ralph stops it is a consequence of that. */
function isOurDoing(ending: Ending): boolean {
  return ending.kind === 'stopped' && ['idle', 'deadline', 'output'].includes(ending.cause);
}

function howItEnded(ending: Ending, { terminal }: AttemptSummary): string {
  switch (ending.kind) {
    case 'exited':
      if (ending.code !== 0) return `the agent exited with code ${ending.code}`;
      return terminal ? `the agent ended with "${terminal.reason}"` : 'the agent exited without saying how its turn ended';
    case 'signalled':
      return `the agent was killed by ${ending.signal}`;
    case 'stopped':
      return `the agent was stopped: ${ending.detail}`;
    case 'never-started':
      return ending.message;
    case 'lost':
      return 'nobody saw how the agent ended';
    default:
      return assertNever(ending);
  }
}
