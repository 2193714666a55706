import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { printable, truncateCodePoints } from '../../kit/pure/text.ts';
import { layersOf } from './layers.ts';
import { countStandings } from './plan-summary.ts';
import { allStandings, type Standing, type Standings, standingStyles } from './standing.ts';

const LONGEST_ID = 40;
const LONGEST_TITLE = 60;
const MOST_NEEDS = 5;
const WIDEST_STANDING = Math.max(...allStandings.map((standing) => standing.length));

/** Colours a text by the state of a task, where there are colours. */
export type Paint = (text: string, standing: Standing) => string;

/** The plan for people, level by level. Tasks of one level can be done in parallel. */
export function drawText(plan: Plan, standings: Standings, paint: Paint = (text) => text): string {
  const { layers, inCycle: inACircle } = layersOf(plan);
  const draw = (tasks: readonly PlanTask[]) => taskLines(tasks, standings, paint);
  return `${[
    heading(plan, standings),
    ...layers.flatMap((tasks, index) => ['', `Level ${index + 1}`, ...draw(tasks)]),
    ...(inACircle.length === 0 ? [] : ['', 'In a cycle, or waiting for one', ...draw(inACircle)]),
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
    const state = paint(`${standingStyles[standing].mark} ${standing.padEnd(WIDEST_STANDING)}`, standing);
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

const LONGEST_LABEL = 60;

/** The plan as a Mermaid flowchart. Nodes are named by their position in the plan, because ids may be keywords of Mermaid. */
export function drawMermaid(plan: Plan, standings: Standings): string {
  const names = new Map(plan.tasks.map((task, index) => [task.id, `n${index}`]));
  const nodes = plan.tasks.map((task) => {
    const label = [task.id, task.title].map(escaped).filter((text) => text !== '');
    return `  ${names.get(task.id)}["${label.join('<br/>') || names.get(task.id)}"]:::${standings.get(task.id) ?? 'waiting'}`;
  });
  const edges = plan.tasks.flatMap((task) =>
    [...new Set(task.needs)].flatMap((need) => (names.has(need) ? [`  ${names.get(need)} --> ${names.get(task.id)}`] : [])),
  );
  const classes = allStandings.map(
    (standing) => `  classDef ${standing} fill:${standingStyles[standing].fill},stroke:${standingStyles[standing].stroke},color:#212529`,
  );
  return `${['flowchart LR', ...nodes, ...edges, ...classes].join('\n')}\n`;
}

/** Everything but letters, digits and a few signs becomes an entity: quotes would end the label, and Mermaid reads directives anywhere. */
function escaped(text: string): string {
  const line = truncateCodePoints(text.replaceAll(/[\s\p{C}]+/gu, ' ').trim(), LONGEST_LABEL, '…');
  return line.replaceAll(/[^\p{L}\p{M}\p{N} .,_…-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
