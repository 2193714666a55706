import { existsSync, lstatSync, readSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasCode, readRegular } from '../../kit/files/read.ts';
import { type PlanForm, readForm } from '../../plans/review/read-form.ts';
import { integrityProblems, readStories } from '../../plans/review/stories-text.ts';
import { transitionProblems } from '../../plans/review/transitions.ts';
import type { WorkMode } from '../../plans/review/turn.ts';
import { identityOf } from '../../process/identity.ts';
import { environment, OWN_GIT } from '../../sandbox/environment/environment.ts';
import { projectLists } from '../../sandbox/guard-lists.ts';
import { dirtyPaths } from '../../workspace/dirty-paths.ts';
import { askDoor } from '../door-client.ts';
import { type ActiveMarker, readActiveMarker } from '../hooks/active-marker-text.ts';
import { DIRTY_PATHS, HOOK_NAMES, type HookName, isHookName, readHookInput } from '../hooks/hook-input.ts';
import { answerHook } from './answer-hook.ts';
import { guardSetup, type HookSources, projectRoot, realOf, type StoriesAtWork } from './hook-sources.ts';
import { openSessionFiles } from './session-memory.ts';

type Env = Readonly<Record<string, string>>;

/** The exit code that claude takes for a denial. It shows stderr to the agent. */
const DENIED = 2;

/** Answers one hook of an agent on stdout. A running loop is asked; without one, the files it left decide. `folder` is the folder of this program. */
export async function runHook(name: string | undefined, folder: string): Promise<number> {
  if (!isHookName(name)) {
    logProblem(`there is no hook ${JSON.stringify(name ?? '')}: it is one of ${HOOK_NAMES.join(', ')}`);
    return 2;
  }
  try {
    const env = environment();
    const input = await readStdin();
    const found = findMarker([readHookInput(input).cwd, env['CLAUDE_PROJECT_DIR'], process.cwd()]);
    const answer = await answerTo(name, input, { found, env, folder });
    if (answer !== null) writeSync(1, `${JSON.stringify(answer)}\n`);
    return 0;
  } catch (error) {
    logProblem(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return name === 'guard' ? DENIED : 0;
  }
}

interface HookContext {
  readonly found: FoundMarker | null;
  readonly env: Env;
  readonly folder: string;
}

async function answerTo(name: HookName, input: unknown, around: HookContext): Promise<unknown> {
  const isSeenHereOnly = name === 'stop' && OWN_GIT in around.env;
  const more = isSeenHereOnly ? { [DIRTY_PATHS]: await dirtyPaths(around.found?.root ?? process.cwd(), around.env) } : {};
  for (const socket of socketsOf(around)) {
    const answer = await askLoop(socket, name, isSeenHereOnly && typeof input === 'object' ? { ...input, ...more } : input);
    if (answer !== undefined) return answer;
  }
  return await answerHook(name, input, worldWithoutLoop(around));
}

/** Sockets where a loop may answer: our own, and the one of the loop that wrote the marker. */
function socketsOf({ found, env }: HookContext): ReadonlySet<string> {
  const { pid = null, socket = null } = found?.marker ?? {};
  const isThere = pid !== null && identityOf(pid) !== null;
  return new Set([env['RALPH_SOCKET'], isThere ? socket : null].filter((path) => typeof path === 'string' && path !== '') as string[]);
}

function worldWithoutLoop({ found, env, folder }: HookContext): HookSources {
  const ownFolders = [env['CLAUDE_PLUGIN_ROOT'] || folder];
  return {
    stories: async () => (found === null ? null : markedStories(found, { env, ours: ownFolders })),
    guard({ cwd }) {
      const root = found?.root ?? projectRoot(env['CLAUDE_PROJECT_DIR'] || cwd || process.cwd());
      return guardSetup({ lists: projectLists(root), mode: 'guard', root, cwd, env });
    },
    sessions: openSessionFiles(tmpdir()),
    env,
    model: () => null,
    warn: logProblem,
  };
}

/** Claude writes this to its log only. */
function logProblem(text: string): void {
  writeSync(2, `ralph hook: ${text}\n`);
}

const TIMEOUT_MS = 20_000;

/** The loop's answer on that socket, null for no output; undefined: no loop is there, or it has no stories. */
async function askLoop(socket: string, name: HookName, input: unknown): Promise<unknown> {
  const answer = await askDoor(socket, { method: 'POST', path: `/v1/hooks/${name}`, body: input ?? null, timeoutMs: TIMEOUT_MS });
  return answer.kind === 'answered' && answer.status < 300 ? answer.body : undefined;
}

/** More than any agent sends to a hook. */
const MOST_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** The JSON on stdin; undefined: there is none, or it is too large. */
async function readStdin(): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin()) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Reads synchronously where possible: opening a stream takes longer than everything else a hook does. */
async function* stdin(): AsyncGenerator<Buffer> {
  try {
    for (let length = -1; length !== 0; ) {
      const chunk = Buffer.allocUnsafe(PIECE_BYTES);
      length = readSync(0, chunk);
      yield chunk.subarray(0, length);
    }
    return;
  } catch (error) {
    if (!hasCode(error, 'EAGAIN')) return;
  }
  yield* process.stdin as AsyncIterable<Buffer>;
}

/** Fewer than eight, after which claude gives up. */
const STOP_BLOCKS = 3;

interface MarkerContext {
  readonly env: Readonly<Record<string, string>>;
  /** Ralph's own folders, which no agent may write to. */
  readonly ours: readonly string[];
}

/** The stories of a marker when no loop answers: judged by the marker's snapshot, and by what holds for every list of stories. */
function markedStories({ root, marker }: FoundMarker, { env, ours: ownFolders }: MarkerContext): StoriesAtWork {
  const plan = join(root, marker.ralphDir, 'tasks.json');
  return {
    place: { root: realOf(root), folder: marker.ralphDir, mode: marker.iterationMode, ours: ownFolders.map(realOf) },
    stopBlocks: STOP_BLOCKS,
    problems: async () => (marker.iterationMode === 'review' ? [] : formProblems(readFormFile(plan), { ...marker, iterationMode: marker.iterationMode })),
    // A reviewer's verdict is its message; it has nothing to commit.
    dirtyPaths: async () => (marker.iterationMode === 'review' ? [] : await dirtyPaths(root, env)),
    refused: async () => undefined,
  };
}

type WorkMarker = ActiveMarker & { readonly iterationMode: WorkMode | null };

/** Checks 1, 2 and 2.5 of seed 003. */
function formProblems(form: PlanForm, { skipReview, reviewCap: cap, iterationMode: mode, preIterationSnapshot: before }: WorkMarker): readonly string[] {
  const { plan, problems } = form.kind === 'text' ? readStories(form.text) : { plan: null, problems: [readForm(form).problem ?? ''] };
  if (plan === null) return prefixed('Task list validation failed: ', problems);
  const invalid = integrityProblems(plan, { skipReview, cap });
  const moved = before === null || mode === null ? [] : transitionProblems(before, plan, { mode, skipReview, cap });
  const others = moved.filter((problem) => !invalid.includes(problem));
  return [...prefixed('Review integrity check failed: ', invalid), ...prefixed('Transition validation failed: ', others)];
}

const prefixed = (prefix: string, problems: readonly string[]) => problems.map((problem) => `${prefix}${problem}`);

/** Reads `tasks.json` without following a link or waiting for a pipe. */
function readFormFile(path: string): PlanForm {
  const text = readRegular(path);
  if (text !== null) return { kind: 'text', text };
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? { kind: 'missing' } : { kind: 'refused', why: 'is not a readable regular file' };
}

export interface FoundMarker {
  /** The marker's folder, which is the project's root. */
  readonly root: string;
  readonly marker: ActiveMarker;
}

/**
 * The nearest `.ralph-active` from any of these folders up to the top of its work tree. Without git only the folder itself is searched, because anybody may
 * write above it.
 */
function findMarker(from: readonly (string | null | undefined)[]): FoundMarker | null {
  for (const folder of new Set(from)) {
    const found = folder ? foldersUpToTheTop(folder).find(isMarked) : undefined;
    if (found !== undefined) return { root: found, marker: readActiveMarker(readRegular(markerIn(found)) ?? '') };
  }
  return null;
}

const markerIn = (folder: string) => join(folder, '.ralph-active');

/** A link or an unreadable file counts as a marker too, so that nobody can switch the checks off that way. */
const isMarked = (folder: string) => lstatSync(markerIn(folder), { throwIfNoEntry: false }) !== undefined;

function foldersUpToTheTop(folder: string): readonly string[] {
  const all = [folder];
  for (let at = folder; !existsSync(join(at, '.git')); all.push(at)) {
    const above = dirname(at);
    if (above === at) return [folder];
    at = above;
  }
  return all;
}
