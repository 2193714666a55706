import type { AttemptEnded } from '../../src/journal/events/attempt.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { IterationResult } from '../../src/journal/events/run.ts';
import type { TaskSeen } from '../../src/journal/events/task.ts';
import type { Outcome } from '../../src/journal/words/outcome.ts';
import { agentBegun, closed, ended, opened } from './run-events.ts';

/** The events of a supervised run as a journal holds them; say only what differs from a folder in which nothing has happened. */
export const looked = (over: Partial<TaskSeen> = {}): EventBody => ({
  type: 'task.seen',
  key: 'look:1',
  before: 0,
  done: { kind: 'absent' },
  wait: null,
  children: [],
  blocked_by: [],
  bus_mark: null,
  ...over,
});

export const spawned = (attempt: string): EventBody => ({
  type: 'attempt.spawned',
  attempt,
  host: 'h',
  boot_id: 'b',
  pid: 77,
  start_time: '1',
  command: ['agent'],
  prompt_head: '',
});

/** One life from its opening to its close; the look after it is not part of it. */
export function life(number: number, over: Partial<AttemptEnded> = {}, result: IterationResult = 'green'): readonly EventBody[] {
  return [looked({ before: number }), opened(number), agentBegun(number), spawned(`${number}.1`), ended(number, over), closed(number, { result })];
}

export const failedLife = (number: number, code = 1): readonly EventBody[] =>
  life(number, { verdict: 'failed', why: `the agent exited with code ${code}`, ending: { kind: 'exited', code } }, 'failed');

export const childStarted = (run: string): EventBody => ({
  type: 'child.started',
  key: `child:${run}`,
  run,
  host: 'h',
  boot_id: 'b',
  pid: 78,
  start_time: '1',
});

export const completed: Outcome = {
  stop_reason: 'completed',
  message: 'task completed (DONE marker present, no active children)',
  claim: { by: 'done-file', text: 'DONE' },
  unproven: true,
  zero_work: false,
  signal: null,
  exit_code: 0,
};

export const stopped = (outcome: Outcome): EventBody => ({ type: 'run.stopped', outcome });
