import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentDefinition } from '../../src/agents/agent-definition.ts';
import { type AttemptSummary, addEvent, attemptVerdict, startSummary } from '../../src/agents/attempt/attempt-summary.ts';
import { causeOf } from '../../src/agents/attempt/cause-of.ts';
import type { AttemptVerdict, Ending } from '../../src/journal/events/attempt.ts';
import type { AgentErrorKind, AgentEvent } from '../../src/journal/words/agent-event.ts';
import { causeText } from '../../src/journal/words/outcome.ts';

const streams = join(import.meta.dirname, '../fixtures/streams');

/** Shortly after the streams were recorded, which was in UTC. */
export const recordedAt = { nowMs: () => Date.UTC(2026, 10, 15, 3, 0), timeZone: 'UTC' };

export function streamPath(stream: string): string {
  return join(streams, `${stream}.jsonl`);
}

/**
 * Left out are recordings whose lines come to the same events and the same end as those of another one, and those with nothing on stdout, whose words on stderr
 * are in `complaints.test.ts`.
 */
export function streamNames(agent: string): string[] {
  return readdirSync(join(streams, agent)).map((file) => `${agent}/${file.replace('.jsonl', '')}`);
}

export interface Heard {
  readonly events: readonly AgentEvent[];
  readonly summary: AttemptSummary;
  /** Whether the agent had said its last word, after each line. */
  readonly settled: readonly boolean[];
}

export function hearLines(definition: AgentDefinition, lines: readonly string[], clock = recordedAt): Heard {
  const parser = definition.openParser(clock);
  const events: AgentEvent[] = [];
  const settled = lines.map((line) => {
    events.push(...parser.line(line));
    return parser.settled();
  });
  events.push(...parser.end(true));
  return { events, summary: events.reduce(addEvent, startSummary()), settled };
}

export function hearObjects(definition: AgentDefinition, objects: readonly object[], clock = recordedAt): Heard {
  return hearLines(
    definition,
    objects.map((object) => JSON.stringify(object)),
    clock,
  );
}

export function only<T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T): Extract<AgentEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

export function linesOf(stream: string): string[] {
  return readFileSync(streamPath(stream), 'utf8').split('\n').slice(0, -1);
}

/** What a recorded run must come to. What a row does not name is not looked at. */
export interface Row {
  readonly stream: string;
  /** The exit code or the signal it was recorded with. */
  readonly ended: number | string;
  readonly verdict: AttemptVerdict;
  readonly text?: string;
  readonly reason?: string;
  readonly costUsd?: number;
  /** Fresh input, read from the cache, output. */
  readonly tokens?: readonly [number, number, number];
  /** Calls, and how many of them failed. */
  readonly tools?: readonly [number, number];
  readonly retries?: number;
  readonly unknownLines?: number;
  readonly limit?: AttemptSummary['limit'];
  readonly error?: AgentErrorKind;
  /** Class and kind of its cause; absent: it ended well. */
  readonly cause?: string;
}

export function expectRow(definition: AgentDefinition, row: Row): void {
  const { summary } = hearLines(definition, linesOf(row.stream));
  const ending: Ending = typeof row.ended === 'number' ? { kind: 'exited', code: row.ended } : { kind: 'signalled', signal: row.ended };
  const { usage } = summary;
  const verdict = attemptVerdict(summary, ending);
  const cause = causeOf(verdict, summary, ending);
  const seen: Record<string, unknown> = {
    ...row,
    verdict,
    ...(cause && { cause: causeText(cause) }),
    text: summary.text,
    reason: summary.terminal?.reason,
    costUsd: usage?.costUsd,
    tokens: usage && [usage.input, usage.cacheRead, usage.output],
    tools: [summary.tools, summary.toolErrors],
    retries: summary.retries,
    unknownLines: summary.unknownLines,
    limit: summary.limit,
    error: summary.error?.kind,
  };
  expect(Object.fromEntries(Object.keys({ ...row, ...(cause && { cause }) }).map((key) => [key, seen[key]]))).toEqual(row);
  expect(summary.unknownLines).toBe(row.unknownLines ?? 0);
}
