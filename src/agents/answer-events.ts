import type { AgentEvent } from '../journal/words/agent-event.ts';
import type { AgentAnswer, AgentTokens } from './agent-factory.ts';

/** As much as is remembered of any agent's last message. */
const TEXT_CHARS = 1_000_000;
/** Each is an event. */
const MOST_STEPS = 10_000;
/** A function that did its work in silence has not come to nothing, as a process without a word has. */
const SILENT = 'It gave no text.';

/** What an agent did and used, in the words of a stream. Nothing of it is trusted to be what its type says. */
export function workEvents({ cost, steps, tokens }: AgentAnswer): readonly AgentEvent[] {
  return [...stepEvents(count(steps)), ...usageEvents(cost, tokens)];
}

export function turnEvent({ text }: AgentAnswer): AgentEvent {
  const said = typeof text === 'string' && text.trim() !== '' ? text.slice(-TEXT_CHARS) : SILENT;
  return { type: 'turn.finished', ok: true, text: said, reason: 'answered' };
}

function stepEvents(steps: number): AgentEvent[] {
  return Array.from({ length: Math.min(steps, MOST_STEPS) }, (_, index) => ({ type: 'tool.started', id: `step-${index + 1}`, name: 'step', input: null }));
}

function usageEvents(cost: unknown, tokens: AgentTokens | undefined): AgentEvent[] {
  const isSaid = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0;
  if (!isSaid && typeof tokens !== 'object') return [];
  const { input, cacheRead, cacheWrite, output } = tokens ?? {};
  const counts = { input: count(input), cacheRead: count(cacheRead), cacheWrite: count(cacheWrite), output: count(output) };
  return [{ type: 'usage', ...counts, ...(isSaid ? { costUsd: cost } : {}) }];
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
