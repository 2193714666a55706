import type { Rules } from '../../review/turn.ts';
import { surroundings } from '../../../process/surroundings.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { archivePlan } from '../archive-plan.ts';
import { checkPlan } from '../check-plan.ts';
import { initPlan } from '../init-plan.ts';
import { projectFolder } from '../plan-folder.ts';
import { planStatus } from '../plan-status.ts';
import { STORIES_DEFAULTS } from '../../../recipes/review/start/stories-wish.ts';
import { currentDirectory } from '../../../cli/shared/current-directory.ts';
import { countOf } from '../../../cli/shared/flag-values.ts';
import { archivedLines, checkLines, madeLines, statusLines } from './plan-lines.ts';

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
    surroundings().stderr.write(`error: there is a plan already: ${answer.path}\nhint: Archive it with ralph plan archive, or replace it with --force.\n`);
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
  throw new OperatorError('usage', '--review-cap must be at least 1', { hint: 'To work without reviews say --skip-review.', exitCode: 2 });
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
  surroundings().stdout.write(`${json ? JSON.stringify(value) : lines.join('\n')}\n`);
}
