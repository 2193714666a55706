import { oneLine } from '../../kit/pure/one-line.ts';
import type { StoryPlan } from '../../journal/words/story.ts';
import { isDone, type StoryRow, storyRows } from './story-rows.ts';

export interface SummaryRequest {
  readonly plan: StoryPlan;
  /** Days. Null: nobody knows when it began. */
  readonly from: string | null;
  readonly to: string;
}

/** What an archived plan came to, for whoever looks at it in a year. */
export function archiveSummary({ plan, from, to }: SummaryRequest): string {
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
