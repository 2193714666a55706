import { formatDuration } from '../../../kit/pure/duration.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type DisplaySettings, row, shorten } from '../../../report/console/look.ts';
import type { RecipeBanner } from '../../../report/console/recipe-screen.ts';
import { costText, plural } from '../../../report/console/spent-text.ts';
import { scopeText } from '../../../report/console/work-lines.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';

const TEXT_CHARS = 300;

/** `Ralph Work: task-graph.yaml for story S-012, 4 workers`. */
function workTitle(settings: RunSettings): readonly Line[] {
  const { work, lanes } = settings;
  return work === null ? [] : [prose(span(`Ralph Work: ${shorten(work.plan.path, TEXT_CHARS)}${scopeText(settings)}, ${plural(lanes, 'worker')}`))];
}

/** What a run on a plan adds to the banner. */
export const workBanner: RecipeBanner = { title: workTitle, rows: workRows };

/** `🔄 Starting Ralph Loop...` (seed 000). */
export function startingLine(what: 'Starting' | 'Resuming', { glyphs }: DisplaySettings): Line {
  return prose(span(`${glyphs.loop}${what} Ralph Loop...`, 'strong'));
}

/** The settings that only a run on a plan has; unused ones are not mentioned. */
function workRows({ work }: RunSettings): readonly Line[] {
  if (work === null) return [];
  return [
    row('base', span(shorten(work.base, TEXT_CHARS), 'strong'), span(', moved only by results that are green when merged', 'dim')),
    ...(work.promptCommand === null ? [] : [row('prompt', span(`from the command: ${shorten(work.promptCommand, TEXT_CHARS)}`))]),
    ...(work.template === null ? [] : [row('template', span(shorten(work.template, TEXT_CHARS)))]),
    row('tries', span(triesText(work))),
    ...budgetRows(work),
    row('log', span(`${work.logs}/ralph.jsonl`)),
  ];
}

function triesText({ retryFailed, unprovenTries, resolveTries, pauseMs }: WorkSpec): string {
  return [
    retryFailed === 0 ? 'a failed task is left for a person' : `a failed task is retried ${times(retryFailed)}`,
    `an unproven one ${times(unprovenTries)}`,
    `a conflict ${times(resolveTries)}`,
    `${formatDuration(pauseMs)} between two tasks`,
  ].join(', ');
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function budgetRows({ budget: { costUsd, timeMs }, maxFailures }: WorkSpec): readonly Line[] {
  const parts = [
    ...(costUsd === null ? [] : [costText(costUsd)]),
    ...(timeMs === 0 ? [] : [`${formatDuration(timeMs)} in all`]),
    ...(maxFailures === null ? [] : [`stops after more than ${plural(maxFailures, 'failed task')}`]),
  ];
  return parts.length === 0 ? [] : [row('budget', span(parts.join(', ')))];
}
