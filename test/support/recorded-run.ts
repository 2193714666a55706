import { definitionNamed } from '../../src/agents/find-definition.ts';
import { attemptEnded } from '../../src/agents/run-agent/attempt-ended.ts';
import { openAttemptOutput } from '../../src/agents/run-agent/attempt-output.ts';
import { RunAgent } from '../../src/journal/effects/effect.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import { notDone } from '../../src/journal/words/outcome.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { gatesRun, lint, type Moment, settings, started, test } from './play-on-console.ts';
import { hearLines, linesOf } from './recorded-streams.ts';
import { closed, opened } from './run-events.ts';

export interface RecordedRun {
  /** Whose parser listens. */
  readonly agent: string;
  /** An iteration for each. */
  readonly recordings: readonly string[];
}

/** A run in which a real agent says what was recorded of it, from the banner to the summary. The first iteration is red, the others are green. */
export function recordedRun({ agent, recordings }: RecordedRun, over: Partial<RunSettings> = {}): readonly (EventBody | Moment)[] {
  const iterations = recordings.flatMap((recording, index) => iterationOf(index + 1, { agent, recording }));
  const stopped: EventBody = { type: 'run.stopped', outcome: notDone('max_iterations', 'Maximum iterations reached without completion response.') };
  const begin = started({ agent: { ...settings.agent, kind: agent, command: agent, flags: [] }, maximumIterations: recordings.length, ...over });
  return [{ ...begin, sources: ['.ralph/settings.json', '.ralph/settings.local.json'] }, ...iterations, stopped];
}

const spawned = (iteration: number, agent: string): EventBody => ({
  type: 'attempt.spawned',
  attempt: `${iteration}.1`,
  ...{ host: 'h', boot_id: 'b', pid: 4711, start_time: '1' },
  command: [agent, '-p', '--model', 'opus', 'two words'],
  prompt_head: `Do the work.\n\nThen say so. ${'x'.repeat(200)}`,
});

function iterationOf(iteration: number, { agent, recording }: { readonly agent: string; readonly recording: string }): readonly (EventBody | Moment)[] {
  const key = `agent:${iteration}.1`;
  const effect = RunAgent.parse({ kind: 'run-agent', key, iteration, attempt: 1, role: 'work', failures: [], maximum: 10 });
  const hearing = openAttemptOutput({ prompt: 'Do the work.', speaks: 'events', claims: settings.claims });
  const { events } = hearLines(definitionNamed(agent), linesOf(recording));
  for (const event of events) hearing.hear(event);
  const isRed = iteration === 1;
  return [
    opened(iteration),
    { type: 'effect.begun', key, effect },
    spawned(iteration, agent),
    ...events.map((event): Moment => ({ agent: event })),
    attemptEnded(effect, { kind: 'exited', code: 0 }, hearing, { ports: { settings }, durationMs: 12_000, changedFiles: null }),
    ...gatesRun(iteration, [
      [lint, 0],
      [test, isRed ? 2 : 0],
    ]),
    closed(iteration, { result: isRed ? 'red' : 'green' }),
  ];
}
