import type { Usage } from '../journal/words/agent-event.ts';

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** What is optional stays absent only if neither side has it. Sums stop at what a number can count exactly. */
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
