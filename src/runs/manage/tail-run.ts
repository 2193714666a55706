import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamParser } from '../../agents/agent-definition.ts';
import { readRunBrief } from '../../store/runs/run-brief.ts';
import { longestLineBytes, splitLines } from '../../process/lines.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { startIn } from '../../store/run-home.ts';
import { type AttemptPlace, attemptsIn } from './attempts-in.ts';
import { openGrowingFile } from './growing-file.ts';
import { openSpoolParser } from './spool-parser.ts';
import type { ToldRun } from './told-runs.ts';
import { unreadable } from './trouble-with-run.ts';

/** Told what agents say, attempt by attempt. */
export interface TailListener {
  onAttempt(place: AttemptPlace, isCut: boolean): void;
  /** As it was written. */
  onLine(line: string): void;
  /** The same, understood. */
  onEvent(event: AgentEvent): void;
  /** All that was there when somebody asked has been told. */
  onCaughtUp(): void;
}

interface TailWish {
  /** Goes on until the run has ended, from one attempt to the next. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** So much of a long output is looked through for its last lines. */
const LAST_BYTES = 8 * 1024 * 1024;
const EVERY_MS = 200;

/** What the newest agent of the run has said. False when there was none yet and nobody waited for it. */
export async function tailRun({ sight }: ToldRun, listener: TailListener, { follow, signal }: TailWish): Promise<boolean> {
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const { agent } = ((await startIn(sight.folder))?.line['settings'] ?? {}) as { readonly agent?: unknown };
  let place = attemptsIn(sight.folder).at(-1) ?? null;
  using heard = openHearing(listener, (role) => openSpoolParser(agent, role));
  if (place !== null) heard.begin(place, LAST_BYTES);
  heard.listen();
  listener.onCaughtUp();
  while (follow && !signal.aborted) {
    const brief = await readRunBrief(sight.runsFolder, sight.run);
    const isOver = brief?.kind !== 'run' || brief.liveness !== 'alive';
    heard.listen();
    for (const next of attemptsAfter(place, sight.folder)) {
      heard.begin(next, Number.POSITIVE_INFINITY);
      heard.listen();
      place = next;
    }
    if (isOver) break;
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return place !== null;
}

function attemptsAfter(place: AttemptPlace | null, runFolder: string): readonly AttemptPlace[] {
  const all = attemptsIn(runFolder);
  return all.slice(all.findIndex(({ folder }) => folder === place?.folder) + 1);
}

interface Hearing extends Disposable {
  begin(place: AttemptPlace, lastBytes: number): void;
  listen(): void;
}

/** One attempt after the other; the one before is heard to its end first. */
function openHearing(listener: TailListener, parserFor: (role: string) => StreamParser): Hearing {
  let close: () => void = () => undefined;
  let listen: () => void = () => undefined;
  return {
    begin(place, lastBytes) {
      close();
      const file = openGrowingFile(join(place.folder, 'agent.jsonl'), lastBytes);
      const parser = parserFor(place.role);
      const lines = splitLines(longestLineBytes, (line) => {
        listener.onLine(line);
        for (const event of parser.line(line)) listener.onEvent(event);
      });
      listener.onAttempt(place, file.isCut);
      listen = () => {
        for (const piece of file.more()) lines.push(piece);
      };
      close = () => {
        listen();
        lines.end();
        for (const event of parser.end(false)) listener.onEvent(event);
        file[Symbol.dispose]();
      };
    },
    listen: () => listen(),
    [Symbol.dispose]: () => close(),
  };
}
