import { join } from 'node:path';
import { attemptFolder } from '../../../engine/attempt-folder.ts';
import type { Projection } from '../../../engine/contracts.ts';
import type { Place } from '../../../engine/ports/ports.ts';
import type { Bus } from '../../../engine/ports/supervision.ts';
import { emptyState } from '../../../journal/state/state.ts';
import { openHeldFile } from '../../../kit/files/write.ts';
import { busPostsFor } from '../bus-posts.ts';
import { type BusPost, withStderr } from '../bus-posts-of-an-attempt.ts';
import type { SuperviseState } from '../supervised-task.ts';

/** The size of the queue: many events must not use unbounded memory. */
const MOST_WAITING = 1000;
/** After this many failures in a row the bus is not used any more: each may take long, and the end of the run waits for them. */
const MOST_FAILURES = 3;
const STDERR_BYTES = 64 * 1024;

/** Posts what a run does on the bus of its task, one message after the other. A failing bus does not stop the run. */
export function postOnTaskBus(bus: Bus, place: Place): Projection {
  let before = emptyState as SuperviseState;
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let failures = 0;

  async function post(entry: BusPost): Promise<void> {
    if (failures < MOST_FAILURES) {
      const posted = await bus.post(completed(entry, place)).then(
        () => true,
        () => false,
      );
      failures = posted ? 0 : failures + 1;
    }
    waiting -= 1;
  }

  return {
    onEvent(event, state: SuperviseState) {
      const posts = busPostsFor(event, before, state);
      before = state;
      for (const entry of posts) {
        if (waiting >= MOST_WAITING) return;
        waiting += 1;
        last = last.then(() => post(entry));
      }
    },
    async close() {
      await last;
    },
  };
}

function completed({ message, stderrOf }: BusPost, place: Place): BusPost['message'] {
  return stderrOf === null ? message : withStderr(message, endOf(join(attemptFolder(place, stderrOf), 'agent.stderr')));
}

/** Reads only the end of the file, and never something that could block: an agent may have replaced it. */
function endOf(path: string): string {
  using file = openHeldFile(path);
  file.hold();
  return file.read('end', STDERR_BYTES);
}
