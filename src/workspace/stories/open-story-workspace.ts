import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RecordedPlan, StoryWorkspace, StoryWorkspaceState } from '../../engine/ports/story-workspace.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { ProcessWatch } from '../../process/process-request.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import type { StoriesSpec } from '../../settings/schema/stories-spec.ts';
import { openGitCommand, type Variables } from '../git/git-command.ts';
import { type Behind, headIn } from '../git/git-place.ts';
import { differingPaths } from '../git/git-tree.ts';
import { named } from '../tasks/git-task-place.ts';
import { seeWorktree } from '../tasks/git-task-state.ts';
import { must } from '../tasks/locks.ts';
import type { Workspace } from '../workspace.ts';
import { storyChanges } from './git-story-changes.ts';
import { removeDeadLocks } from './git-story-heal.ts';
import { literally, openStoryRepo, type StoryPlace, type StoryRepo, seeCopy } from './git-story-place.ts';
import { readPlanFile, writePlanFile } from './git-story-plan-file.ts';
import { settleStoryGit } from './git-story-settle.ts';

interface AtWork {
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  readonly signal: AbortSignal;
  /** The sandbox around the project's commit hooks, and their environment; absent: no sandbox, and the whole environment. */
  readonly behind?: Behind | null;
}

/** Long enough for a commit hook that runs a few tests. */
const HOOK_TIMEOUT_MS = 2 * 60_000;

/** Opens the branch on which the stories of a run are worked on. */
export function openStoryWorkspace(
  { env }: Pick<Workspace, 'env'>,
  { home, plan }: StoriesSpec,
  { markerPrefix, guardian, signal, behind = null }: AtWork,
): ReturnType<typeof openStoryGit> {
  const ours = withoutGitVariables(env);
  return openStoryGit({
    git: openGitCommand(home, ours),
    env: ours,
    topLevel: home,
    plan,
    guardian,
    behind,
    marker: `${markerPrefix}/commit`,
    hookTimeoutMs: HOOK_TIMEOUT_MS,
    signal,
  });
}

/** Runs no git before it is first needed. Disposing removes its files in the temporary folder. */
export function openStoryGit(place: StoryPlace): StoryWorkspace & AsyncDisposable {
  let opened: Promise<StoryRepo> | null = null;
  const repo = () => {
    opened ??= openStoryRepo(place).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return {
    look: async () => await lookAtGround(await repo()),
    readPlan: async () => await readPlanFile(await repo()),
    settle: async (request) => await settleStoryGit(await repo(), request),
    recordPlan: async (text, message, entry = '') => await recordPlanFile(await repo(), text, { message, entry }),
    changesIn: async (wish) => await storyChanges(await repo(), wish),
    [Symbol.asyncDispose]: async () => await (await opened?.catch(() => null))?.scratch[Symbol.asyncDispose](),
  };
}

async function lookAtGround(repo: StoryRepo): Promise<StoryWorkspaceState> {
  const { git, gitDir, topLevel } = repo;
  const { head, branch, submodules } = await seeWorktree({ git, admin: gitDir, path: topLevel });
  const { now, committed } = await seeCopy(repo, null, submodules);
  return { head, branch, tree: now, dirty: await differingPaths(git, { from: head, to: committed, own: {} }) };
}

interface Recording {
  readonly message: string;
  /** The text for `progress.txt`; empty for none. */
  readonly entry: string;
}

/** Writes and commits only these files: other changes, and what is staged, stay. An ignored file is only written. */
async function recordPlanFile(repo: StoryRepo, text: string, { message, entry }: Recording): Promise<RecordedPlan> {
  const before = (await headIn(repo)) ?? '';
  const record = async (): Promise<RecordedPlan> => {
    await removeDeadLocks(repo, []);
    await writePlanFile(repo, text);
    const written = [repo.plan, ...(await addProgress(repo, entry))];
    const kept: string[] = [];
    for (const path of written) if (!(await isIgnored(repo, path))) kept.push(path);
    const commit = await commitFiles(repo, kept, { head: before, message });
    const head = commit ?? before;
    return { head, tree: await treeOf(repo, head), commit, problem: null };
  };
  try {
    // Once more, because the file is the result, and the system may have refused a single call.
    return await record().catch(record);
  } catch (error) {
    return { head: before, tree: await treeOf(repo, before), commit: null, problem: oneLine((error as Error).message) };
  }
}

async function treeOf({ git }: StoryRepo, commit: string): Promise<string | null> {
  const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`]);
  return code === 0 ? stdout.trim() : null;
}

/** The file that the entry was added to. A file that is not plain text is left alone: it is for people and agents, and nothing depends on it. */
async function addProgress(repo: StoryRepo, entry: string): Promise<readonly string[]> {
  if (entry === '') return [];
  const plan = join(dirname(repo.plan), 'progress.txt');
  const progress = { ...repo, plan, planPath: join(repo.topLevel, plan) };
  const found = await readPlanFile(progress);
  if (found.kind === 'refused') return [];
  const text = found.kind === 'text' ? found.text : '';
  if (!text.includes(entry)) await writePlanFile(progress, `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${entry}`);
  return [plan];
}

/** A tracked file is not ignored. */
async function isIgnored({ git, topLevel }: StoryRepo, path: string): Promise<boolean> {
  return (await git(['-C', topLevel, 'check-ignore', '--quiet', '--', path])).code === 0;
}

/** Writes the operator's index first: after a crash in between, the next commit includes the change. */
async function commitFiles(
  repo: StoryRepo,
  paths: readonly string[],
  { head, message }: { readonly head: string; readonly message: string },
): Promise<string | null> {
  const { git } = repo;
  const run = async (args: readonly string[], own: Variables) => must(await git(args, own), `${repo.plan} cannot be committed`);
  const puts: (readonly string[])[] = [];
  for (const path of paths) {
    const put = await stage(repo, path, head);
    if (put !== null) puts.push(put);
  }
  if (puts.length === 0) return null;
  const own = { GIT_INDEX_FILE: `${(await repo.scratch.keeping())['GIT_INDEX_FILE']}-plan` };
  await rm(`${own.GIT_INDEX_FILE}.lock`, { force: true });
  await run(['read-tree', head], own);
  for (const put of puts) await run(put, own);
  const tree = await run(['write-tree'], own);
  const made = must(await named(git)(['commit-tree', tree, '-p', head, '-m', message]), `${repo.plan} cannot be committed`);
  await run(['update-ref', '-m', `commit: ${oneLine(message)}`, 'HEAD', made, head], {});
  return made;
}

/** The command that puts the file into an index; null if HEAD has the same file. */
async function stage(repo: StoryRepo, path: string, head: string): Promise<readonly string[] | null> {
  const { git, topLevel } = repo;
  const blob = must(await git(['-C', topLevel, 'hash-object', '-w', '--', path], {}), `${path} cannot be committed`);
  const committed = await entryIn(repo, ['ls-tree', '-z', head, '--', path]);
  const staged = await entryIn(repo, ['ls-files', '--stage', '-z', '--', literally(path)]);
  const mode = committed !== null && /^100/.test(committed.mode) ? committed.mode : '100644';
  const put = ['update-index', '--add', '--replace', '--cacheinfo', `${mode},${blob},${path}`];
  if (staged?.id !== blob || staged.mode !== mode) must(await git(put, {}), `${path} cannot be committed`);
  return committed?.id === blob && committed.mode === mode ? null : put;
}

/** Parses `<mode> [type] <id>…<tab>path`; null for an empty list. */
async function entryIn({ git, topLevel }: StoryRepo, words: readonly string[]): Promise<{ readonly mode: string; readonly id: string } | null> {
  const { stdout } = await git(['-C', topLevel, ...words]);
  const found = /^(\d+) (?:blob |commit )?(\w{40,64})[ \t]/.exec(stdout);
  return found ? { mode: found[1] ?? '', id: found[2] ?? '' } : null;
}
