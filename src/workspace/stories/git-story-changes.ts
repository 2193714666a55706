import { dirname } from 'node:path';
import type { ChangesRequest } from '../../engine/ports/story-workspace.ts';
import type { StoryChanges } from '../../journal/words/story.ts';
import { feedGit } from '../git/git-feed.ts';
import { EVERYTHING, literally, type StoryRepo } from './git-story-place.ts';

/** What fits into a prompt beside everything else. */
const MOST_PATCH_BYTES = 150_000;
const MOST_FILE_BYTES = 60_000;
const MOST_FILES_BYTES = 150_000;
const MOST_FILES = 50;
const MOST_COMMITS = 50;

/** Ignores the operator's diff settings, and runs nothing that a diff could run. */
const PATCH = [
  ...['-c', 'core.quotePath=false', '-c', 'core.bigFileThreshold=1m', 'diff-tree', '-r', '--patch', '--find-renames', '-l400'],
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short'],
];

type Ranges = ChangesRequest['ranges'];

/** Everything that the commits of a story have changed, except the folder of the stories: what the author wrote there is its own view of the work. */
export async function storyChanges(repo: StoryRepo, { ranges: known, story, files }: ChangesRequest): Promise<StoryChanges | null> {
  const ranges = known.length > 0 ? known : await rangesByMessage(repo, story);
  const scope = ['--', EVERYTHING, ...ownPaths(repo).map((path) => literally(path, 'exclude,'))];
  let patch = '';
  let isWhole = true;
  for (const { from, to } of ranges) {
    const room = Math.max(1, MOST_PATCH_BYTES - Buffer.byteLength(patch));
    const fed = await feedGit(repo, { args: [...PATCH, from, to, ...scope], mostBytes: room });
    if (!fed.isGood) return null;
    const text = fed.stdout.subarray(0, room);
    isWhole &&= fed.isWhole && text.length === fed.stdout.length;
    patch += isWhole ? text.toString() : text.toString('utf8', 0, text.lastIndexOf('\n') + 1);
    if (!isWhole) break;
  }
  return { patch, isWhole, files: files ? await filesIn(repo, await changedPaths(repo, ranges, scope)) : [] };
}

function ownPaths({ plan }: StoryRepo): readonly string[] {
  const folder = dirname(plan);
  return folder === '.' ? [plan, 'progress.txt', 'prd.md', 'prompt.md'] : [folder];
}

async function rangesByMessage({ git }: StoryRepo, story: string): Promise<Ranges> {
  const found = await git(['log', '--fixed-strings', `--grep=[${story}]`, `--max-count=${MOST_COMMITS}`, '--reverse', '--format=%H %P']);
  return found.stdout
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([to, from]) => (to && from ? [{ from, to }] : []));
}

async function changedPaths({ git }: StoryRepo, ranges: Ranges, scope: readonly string[]): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const { from, to } of ranges) {
    const { stdout } = await git(['diff-tree', '-r', '-z', '--name-only', '--diff-filter=d', from, to, ...scope]);
    for (const path of stdout.split('\0')) if (path !== '') paths.add(path);
  }
  return [...paths].slice(0, MOST_FILES);
}

/** The files as committed now, without those that are too large or not text. */
async function filesIn(repo: StoryRepo, paths: readonly string[]): Promise<StoryChanges['files']> {
  const files: { readonly path: string; readonly text: string }[] = [];
  let room = MOST_FILES_BYTES;
  for (const path of paths) {
    const fed = await feedGit(repo, { args: ['cat-file', 'blob', `HEAD:${path}`], mostBytes: MOST_FILE_BYTES });
    if (!fed.isWhole || fed.stdout.includes(0) || fed.stdout.length > room) continue;
    room -= fed.stdout.length;
    files.push({ path, text: fed.stdout.toString() });
  }
  return files;
}
