import type { Projection } from '../../engine/contracts.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { RunState } from '../../journal/state/state.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import { runView } from '../views/run-view.ts';

const WORTH_WRITING: ReadonlySet<EventBody['type']> = new Set([
  'run.started',
  'run.resumed',
  'iteration.opened',
  'iteration.closed',
  'turn.begun',
  'question.answered',
  'run.stopped',
]);

/** Keeps run.json up to date, for people and tools that want one small file. Writes are batched; a failed write affects nothing but this view. */
export function keepRunJson(path: string): Projection {
  let latest: { readonly state: RunState; readonly atMs: number } | null = null;
  let writing: Promise<void> | null = null;
  const write = async () => {
    while (latest) {
      const { state, atMs } = latest;
      latest = null;
      await writeAtomic(path, `${JSON.stringify(runView(state, atMs), null, 2)}\n`).catch(() => undefined);
    }
    writing = null;
  };
  return {
    onEvent({ body, at }, state) {
      if (!WORTH_WRITING.has(body.type)) return;
      latest = { state, atMs: at };
      writing ??= write();
    },
    async close() {
      await writing;
    },
  };
}
