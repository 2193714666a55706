import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { EventBody, JournalEvent } from '../../src/journal/events/journal-event.ts';
import { readJournalFile } from '../../src/store/journal-file.ts';
import { COST_USD, type CrashWorld, type EndedRun, linesOf } from './crash-world.ts';
import { until } from './until.ts';

/** What must hold after a crashed run was resumed to its end, wherever it crashed. */
export async function expectSurvived(world: CrashWorld, { code, stderr, result }: EndedRun): Promise<void> {
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(result).toMatchObject({ done: true, stop_reason: 'completed', unproven: false, iterations: 2 });
  const events = await wholeJournal(world.runFolder());
  expectNumbersUsedOnce(events);
  expectProofAfterTheClaim(events, world.log());
  expectNothingSpentForgotten(events, world.runFolder(), result?.cost_usd ?? null);
  await until('nothing runs any more', () => world.processes().length === 0);
}

/** Reads every line without our own code: no torn line, no gap, no decreasing time. */
async function wholeJournal(runFolder: string): Promise<readonly JournalEvent[]> {
  const path = join(runFolder, 'journal.jsonl');
  const text = readFileSync(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  const lines = linesOf(path).map((line) => JSON.parse(line));
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort((a, b) => a - b));
  return await readJournalFile(path);
}

function expectNumbersUsedOnce(events: readonly JournalEvent[]): void {
  expect(of(events, 'iteration.opened').map(({ iteration }) => iteration)).toEqual([1, 2]);
  expect(of(events, 'iteration.closed').map(({ iteration, result }) => ({ iteration, result }))).toEqual([
    { iteration: 1, result: 'red' },
    { iteration: 2, result: 'green' },
  ]);
  const begun = of(events, 'effect.begun').filter(({ effect }) => effect.kind === 'run-agent');
  expect(new Set(begun.map(({ key }) => key)).size).toBe(begun.length);
}

/** The journal and the files agree that a gate was green after the last claim. */
function expectProofAfterTheClaim(events: readonly JournalEvent[], log: readonly string[]): void {
  const accepted = events.find(({ body }) => body.type === 'iteration.closed' && body.accepted);
  const claimed = events.findLast(({ body, seq }) => body.type === 'attempt.ended' && body.claim !== null && seq < (accepted?.seq ?? 0));
  const attempt = claimed?.body.type === 'attempt.ended' ? `${claimed.body.iteration}.${claimed.body.attempt}` : 'none';
  const judged = events.filter(({ body, seq }) => body.type === 'gates.judged' && seq > (claimed?.seq ?? 0) && seq < (accepted?.seq ?? 0));
  expect(judged.map(({ body }) => body)).toMatchObject([{ results: [{ green: true }] }]);
  expect(log.at(-1)).toBe(`gate ${attempt}`);
  const calls = log.filter((line) => line.startsWith('agent'));
  expect(new Set(calls).size, 'no attempt is made twice').toBe(calls.length);
}

/** The cost of every attempt is counted. One without a cost counts like the others, once one of them has a cost. */
function expectNothingSpentForgotten(events: readonly JournalEvent[], runFolder: string, costUsd: number | null): void {
  const spools = readdirSync(join(runFolder, 'iterations'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('agent.jsonl'));
  const told = spools.map((file) => readFileSync(join(runFolder, 'iterations', file), 'utf8').includes('"total_cost_usd"'));
  expect(of(events, 'attempt.ended')).toHaveLength(spools.length);
  expect(costUsd).toBe(told.some(Boolean) ? told.length * COST_USD : null);
}

function of<T extends EventBody['type']>(events: readonly JournalEvent[], type: T): Extract<EventBody, { type: T }>[] {
  return events.map(({ body }) => body).filter((body) => body.type === type) as Extract<EventBody, { type: T }>[];
}
