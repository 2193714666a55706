import { countOf, currentDirectory } from '../../../cli/shared/flags.ts';
import { plural } from '../../../kit/pure/amounts.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { printable } from '../../../kit/pure/text.ts';
import { io } from '../../../process/io.ts';
import { STORIES_DEFAULTS } from '../../../recipes/review/start/stories-request.ts';
import { alignRows } from '../../../report/views/align-rows.ts';
import { statsLines } from '../../../report/views/stories-stats.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import type { Rules } from '../../review/turn.ts';
import { type ArchivedPlan, archivePlan } from '../archive-plan.ts';
import type { StoryRow } from '../find-stories.ts';
import { initPlan, type MadePlan } from '../init-plan.ts';
import { projectFolder } from '../plan-folder.ts';
import { type CheckedPlan, checkPlan, type PlanStatus, planStatus } from '../plan-status.ts';

interface PlanFlags {
  readonly json?: boolean;
  readonly projectDir?: string;
  readonly plan?: string;
}

interface InitFlags extends PlanFlags {
  readonly name?: string;
  readonly force?: boolean;
}

export async function initPlanCommand({ json, projectDir, name, force }: InitFlags): Promise<number> {
  const project = projectFolder(currentDirectory(), projectDir ?? null);
  const answer = await initPlan({ project, name: name ?? null, force: force ?? false, nowMs: Date.now() });
  if (answer.kind === 'there') {
    io().stderr.write(`error: there is already a plan: ${answer.path}\nhint: Archive it with ralph plan archive, or replace it with --force.\n`);
    return 1;
  }
  const { kind: _kind, ...made } = answer;
  tell(json, { project, ...made }, madeLines(answer, projectDir ?? null));
  return 0;
}

interface CheckFlags extends PlanFlags {
  readonly reviewCap?: string;
  readonly skipReview?: boolean;
}

export async function checkPlanCommand(flags: CheckFlags): Promise<number> {
  const checked = await checkPlan(flags.plan ?? null, rulesOf(flags), standpoint());
  const { path, stories, problems, warnings } = checked;
  tell(flags.json, { plan: path, valid: problems.length === 0, stories, problems, warnings }, checkLines(checked));
  return problems.length === 0 ? 0 : 1;
}

function rulesOf({ reviewCap, skipReview }: CheckFlags): Rules {
  const cap = countOf('--review-cap', reviewCap) ?? STORIES_DEFAULTS.reviewCap;
  if (cap > 0) return { cap, skipReview: skipReview ?? false };
  throw new OperatorError('usage', '--review-cap must be at least 1', { hint: 'To work without reviews use --skip-review.', exitCode: 2 });
}

export async function planStatusCommand({ plan: wanted, stats: withStats, json }: PlanFlags & { readonly stats?: boolean }): Promise<number> {
  const status = await planStatus(wanted ?? null, withStats ?? false, standpoint());
  const { path, plan, rows, done, stats } = status;
  const told = { plan: path, project: plan.project, branch: plan.branchName, done, total: rows.length, stories: rows, ...(stats !== null && { stats }) };
  tell(json, told, statusLines(status));
  return 0;
}

interface ArchiveFlags extends PlanFlags {
  readonly label?: string;
  readonly includeLogs?: boolean;
}

export async function archivePlanCommand({ json, projectDir, label, includeLogs }: ArchiveFlags): Promise<number> {
  const project = projectFolder(currentDirectory(), projectDir ?? null);
  const archived = await archivePlan({ project, label: label ?? null, includeLogs: includeLogs ?? false, nowMs: Date.now() });
  const { path, label: called, done, total, commit, wasBegun } = archived;
  tell(json, { archive: path, label: called, done, total, commit, was_begun: wasBegun }, archivedLines(archived));
  return 0;
}

function standpoint(): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  return { cwd: currentDirectory(), env: environment() };
}

function tell(json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  io().stdout.write(`${json ? JSON.stringify(value) : lines.join('\n')}\n`);
}

/** The output of `ralph plan` for people. */
export function madeLines({ name, branch, written, kept, marker }: MadePlan, elsewhere: string | null): readonly string[] {
  const steps = [
    ...(elsewhere === null ? [] : [`cd ${shellQuote(elsewhere)}`]),
    'Write ralph/prd.md and the stories in ralph/tasks.json, or let your agent ask you: ralph plan new',
    'ralph plan check',
    `git add ralph${marker === 'refused' ? '' : ' .gitignore'} && git commit -m "plan: ${printable(name).replaceAll(/["$`\\]/g, '')}"`,
    `ralph work --plan ralph/tasks.json --create-branch`,
  ];
  return [
    `Made a plan for ${printable(name)}: ${written.join(', ')}`,
    ...(kept.length === 0 ? [] : [`Left as they are: ${kept.join(', ')}`]),
    ...(marker === 'refused' ? ['.gitignore is not a regular file and was left unchanged; .ralph-active should be ignored by git'] : []),
    'Next:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    `It works on ${branch}, which is made if it is missing.`,
  ];
}

export function checkLines({ path, stories, problems, warnings }: CheckedPlan): readonly string[] {
  const said = [...problems.map((problem) => `${path}: ${problem}`), ...warnings.map((warning) => `${path}: warning: ${warning}`)];
  if (problems.length > 0) return said.map(printable);
  return [...said, `${path}: ${stories === 1 ? '1 story' : `${stories} stories`}, no problems`].map(printable);
}

const HEAD = ['STORY', 'STATUS', 'REVIEWS', 'DEPENDS ON', 'TITLE'] as const;

export function statusLines({ path, plan, rows, done, stats }: PlanStatus): readonly string[] {
  const head = `${path}: ${plan.project === '' ? '' : `${plan.project}, `}branch ${plan.branchName}`;
  return [
    printable(head),
    '',
    ...alignRows([HEAD, ...rows.map(cells)]),
    '',
    `${done} of ${plural(rows.length, 'story', 'stories')} done`,
    ...(stats === null ? [] : ['', ...statsLines(stats), `Runs: ${stats.runs}`]),
    ...(stats === null || stats.unreadable.length === 0
      ? []
      : [`Not counted, because their journals cannot be read: ${stats.unreadable.map(printable).join(', ')}`]),
  ];
}

function cells({ id, title, status, reviews, depends_on }: StoryRow): readonly string[] {
  return [printable(id), status.replaceAll('_', ' '), `${reviews}`, printable(depends_on.join(', ')) || '-', printable(title)];
}

export function archivedLines({ path, done, total, commit, wasBegun }: ArchivedPlan): readonly string[] {
  return [
    `${wasBegun ? 'Finished an interrupted archive' : 'Archived'}: ${path}, ${total === 0 ? 'not a valid list of stories' : `${done} of ${total} stories completed`}`,
    commit === null ? 'Nothing was committed' : `Committed as ${commit.slice(0, 12)}`,
    'ralph/ has fresh templates; prompt.md is unchanged. Start a new plan with: ralph plan new',
  ];
}
