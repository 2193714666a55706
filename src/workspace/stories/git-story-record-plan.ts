import { rm } from 'node:fs/promises';
import { oneLine } from '../../kit/pure/one-line.ts';
import { headOf, type Variables } from '../git/git-command.ts';
import { removeDeadLocks } from './git-story-heal.ts';
import { literally, type StoryRepo } from './git-story-place.ts';
import { writePlanFile } from './git-story-plan-file.ts';
import { named } from '../tasks/git-task-name.ts';
import { must } from '../tasks/git-task-trouble.ts';

interface RecordedPlan {
  readonly head: string;
  readonly commit: string | null;
  readonly problem: string | null;
}

/** Only the list of stories is written and committed: what else is changed or staged stays so. One that is ignored is only written. */
export async function recordPlanFile(repo: StoryRepo, text: string, message: string): Promise<RecordedPlan> {
  const before = (await headOf(repo.git)) ?? '';
  try {
    await removeDeadLocks(repo, []);
    await writePlanFile(repo, text);
    const commit = (await isIgnored(repo)) ? null : await commitPlan(repo, before, message);
    return { head: commit ?? before, commit, problem: null };
  } catch (error) {
    return { head: before, commit: null, problem: oneLine((error as Error).message) };
  }
}

/** By its path alone: one that is tracked is not ignored. */
async function isIgnored({ git, topLevel, plan }: StoryRepo): Promise<boolean> {
  return (await git(['-C', topLevel, 'check-ignore', '--quiet', '--', plan])).code === 0;
}

/** First into the index: whoever dies in between finds it there, and commits it. */
async function commitPlan(repo: StoryRepo, head: string, message: string): Promise<string | null> {
  const { git, topLevel, plan } = repo;
  const blob = must(await git(['-C', topLevel, 'hash-object', '-w', '--', plan], {}), `${plan} cannot be committed`);
  const committed = await entryIn(repo, ['ls-tree', '-z', head, '--', plan]);
  const staged = await entryIn(repo, ['ls-files', '--stage', '-z', '--', literally(plan)]);
  const mode = committed !== null && /^100/.test(committed.mode) ? committed.mode : '100644';
  const put = ['update-index', '--add', '--replace', '--cacheinfo', `${mode},${blob},${plan}`];
  const run = async (args: readonly string[], own: Variables) => must(await git(args, own), `${plan} cannot be committed`);
  if (staged?.id !== blob || staged.mode !== mode) await run(put, {});
  if (committed?.id === blob && committed.mode === mode) return null;
  const own = { GIT_INDEX_FILE: `${(await repo.scratch.keeping())['GIT_INDEX_FILE']}-plan` };
  await rm(`${own.GIT_INDEX_FILE}.lock`, { force: true });
  await run(['read-tree', head], own);
  await run(put, own);
  const tree = await run(['write-tree'], own);
  const made = must(await named(git)(['commit-tree', tree, '-p', head, '-m', message]), `${plan} cannot be committed`);
  await run(['update-ref', '-m', `commit: ${oneLine(message)}`, 'HEAD', made, head], {});
  return made;
}

/** `<mode> [type] <id>…<tab>path`: of a list in which nothing is, null. */
async function entryIn({ git, topLevel }: StoryRepo, words: readonly string[]): Promise<{ readonly mode: string; readonly id: string } | null> {
  const { stdout } = await git(['-C', topLevel, ...words]);
  const found = /^(\d+) (?:blob |commit )?(\w{40,64})[ \t]/.exec(stdout);
  return found ? { mode: found[1] ?? '', id: found[2] ?? '' } : null;
}
