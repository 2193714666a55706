// The memory of a node process from the inside, and how it grows.
import { once } from 'node:events';

/** Inside of the process: tells its memory, on request after a collection, and what was left after the last full one. */
const PROBE = `import { PerformanceObserver } from 'node:perf_hooks';
let left = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind === 4) left = process.memoryUsage().heapUsed;
}).observe({ entryTypes: ['gc'] });
process.on('message', (first) => {
  if (first === 'collect') gc();
  process.send({ left, ...process.memoryUsage() });
});
process.channel.unref();`;

/** For a process that is started with a channel. */
export const PROBED = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(PROBE)}`];

/** `collect` collects all garbage first. */
export async function memoryMbOf(probed, first) {
  probed.send(first);
  const [bytes] = await once(probed, 'message');
  return Object.fromEntries(Object.entries(bytes).map(([name, each]) => [name, each / 1e6]));
}

const COLUMNS = { rss: 'server resident', left: 'server heap after a full collection', heapUsed: 'server heap', external: 'server buffers', page: 'page heap' };

/** A row for each minute. The slope is that of the straight line with the least squares. */
export function printMinutes(rows) {
  const line = (minute, of) =>
    `${minute.padStart(12)}${Object.keys(COLUMNS)
      .map((key) => of(key).padStart(Math.max(9, COLUMNS[key].length + 2)))
      .join('')}`;
  console.log(line('minute', (key) => COLUMNS[key]));
  for (const [index, row] of rows.entries()) console.log(line(`${index + 1}`, (key) => row[key].toFixed(1)));
  console.log(line('MB an hour', (key) => (60 * slopeOf(rows.map((row) => row[key]))).toFixed(1)));
}

function slopeOf(values) {
  const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const [middle, level] = [(values.length - 1) / 2, mean(values)];
  return mean(values.map((value, index) => (index - middle) * (value - level))) / mean(values.map((_, index) => (index - middle) ** 2));
}
