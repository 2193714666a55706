import { setTimeout as sleep } from 'node:timers/promises';
import type { Children, StartedChild } from '../../../engine/ports/children.ts';
import { openHeldFile } from '../../../kit/files/held-file.ts';
import { complaintIn } from '../../../process/complaint.ts';
import { isAlive } from '../../../process/identity.ts';
import type { ProcessIdentity } from '../../../process/process-ending.ts';
import type { Watchman } from '../../../process/process-watch.ts';
import { type StartedDetached, startDetached } from '../../../process/start-detached.ts';
import type { ChildRequest } from '../../../journal/effects/task-effect.ts';
import { childArgs, type UsualChild } from './child-command.ts';
import { childPlace, keepRequest, keptRequest } from './child-place.ts';
import { endRuns, type RunAtWork } from './end-runs.ts';
import { registeredChild } from './registered-child.ts';

export interface ActiveChild extends RunAtWork {
  /** Otherwise it is waited for, and another run answers for it. */
  readonly isOurs: boolean;
}

export interface ChildrenOptions {
  readonly usual: UsualChild;
  /** Of every child: the supervisor's own environment, never its agent's. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The supervisor's: it keeps there what its children were asked for and what they print. */
  readonly runFolder: string;
  readonly markerPrefix: string;
  /** Ends the children when the supervisor cannot any more. */
  readonly guardian: Watchman;
  /** Where a run of that task has its journal; null is the supervisor's own task. */
  readonly runFolderOf: (run: string, task: string | null) => string;
  /** The runs at work that are waited for. */
  readonly activeRuns: () => Promise<readonly ActiveChild[]>;
  /** How long a child may take to register. */
  readonly registerWithinMs: number;
}

const EVERY_MS = 20;
const LOG_TAIL_BYTES = 64 * 1024;
const RUN_IS_OVER = 'the run is over';

/** Children as processes of `ralph job`, each in a session of its own. */
export function openChildren(options: ChildrenOptions): Children {
  const { runFolder, runFolderOf, activeRuns } = options;
  const started = new Map<string, ProcessIdentity>();

  /** What became of the files of a child is nothing to who has started it; one of an earlier sitting is known by them alone. */
  function registered(run: string): ProcessIdentity | null {
    const child = started.has(run) ? null : keptRequest(runFolder, run);
    return started.get(run) ?? (child && registeredChild(runFolderOf(run, child.task), run));
  }

  return {
    active: async () => (await activeRuns()).map(({ run }) => run),
    async start(child, signal) {
      const answer = await start(child, options, signal);
      if (answer.kind === 'started') started.set(child.run, answer.identity);
      return answer;
    },
    find: async (run) => registered(run),
    async end(runs) {
      const atWork = atWorkAmong(runs, await activeRuns(), registered);
      const left = await endRuns(atWork);
      return { ended: atWork.map(({ run }) => run).filter((run) => !left.includes(run)), left };
    },
  };
}

/** Only ours: those we started, on whatever task and whatever they say of themselves, and those nobody else answers for. */
function atWorkAmong(runs: readonly string[], active: readonly ActiveChild[], registered: (run: string) => ProcessIdentity | null): readonly RunAtWork[] {
  const ours = active.filter(({ run, isOurs }) => isOurs && runs.includes(run));
  const others = runs.filter((run) => !ours.some((known) => known.run === run));
  const started = others.flatMap((run) => {
    const identity = registered(run);
    return identity && isAlive(identity) ? [{ run, identity }] : [];
  });
  return [...ours, ...started];
}

async function start(child: ChildRequest, options: ChildrenOptions, signal: AbortSignal): Promise<StartedChild> {
  const { runFolder, usual, env, cwd, markerPrefix, guardian } = options;
  if (signal.aborted) return refused(RUN_IS_OVER);
  const prompt = await keepRequest(runFolder, child).then(
    (file) => ({ file }),
    (error: Error) => ({ error }),
  );
  if ('error' in prompt) return refused(`its request cannot be written: ${prompt.error.message}`);
  const { logFile } = childPlace(runFolder, child.run);
  const args = childArgs(child, usual, prompt.file);
  const started = await startDetached({ file: usual.file, args, cwd, env, marker: `${markerPrefix}/child.${child.run}`, logFile });
  if (started.kind === 'never-started') return refused(started.message);
  guardian.watch(started.identity);
  void started.ended.then(() => guardian.forget(started.identity));
  return await registration(child, started, options, signal);
}

type Running = Extract<StartedDetached, { kind: 'started' }>;

/** Resolves as soon as the child has opened its journal. One that ended before, or never does, is refused, and nothing of it is left. */
async function registration(child: ChildRequest, { identity, ended }: Running, options: ChildrenOptions, signal: AbortSignal): Promise<StartedChild> {
  const journalFolder = options.runFolderOf(child.run, child.task);
  const untilMs = performance.now() + options.registerWithinMs;
  let isOver = false;
  const over = ended.then(() => {
    isOver = true;
  });
  for (;;) {
    const wasOver = isOver;
    if (registeredChild(journalFolder, child.run) !== null) return { kind: 'started', identity };
    if (wasOver) return refused(lastWords(options.runFolder, child.run));
    if (signal.aborted) return await endUnregistered(child.run, identity, RUN_IS_OVER);
    if (performance.now() > untilMs) return await endUnregistered(child.run, identity, `it did not register within ${options.registerWithinMs} ms`);
    await Promise.race([over, sleep(EVERY_MS)]);
  }
}

async function endUnregistered(run: string, identity: ProcessIdentity, why: string): Promise<StartedChild> {
  const left = await endRuns([{ run, identity }]);
  return refused(left.length === 0 ? why : `${why}, and process ${identity.pid} could not be ended`);
}

function lastWords(runFolder: string, run: string): string {
  using log = openHeldFile(childPlace(runFolder, run).logFile);
  log.hold();
  return complaintIn(log.read('end', LOG_TAIL_BYTES)) ?? 'it ended before it registered, without a word';
}

function refused(why: string): StartedChild {
  return { kind: 'refused', why };
}
