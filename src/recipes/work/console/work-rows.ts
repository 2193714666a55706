import { formatDuration, plural } from '../../../kit/pure/amounts.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type DisplaySettings, row, shorten } from '../../../report/console/look.ts';
import { plainBanner, type RecipeBanner } from '../../../report/console/recipe-screen.ts';
import { scopeText } from '../../../report/console/work-lines.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import type { WorkSettings } from '../task-progress.ts';

const TEXT_CHARS = 300;

/** What a run on a plan adds to the banner. */
export const workBanner: RecipeBanner = {
  ...plainBanner,
  about: aboutPlan,
  rows: workRows,
  noChecks: () => [span('those of each task', 'dim')],
  doneWhen: ({ gates }) => [
    ...[span('a task is reported complete ('), span('ralph task complete', 'strong'), span(', or DONE at the end)')],
    span(` and its own checks${gates.length === 0 ? '' : ' and these'} are green`),
  ],
  after: (begins, _state, look) => [startingLine(begins, look)],
};

/** `task-graph.yaml for story S-012, 4 workers, into main`. */
function aboutPlan(settings: WorkSettings): string {
  const { work, lanes } = settings;
  return `${shorten(work.plan.path, TEXT_CHARS)}${scopeText(settings)}, ${plural(lanes, 'worker')}, into ${shorten(work.base, TEXT_CHARS)}`;
}

/** `🔄 Starting Ralph Loop...` (seed 000). */
function startingLine(what: 'Starting' | 'Resuming', { glyphs }: DisplaySettings): Line {
  return prose(span(`${glyphs.loop}${what} Ralph Loop...`, 'strong'));
}

/** The settings that only a run on a plan has; unused ones are not mentioned. */
function workRows({ work }: WorkSettings): readonly Line[] {
  return [
    row('base', span(shorten(work.base, TEXT_CHARS), 'strong'), span(', moved only by results that are green when merged', 'dim')),
    ...(work.promptCommand === null ? [] : [row('prompt', span(`from the command: ${shorten(work.promptCommand, TEXT_CHARS)}`))]),
    ...(work.template === null ? [] : [row('template', span(shorten(work.template, TEXT_CHARS)))]),
    row('tries', span(triesText(work))),
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
