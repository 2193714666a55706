import { basename, join } from 'node:path';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import type { StoryPlan } from '../../journal/words/story.ts';
import { openScope } from '../../kit/async/scope.ts';
import { pathExists, readRegular } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { commitPaths } from '../../workspace/archive-commit.ts';
import type { Git } from '../../workspace/git/git-command.ts';
import { gitAt } from '../../workspace/git/plain-repository.ts';
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { archivedPaths, copyToArchive, forgetPending, freeName, isFreshPlan, type PendingArchive, readPending, resetPlanFiles } from './archive-files.ts';
import { type FoundStories, findStories, isDone, type StoryRow, storyRows } from './find-stories.ts';
import { ARCHIVE, dayOf, FOLDER, labelOf, removeLeftovers } from './plan-folder.ts';
import { runsOfPlan } from './plan-status.ts';

export interface ArchiveRequest {
  readonly project: string;
  readonly label: string | null;
  readonly includeLogs: boolean;
  readonly nowMs: number;
}

export interface ArchivedPlan extends PendingArchive {
  /** From the project. */
  readonly path: string;
  /** Null: there is no repository, or it ignores these files. */
  readonly commit: string | null;
  /** Whether this finished an archive that was interrupted before. */
  readonly wasBegun: boolean;
}

/**
 * Archives the plan and starts a fresh one (seed 003). At every moment the plan is complete in at least one place. Calling it again continues where it stopped.
 */
export async function archivePlan(request: ArchiveRequest): Promise<ArchivedPlan> {
  const { project, nowMs } = request;
  await using scope = openScope();
  const workspace = await openWorkspace(project, scope);
  await workspace.holdPlace('plan archive');
  await refuseWhatGitWould(workspace);
  for (const folder of [FOLDER, ARCHIVE]) await removeLeftovers(join(project, folder));
  const begun = readPending(project);
  const wasBegun = begun !== null && (await pathExists(join(project, ARCHIVE, begun.folder)));
  const pending = wasBegun ? begun : await setAside(request, workspace);
  await resetPlanFiles(project, pending, nowMs);
  const commit = workspace.git === null ? null : await commitPaths(gitAt(project, workspace.env), archivedPaths(pending), messageOf(pending));
  await forgetPending(project);
  return { ...pending, path: `${ARCHIVE}/${pending.folder}`, commit, wasBegun };
}

/** Nobody can count the stories of a list that is not valid. */
function messageOf({ label, done, total }: PendingArchive): string {
  return `archive(ralph): ${label} — ${total === 0 ? 'not a valid list of stories' : `${done}/${total} stories completed`}`;
}

/** Checked before anything is moved. */
async function refuseWhatGitWould({ git }: Workspace): Promise<void> {
  const obstacle = (await git?.obstacle()) ?? null;
  if (obstacle === null) return;
  throw new OperatorError('cannot-commit', `the archive could not be committed: ${obstacle}`, { hint: 'Fix that, then try again.', exitCode: 4 });
}

async function setAside(request: ArchiveRequest, { env }: Workspace): Promise<PendingArchive> {
  const { project, nowMs } = request;
  const found = await findStories(await storiesOf(project), { cwd: project, env });
  const { plan } = found;
  const rows = plan === null ? [] : storyRows(plan);
  const name = plan?.project.trim() || basename(project);
  const label = labelOf(request.label ?? (plan?.project.trim() || plan?.branchName || name));
  const pending: PendingArchive = {
    folder: freeName(project, `${dayOf(nowMs)}-${label}`),
    label,
    project: plan?.project ?? name,
    done: rows.filter(isDone).length,
    total: rows.length,
  };
  const dates = { from: await beginOf(project, gitAt(project, env)), to: dayOf(nowMs) };
  const summary = plan === null ? invalidSummary(name, found, dates) : archiveSummary({ plan, ...dates });
  await copyToArchive(project, pending, { 'summary.md': summary, ...(request.includeLogs ? await logsOf(project, found) : {}) });
  return pending;
}

async function storiesOf(project: string): Promise<string> {
  const path = join(project, FOLDER, 'tasks.json');
  const exists = await pathExists(path);
  if (exists && !(await isFreshPlan(project))) return path;
  const why = exists ? `nobody has changed the templates in ${join(project, FOLDER)}` : `${path} is missing`;
  throw new OperatorError('no-stories', `there is nothing to archive: ${why}`, {
    hint: exists ? 'Write a plan with: ralph plan new' : 'Make a plan with: ralph plan init',
    exitCode: 2,
  });
}

/** From its own log, else from the first commit of the list. */
async function beginOf(project: string, git: Git): Promise<string | null> {
  const progress = readRegular(join(project, FOLDER, 'progress.txt')) ?? '';
  const told = /^Started: (\d{4}-\d\d-\d\d)\s*$/m.exec(progress)?.[1];
  if (told !== undefined) return told;
  const { code, stdout } = await git(['log', '--reverse', '--format=%as', '--', `${FOLDER}/tasks.json`]);
  return (code === 0 && stdout.split('\n')[0]) || null;
}

async function logsOf(project: string, { top, path, plan }: FoundStories): Promise<Readonly<Record<string, string>>> {
  const { runs } = await runsOfPlan(project, { top, path, branch: plan?.branchName ?? '' });
  const told = runs.flatMap(({ run, folder }) => {
    const text = readRegular(join(folder, 'run.json'));
    return text === null ? [] : [[`logs/${run}/run.json`, text] as const];
  });
  return { 'logs/summary.csv': iterationsCsv(runs.map(({ events }) => events)), ...Object.fromEntries(told) };
}

interface Dates {
  /** Days. Null: unknown. */
  readonly from: string | null;
  readonly to: string;
}

export interface SummaryRequest extends Dates {
  readonly plan: StoryPlan;
}

/** A plan that was never finished, or that somebody has broken, is kept as it is. */
function invalidSummary(name: string, { problems }: FoundStories, { from, to }: Dates): string {
  const told = problems.map((problem) => `- ${oneLine(problem)}`);
  return [`# ${oneLine(name)}`, '', `- Date range: ${from ?? 'unknown'} to ${to}`, '', 'tasks.json is not a valid list of stories:', '', ...told, ''].join(
    '\n',
  );
}

/** A summary of an archived plan for later readers. */
function archiveSummary({ plan, from, to }: SummaryRequest): string {
  const rows = storyRows(plan);
  const atCap = rows.filter(({ status }) => status === 'approved_at_cap').map(({ id }) => cell(id));
  return [
    `# ${oneLine(plan.project) || 'Plan'}`,
    '',
    `- Branch: ${oneLine(plan.branchName)}`,
    `- Date range: ${from ?? 'unknown'} to ${to}`,
    `- Stories completed: ${rows.filter(isDone).length} of ${rows.length}`,
    `- Reviews: ${rows.reduce((sum, { reviews }) => sum + reviews, 0)}`,
    `- Approved at the review cap: ${atCap.length === 0 ? 'none' : atCap.join(', ')}`,
    '',
    '| Story | Title | Status | Reviews |',
    '| ----- | ----- | ------ | ------- |',
    ...rows.map(tableRow),
    '',
  ].join('\n');
}

function tableRow({ id, title, status, reviews }: StoryRow): string {
  return `| ${cell(id)} | ${cell(title)} | ${status.replaceAll('_', ' ')} | ${reviews} |`;
}

const cell = (text: string) => oneLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');

const HEADER = 'iteration,mode,duration_seconds,commit_hash,stories_complete,stories_total,stuck_count,timestamp';

interface Open {
  readonly openedAtMs: number;
  readonly mode: string;
  /** The branch's commit before and after the iteration. */
  readonly from: string;
  readonly to: string;
}

/** A line for every iteration of the runs on a plan, in the columns that the seed names. */
export function iterationsCsv(journals: readonly (readonly JournalEvent[])[]): string {
  return `${[HEADER, ...journals.flatMap(linesOf)].join('\n')}\n`;
}

function linesOf(events: readonly JournalEvent[]): readonly string[] {
  const lines: string[] = [];
  let plan: StoryPlan | null = null;
  let open: Open | null = null;
  let stuck = 0;
  for (const { at, body } of events) {
    plan = planIn(body) ?? plan;
    if (body.type === 'iteration.opened') open = { openedAtMs: at, mode: '', from: '', to: '' };
    if (open === null) continue;
    open = follow(open, body);
    if (body.type !== 'iteration.closed') continue;
    stuck = open.from === open.to ? stuck + 1 : 0;
    lines.push(lineOf(body.iteration, open, { plan, stuck, atMs: at }));
    open = null;
  }
  return lines;
}

function planIn(body: EventBody): StoryPlan | null {
  return body.type === 'stories.seen' || body.type === 'stories.recorded' ? body.plan : null;
}

function follow(open: Open, body: EventBody): Open {
  if (body.type === 'turn.begun') return { ...open, mode: body.mode, from: body.head, to: body.head };
  if (body.type === 'stories.settled' || body.type === 'stories.recorded') return { ...open, to: body.head };
  return open;
}

interface At {
  readonly plan: StoryPlan | null;
  readonly stuck: number;
  readonly atMs: number;
}

function lineOf(iteration: number, { openedAtMs, mode, to }: Open, { plan, stuck, atMs }: At): string {
  const rows = plan === null ? [] : storyRows(plan);
  const seconds = Math.round((atMs - openedAtMs) / 1000);
  return [iteration, mode, seconds, to, rows.filter(isDone).length, rows.length, stuck, new Date(atMs).toISOString()].join(',');
}
