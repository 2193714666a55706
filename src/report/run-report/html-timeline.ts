import { type Html, html } from './html.ts';
import type { When } from './report-tables.ts';
import type { IterationView, RunReport } from './report-view.ts';

const WIDTH = 1000;
const LABEL = 40;
const ROW = 26;
const BAR = 18;
const AXIS = 22;

/** A row for each worker, a bar for each iteration. A picture without a script: each bar says what it is when it is pointed at. */
export function timelinePicture({ iterations, iterations_left_out, started_at, last_at }: RunReport, when: When): Html {
  if (iterations.length === 0) return html``;
  const fromMs = iterations_left_out === 0 ? started_at : Math.min(...iterations.map(({ from }) => from));
  const spanMs = Math.max(1, last_at - fromMs);
  const workers = [...new Set(iterations.map(({ worker }) => worker))].sort((one, other) => one - other);
  const x = (atMs: number) => round(LABEL + ((atMs - fromMs) / spanMs) * (WIDTH - LABEL));
  const height = workers.length * ROW + AXIS;
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Iterations over time">
${workers.map((worker, index) => html`<text class="axis" x="0" y="${index * ROW + BAR}">w${worker}</text>`)}
${iterations.map((each) => bar(each, workers.indexOf(each.worker), x, when))}
<text class="axis" x="${LABEL}" y="${height - 4}">${when(fromMs)}</text>
<text class="axis end" x="${WIDTH}" y="${height - 4}">${when(last_at)}</text>
</svg>
${iterations_left_out === 0 ? html`` : html`<p>${iterations_left_out} earlier iterations are not drawn.</p>`}`;
}

const LEAST_WIDTH = 1.5;

function bar({ iteration, task, from, to, result }: IterationView, row: number, x: (atMs: number) => number, when: When): Html {
  const width = round(Math.max(LEAST_WIDTH, x(to) - x(from)));
  const name = `Iteration ${iteration}${task === null ? '' : `, ${task}`}: ${result ?? 'not ended'}, ${when(from)} to ${when(to)}`;
  return html`<rect class="${result ?? 'open'}" x="${x(from)}" y="${row * ROW}" width="${width}" height="${BAR}"><title>${name}</title></rect>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
