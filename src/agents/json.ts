import type { Usage } from '../journal/words/agent-event.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const BRACE = 0x7b;

/** The JSON object in a line; null for everything else. Lines that cannot be one are recognised without the cost of an exception. */
export function parseObject(line: string): JsonObject | null {
  if (line.charCodeAt(0) !== BRACE) return null;
  try {
    return objectIn(JSON.parse(line));
  } catch {
    return null;
  }
}

export function objectIn(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A non-negative integer; anything else counts as 0, so that no agent can break our sums. */
export function countIn(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** An optional field is absent only if both sides lack it. Sums stop at the largest exact integer. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: sum(a.input, b.input),
    cacheRead: sum(a.cacheRead, b.cacheRead),
    cacheWrite: sum(a.cacheWrite, b.cacheWrite),
    output: sum(a.output, b.output),
    ...((a.reasoning ?? b.reasoning) !== undefined && { reasoning: sum(a.reasoning ?? 0, b.reasoning ?? 0) }),
    ...((a.costUsd ?? b.costUsd) !== undefined && { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0) }),
  };
}

function sum(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}
