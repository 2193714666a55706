import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { printable, truncateCodePoints } from '../../kit/pure/text.ts';
import { layersOf } from './layers.ts';
import { countStandings } from './plan-summary.ts';
import { allStandings, type Standing, type Standings, standingStyles } from './standing.ts';

const box = { width: 220, height: 46 } as const;
const gap = { x: 70, y: 18 } as const;
const margin = 24;
const legendHeight = 40;
const legendWidth = 110;
const LONGEST_LABEL = 30;
const LONGEST_HINT = 300;

/** The plan as a picture without external fonts, scripts or links. Tasks go from left to right in the order of their dependencies. */
export function drawSvg(plan: Plan, standings: Standings): string {
  const places = placeTasks(plan);
  const { width, height } = sizeOf(places);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${xml(plan.project) || 'Plan'}</title>`,
    `<style>${styles()}</style>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...legend(standings),
    '<g fill="none" stroke="#adb5bd" stroke-width="1.5">',
    ...edges(places),
    '</g>',
    ...[...places.values()].map((place) => node(place, standings.get(place.task.id) ?? 'waiting')),
    '</svg>',
  ].join('\n')}\n`;
}

function sizeOf(places: ReadonlyMap<string, Place>): { readonly width: number; readonly height: number } {
  let [columns, rows] = [1, 1];
  for (const { column, row } of places.values()) [columns, rows] = [Math.max(columns, column + 1), Math.max(rows, row + 1)];
  const legend = 2 * margin + allStandings.length * legendWidth;
  return { width: Math.max(legend, left(columns) - gap.x + margin), height: top(rows) - gap.y + margin };
}

const left = (column: number) => margin + column * (box.width + gap.x);
const top = (row: number) => margin + legendHeight + row * (box.height + gap.y);

function styles(): string {
  return allStandings
    .map((standing) => `.${standing} rect{fill:${standingStyles[standing].fill};stroke:${standingStyles[standing].stroke};stroke-width:1.5}`)
    .join('');
}

function legend(standings: Standings): readonly string[] {
  const counts = countStandings(standings);
  return allStandings.map((standing, index) => {
    const x = margin + index * legendWidth;
    return `<g class="${standing}"><rect x="${x}" y="${margin}" width="14" height="14" rx="3"/><text x="${x + 20}" y="${margin + 11}" fill="#495057">${standing} ${counts[standing]}</text></g>`;
  });
}

function edges(places: ReadonlyMap<string, Place>): readonly string[] {
  return [...places.values()].flatMap((to) => [...new Set(to.task.needs)].flatMap((need) => edge(places.get(need), to)));
}

function edge(from: Place | undefined, to: Place): readonly string[] {
  if (from === undefined) return [];
  const [x1, y1] = [left(from.column) + box.width, top(from.row) + box.height / 2];
  const [x2, y2] = [left(to.column), top(to.row) + box.height / 2];
  return [`<path d="M${x1} ${y1}C${x1 + gap.x / 2} ${y1} ${x2 - gap.x / 2} ${y2} ${x2} ${y2}"/>`];
}

function node({ task, column, row }: Place, standing: Standing): string {
  const [x, y] = [left(column), top(row)];
  return [
    `<g class="${standing}"><title>${xml(`${task.id}: ${task.title} (${standing})`, LONGEST_HINT)}</title>`,
    `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="6"/>`,
    `<text x="${x + 10}" y="${y + 19}">${standingStyles[standing].mark} <tspan font-weight="bold">${xml(task.id)}</tspan></text>`,
    `<text x="${x + 10}" y="${y + 36}">${xml(task.title)}</text></g>`,
  ].join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Text in XML: cut to size, escaped, and without characters that XML forbids. */
function xml(text: string, longest = LONGEST_LABEL): string {
  const line = truncateCodePoints(printable(text.trim()).replaceAll(/[\ufffe\uffff]/g, '\ufffd'), longest, '…');
  return line.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
}

export interface Place {
  readonly task: PlanTask;
  readonly column: number;
  readonly row: number;
}

/** The position of each task: a column for each layer, and near the rows of what it needs. Tasks in a cycle come last. */
export function placeTasks(plan: Plan): ReadonlyMap<string, Place> {
  const { layers, inCycle: inACircle } = layersOf(plan);
  const places = new Map<string, Place>();
  const columns = inACircle.length === 0 ? layers : [...layers, inACircle];
  for (const [column, tasks] of columns.entries()) {
    const wanted = tasks.map((task, index) => ({ task, row: rowOfNeeds(task, places) ?? index }));
    for (const [row, { task }] of wanted.sort((a, b) => a.row - b.row).entries()) places.set(task.id, { task, column, row });
  }
  return places;
}

function rowOfNeeds(task: PlanTask, places: ReadonlyMap<string, Place>): number | null {
  const rows = task.needs.flatMap((need) => places.get(need)?.row ?? []);
  return rows.length === 0 ? null : rows.reduce((sum, row) => sum + row, 0) / rows.length;
}
