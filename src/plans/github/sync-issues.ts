import { resolve } from 'node:path';
import { readRegular } from '../../kit/files/read.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { gitAt } from '../../workspace/git/plain-repository.ts';
import { mergedRef, refsAmong } from '../../workspace/tasks/git-task-base.ts';
import { closeIssue, type GhPlace, type GithubIssue, type IssueFilter, listIssues, MOST_ISSUES } from './gh.ts';
import { idOf, mergeIssues } from './issue-lines.ts';

export interface SyncRequest extends IssueFilter {
  /** The file of the plan. */
  readonly path: string;
  /** Looks only. */
  readonly dryRun: boolean;
}

export interface Synced {
  readonly open: number;
  readonly closed: readonly { readonly number: number; readonly title: string; readonly commit: string | null }[];
  readonly written: boolean;
  /** There may be older issues, which Ralph has not read. */
  readonly isCut?: true;
}

/** Closes the issues whose tasks are done, then writes the plan. In this order: after a failure, the next call finds the same work left. */
export async function syncIssues({ path, dryRun, ...filter }: SyncRequest, place: GhPlace): Promise<Synced> {
  const file = resolve(place.cwd, path);
  const text = readRegular(file) ?? '';
  const issues = await listIssues(filter, place);
  if (issues.length === 0 && text === '') throw noIssues(filter);
  const { text: wanted, toClose, open } = mergeIssues(text, issues);
  const closed = await Promise.all(toClose.map(async (issue) => ({ number: issue.number, title: issue.title, commit: await mergeOf(issue, place) })));
  const synced = { open, closed, ...(issues.length >= MOST_ISSUES && { isCut: true as const }) };
  if (dryRun) return { ...synced, written: false };
  for (const { number, commit } of closed) await closeIssue(number, commentFor(commit), place);
  const isNew = wanted !== text;
  if (isNew) await writeAtomic(file, wanted);
  return { ...synced, written: isNew };
}

const commentFor = (commit: string | null) => `Done${commit === null ? '' : ` in ${commit}`}: every check was green on the merged result (ralph work).`;

/** The commit that merged the task last; null if it was done without Ralph. */
async function mergeOf({ number }: GithubIssue, { cwd, env }: GhPlace): Promise<string | null> {
  const prefix = mergedRef(idOf(number), 0).slice(0, -1);
  const refs = await refsAmong({ git: gitAt(cwd, env) }, [`${prefix}*`]);
  const numbered = [...refs].map(([name, { commit }]) => ({ n: Number(name.slice(prefix.length)), commit }));
  return numbered.toSorted((one, other) => other.n - one.n)[0]?.commit ?? null;
}

function noIssues({ label, milestone }: IssueFilter): OperatorError {
  const what = [...(label === null ? [] : [`the label "${label}"`]), ...(milestone === null ? [] : [`the milestone "${milestone}"`])].join(' and ');
  return new OperatorError('no-issues', `there is no issue with ${what}`, { hint: 'gh label list and gh issue list show what there is.', exitCode: 2 });
}

/** Where the plan is when no file is named. */
export const USUAL_FILE = 'github-issues.jsonl';
