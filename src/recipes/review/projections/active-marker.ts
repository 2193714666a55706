import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Projection } from '../../../engine/contracts.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { readRegular } from '../../../kit/files/read.ts';
import { snapshotOf } from '../../../plans/review/transitions.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';

interface MarkedRun {
  readonly spec: StoriesSpec;
  readonly maxIterations: number;
  /** Whether there is a sandbox, in the seed's words. */
  readonly mode: 'sandbox' | 'direct';
  /** The socket of its loop. */
  readonly socket: string;
  readonly nowMs: () => number;
  readonly warn: (text: string) => void;
}

/** Written before an agent starts, so that its hooks find it. */
const WRITTEN_AT: ReadonlySet<EventBody['type']> = new Set(['run.started', 'run.resumed', 'turn.begun']);

/**
 * Keeps `.ralph-active` at the project's root (seed 003): who works there, on what, and the stories before this turn. It is for people, and for hooks that
 * find no loop; no loop ever trusts it. Written synchronously, and removed at the end unless it belongs to another loop by then.
 */
export function keepActiveMarker(path: string, { spec, maxIterations, mode, socket, nowMs, warn }: MarkedRun): Projection {
  let run: string | null = null;
  let isTold = false;

  /** Twice, because the system may have refused a single call. */
  function attempt(work: () => void, tries = 2): void {
    try {
      work();
    } catch (error) {
      if (tries > 1) attempt(work, tries - 1);
      else {
        if (!isTold) warn(`cannot keep ${path}: ${(error as Error).message}`);
        isTold = true;
      }
    }
  }

  function payload(state: RunState): object {
    const turn = state.open.find((each) => each.turn !== null)?.turn ?? null;
    return {
      timestamp: new Date(nowMs()).toISOString(),
      pid: process.pid,
      max_iterations: maxIterations,
      mode,
      skipReview: spec.skipReview,
      reviewCap: spec.reviewCap,
      iterationMode: turn?.mode ?? null,
      preIterationSnapshot: state.stories.plan && snapshotOf(state.stories.plan),
      run,
      ralph_dir: relative(dirname(path), join(spec.home, spec.folder)),
      story: turn?.story ?? null,
      socket,
    };
  }

  return {
    onEvent({ body }, state) {
      if (!WRITTEN_AT.has(body.type)) return;
      run = state.run?.id ?? null;
      attempt(() => replace(path, `${JSON.stringify(payload(state), null, 2)}\n`));
    },
    async close() {
      attempt(() => {
        if (run !== null && isOurs(path, run)) rmSync(path, { force: true });
      });
    },
  };
}

/** Replaces a link and never writes through it. */
function replace(path: string, text: string): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const fd = openSync(temporary, 'wx', 0o644);
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function isOurs(path: string, run: string): boolean {
  // Once more, because it also finds nothing if the system refuses a single call.
  const text = readRegular(path) ?? readRegular(path) ?? 'null';
  try {
    const marker = JSON.parse(text);
    return marker?.pid === process.pid && marker?.run === run;
  } catch {
    return false;
  }
}
