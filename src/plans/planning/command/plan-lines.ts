import { statsLines } from '../../../report/views/stories-stats-lines.ts';
import { tableLines } from '../../../report/views/table-lines.ts';
import { printable } from '../../../kit/pure/printable.ts';
import { shellQuote } from '../../../kit/pure/shell-quote.ts';
import type { ArchivedPlan } from '../archive-plan.ts';
import type { CheckedPlan } from '../check-plan.ts';
import type { MadePlan } from '../init-plan.ts';
import type { PlanStatus } from '../plan-status.ts';
import type { StoryRow } from '../story-rows.ts';

/** What `ralph plan` says to people. */
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
    ...(marker === 'refused' ? ['.gitignore is no regular file and was left as it is; .ralph-active should be ignored by git'] : []),
    'Next:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    `It works on ${branch}, which is made if it is missing.`,
  ];
}

export function checkLines({ path, stories, problems, warnings }: CheckedPlan): readonly string[] {
  const said = [...problems.map((problem) => `${path}: ${problem}`), ...warnings.map((warning) => `${path}: warning: ${warning}`)];
  if (problems.length > 0) return said.map(printable);
  return [...said, `${path}: ${stories === 1 ? '1 story' : `${stories} stories`}, nothing wrong`].map(printable);
}

const HEAD = ['STORY', 'STATUS', 'REVIEWS', 'DEPENDS ON', 'TITLE'] as const;

export function statusLines({ path, plan, rows, done, stats }: PlanStatus): readonly string[] {
  const head = `${path}: ${plan.project === '' ? '' : `${plan.project}, `}branch ${plan.branchName}`;
  return [
    printable(head),
    '',
    ...tableLines([HEAD, ...rows.map(cells)]),
    '',
    `${done} of ${rows.length} stories done`,
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
    `${wasBegun ? 'Finished the archive that was begun' : 'Archived'}: ${path}, ${done} of ${total} stories completed`,
    commit === null ? 'Nothing was committed' : `Committed as ${commit.slice(0, 12)}`,
    'ralph/ has fresh templates; prompt.md is as it was. Plan anew with: ralph plan new',
  ];
}
