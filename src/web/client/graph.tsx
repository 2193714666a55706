import { effect, signal } from '@preact/signals';
import { criticalPath } from '../view/critical-path.ts';
import type { TaskNode } from '../view/page.ts';
import type { GraphLayout, GraphRequest } from './graph-worker.ts';
import { chosenIteration, chosenTask, page, tab } from './state.ts';

const layoutOf = signal<GraphLayout | null>(null);
const [WIDTH, HEIGHT] = [184, 50];
let worker: Worker | null = null;
let laidOut = '';

/** Asks for a layout when the shape of the plan changes; states alone change only colours. */
export function followGraph(): void {
  effect(() => {
    const tasks = page.value?.tasks;
    if (tab.value !== 'graph' || !tasks) return;
    const request: GraphRequest = tasks.map(({ id, needs }) => ({ id, needs }));
    const shape = JSON.stringify(request);
    if (shape === laidOut) return;
    laidOut = shape;
    worker ??= openWorker();
    worker.postMessage(request);
  });
}

function openWorker(): Worker {
  const opened = new Worker('/assets/graph-worker.js', { type: 'module' });
  opened.onmessage = ({ data }: MessageEvent<GraphLayout>) => {
    layoutOf.value = data;
  };
  return opened;
}

/** The plan in layers, from what can be begun to what comes last. */
export function Graph() {
  const tasks = page.value?.tasks ?? null;
  const layout = layoutOf.value;
  if (tasks === null) return <p class="empty">This run has no plan. Only ralph work has one.</p>;
  if (layout === null) return <p class="empty">Laying out {tasks.length} tasks…</p>;
  const critical = criticalPath(tasks);
  const criticalEdges = new Set(critical.map((id, index) => `${critical[index - 1]} ${id}`));
  const known = new Map(tasks.map((task) => [task.id, task]));
  return (
    <div class="graph" tabIndex={0} role="region" aria-label="Task graph">
      <svg width={layout.width} height={layout.height} role="group" aria-label={`${tasks.length} tasks, ${critical.length} on the longest open chain`}>
        {layout.edges.map(({ from, to, points }) => (
          <path key={`${from} ${to}`} class={criticalEdges.has(`${from} ${to}`) ? 'edge critical' : 'edge'} d={pathOf(points)} />
        ))}
        {layout.nodes.map(({ id, x, y }) => {
          const task = known.get(id);
          return task === undefined ? null : <Node key={id} task={task} x={x - WIDTH / 2} y={y - HEIGHT / 2} />;
        })}
      </svg>
    </div>
  );
}

function pathOf([first, ...points]: readonly { readonly x: number; readonly y: number }[]): string {
  if (first === undefined) return '';
  const last = points.at(-1) ?? first;
  const middle = (first.x + last.x) / 2;
  if (points.length <= 2) return `M${first.x},${first.y}C${middle},${first.y} ${middle},${last.y} ${last.x},${last.y}`;
  return `M${first.x},${first.y}${points.map(({ x, y }) => `L${x},${y}`).join('')}`;
}

const TITLE_CHARS = 26;
const cut = (text: string) => (text.length > TITLE_CHARS ? `${text.slice(0, TITLE_CHARS - 1)}…` : text);

export const STANDINGS: Readonly<Record<TaskNode['standing'], string>> = {
  complete: 'done',
  held: 'at work',
  ready: 'ready',
  waiting: 'waits',
  blocked: 'blocked',
  failed: 'failed',
  conflict: 'conflict',
  parked: 'needs you',
};

/** The card of a run without a plan is the run as a whole. */
export function chooseTask(id: string): void {
  chosenTask.value = page.value?.tasks === null ? null : id;
  chosenIteration.value = null;
}

function Node({ task: { id, title, standing }, x, y }: { readonly task: TaskNode; readonly x: number; readonly y: number }) {
  return (
    <g
      class={`node ${standing} ${chosenTask.value === id ? 'chosen' : ''}`}
      transform={`translate(${x},${y})`}
      role="button"
      tabIndex={0}
      onClick={() => chooseTask(id)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        chooseTask(id);
      }}
    >
      <rect width={WIDTH} height={HEIGHT} rx={8} />
      <rect class="side" width={5} height={HEIGHT - 16} x={7} y={8} rx={2.5} />
      <text class="id" x={20} y={21}>
        {`${cut(id)} `}
      </text>
      <text class="state" x={WIDTH - 10} y={21}>
        {`${STANDINGS[standing]} `}
      </text>
      <text class="title" x={20} y={38}>
        {cut(title)}
      </text>
    </g>
  );
}
