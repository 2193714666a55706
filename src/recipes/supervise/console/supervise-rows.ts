import { formatDuration } from '../../../kit/pure/duration.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { row, shorten } from '../../../report/console/look.ts';
import type { RunSettings, SuperviseSpec } from '../../../settings/schema/run-settings.ts';

const NAMES_CHARS = 300;

/** `Ralph Supervise: task-20260115-044055-docs of demo, max 100 restarts`. */
export function superviseTitle({ recipe, supervise }: RunSettings): readonly Line[] {
  if (supervise === null) return [];
  const of = `${supervise.task} of ${supervise.project}`;
  return [prose(span(recipe === 'job' ? `Ralph Job: ${of}` : `Ralph Supervise: ${of}, max ${supervise.maxRestarts} restarts`))];
}

/** What a supervised run was given beyond any other; what was not asked for is not mentioned. */
export function superviseRows({ recipe, supervise }: RunSettings): readonly Line[] {
  if (supervise === null) return [];
  const { folder, parent, dependsOn } = supervise;
  return [
    row('task', span(folder)),
    row('bus', span(`${folder}/TASK-MESSAGE-BUS.md`)),
    ...(parent === null ? [] : [row('parent', span(`run ${parent}`))]),
    ...(dependsOn.length === 0 ? [] : [row('depends on', span(shorten(dependsOn.join(', '), NAMES_CHARS)))]),
    ...(recipe === 'job' ? [] : [row('restarts', span(restartsText(supervise)))]),
    row('children', span(childrenText(supervise))),
  ];
}

function restartsText({ maxRestarts, restartDelayMs, backoffMs, intensity }: SuperviseSpec): string {
  return [
    `${maxRestarts} at most`,
    `${formatDuration(restartDelayMs)} apart`,
    ...(backoffMs === 0 ? [] : [`up to ${formatDuration(backoffMs)} after failures in a row`]),
    ...(intensity === null ? [] : [`given up after more than ${intensity.failures} failures within ${formatDuration(intensity.withinMs)}`]),
  ].join(', ');
}

function childrenText({ waitTimeoutMs, waitScope, killChildren }: SuperviseSpec): string {
  const where = waitScope === 'project' ? ', in any task of the project' : '';
  return `waited for at the end${where}, ${formatDuration(waitTimeoutMs)} at most, then ${killChildren ? 'ended' : 'left running'}`;
}
