import type { Projection } from '../engine/projection.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { isStoryEvent } from '../journal/events/story-event.ts';
import { isTaskEvent } from '../journal/events/task-event.ts';
import { isWorkEvent } from '../journal/events/work-event.ts';
import { checkResult, openIterationTally } from './iteration-tally.ts';
import type { LoopEvent } from './loop-event.ts';

interface Place {
  readonly runFolder: string;
  /** Where the caller wants to work; a worktree of the run is somewhere else. */
  readonly cwd: string;
}

/** Follows a run and tells of it in the words of the library. */
export function tellEvents({ runFolder, cwd }: Place, tell: (event: LoopEvent) => void): Projection {
  const tally = openIterationTally();
  return {
    onEvent(event, state) {
      const { body } = event;
      if ((body.type === 'run.started' || body.type === 'run.resumed') && state.run) {
        const { id: runId, settings } = state.run;
        tell({ type: 'run.started', runId, runFolder, workspaceRoot: settings.loop?.worktree?.path ?? cwd, isResumed: body.type === 'run.resumed' });
      }
      for (const told of inOtherWords(body)) tell(told);
      const closed = tally.hear(event, state);
      if (closed) tell({ type: 'iteration.finished', iteration: closed });
    },
    onAgentEvent: (attempt, event) => tell({ type: 'agent', iteration: iterationIn(attempt), event }),
    onProgress(progress) {
      const iteration = iterationIn(progress.attempt);
      if (progress.type === 'gate.started') tell({ type: 'check.started', iteration, name: progress.gate.command });
      else tell({ type: 'check.finished', iteration, check: checkResult(progress.result) });
    },
  };
}

/** `<iteration>.<attempt>` */
const iterationIn = (attempt: string) => Number.parseInt(attempt, 10);

/** Those that need nothing but themselves. The others are told elsewhere, or are the loop's own business. */
function inOtherWords(body: EventBody): readonly LoopEvent[] {
  if (isTaskEvent(body) || isWorkEvent(body) || isStoryEvent(body)) return [];
  switch (body.type) {
    case 'iteration.opened':
      return [{ type: 'iteration.started', iteration: body.iteration }];
    case 'attempt.ended':
      return [{ type: 'agent.finished', iteration: body.iteration, ok: body.verdict === 'ok', why: body.why, duration: body.duration_ms / 1000 }];
    case 'paths.restored':
      return body.paths.length === 0 ? [] : [{ type: 'paths.restored', iteration: body.iteration, paths: body.paths }];
    case 'commit.made':
      return [{ type: 'commit.made', iteration: body.iteration, commit: body.commit }];
    case 'commit.refused':
      return [{ type: 'commit.refused', iteration: body.iteration, why: body.detail }];
    case 'spec.seen':
      return [{ type: 'spec.changed', path: body.path, isObeyed: body.obeyed }];
    case 'limit.seen':
      return [{ type: 'limit.met', resetsAt: body.resets_at === null ? null : new Date(body.resets_at) }];
    case 'receipt.written':
      return [{ type: 'receipt.written', file: body.file, commit: body.commit }];
    case 'wall.refused':
      return [{ type: 'wall.refused', what: body.what, target: body.target }];
    case 'run.started':
    case 'run.resumed':
    case 'run.stopped':
    case 'iteration.closed':
    case 'gates.judged':
    case 'attempt.spawned':
    case 'command.ended':
    case 'effect.begun':
    case 'effect.lost':
    case 'operator.asked':
    case 'settings.seen':
      return [];
  }
}
