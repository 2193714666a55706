import { printable } from '../../kit/pure/printable.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { layersOf } from './layers.ts';
import { countStandings } from './plan-summary.ts';
import type { Standing, Standings } from './standing.ts';
import { allStandings, looks } from './standing-looks.ts';

const LONGEST_ID = 40;
const LONGEST_TITLE = 60;
const MOST_NEEDS = 5;
const WIDEST_STANDING = Math.max(...allStandings.map((standing) => standing.length));

/** Gives a text the colour of a standing, where there are colours. */
export type Paint = (text: string, standing: Standing) => string;

/** The plan for people: level by level, what can go on side by side under each other. */
export function drawText(plan: Plan, standings: Standings, paint: Paint = (text) => text): string {
  const { layers, inACircle } = layersOf(plan);
  const draw = (tasks: readonly PlanTask[]) => taskLines(tasks, standings, paint);
  return `${[
    heading(plan, standings),
    ...layers.flatMap((tasks, index) => ['', `Level ${index + 1}`, ...draw(tasks)]),
    ...(inACircle.length === 0 ? [] : ['', 'In a circle, or waiting for one', ...draw(inACircle)]),
  ].join('\n')}\n`;
}

function heading(plan: Plan, standings: Standings): string {
  const counts = countStandings(standings);
  const parts = allStandings.filter((standing) => counts[standing] > 0).map((standing) => `${counts[standing]} ${standing}`);
  const tasks = plan.tasks.length === 1 ? '1 task' : `${plan.tasks.length} tasks`;
  return `${cut(plan.project, LONGEST_TITLE) || 'Plan'}: ${[tasks, ...parts].join(', ')}`;
}

function taskLines(tasks: readonly PlanTask[], standings: Standings, paint: Paint): readonly string[] {
  const width = tasks.reduce((widest, task) => Math.max(widest, cut(task.id, LONGEST_ID).length), 0);
  return tasks.map((task) => {
    const standing = standings.get(task.id) ?? 'waiting';
    const state = paint(`${looks[standing].mark} ${standing.padEnd(WIDEST_STANDING)}`, standing);
    return `  ${state}  ${cut(task.id, LONGEST_ID).padEnd(width)}  ${cut(task.title, LONGEST_TITLE)}${after(task.needs)}`.trimEnd();
  });
}

function after(needs: readonly string[]): string {
  if (needs.length === 0) return '';
  const more = needs.length > MOST_NEEDS ? ` and ${needs.length - MOST_NEEDS} more` : '';
  const named = needs.slice(0, MOST_NEEDS).map((need) => cut(need, LONGEST_ID));
  return `  (after ${named.join(', ')}${more})`;
}

const cut = (text: string, longest: number) => truncateCodePoints(printable(text.trim()), longest, '…');
