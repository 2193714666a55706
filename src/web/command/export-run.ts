import { resolve } from 'node:path';
import { writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { openAgentTail } from '../server/agent-tail.ts';
import { readAsset } from '../server/assets.ts';
import type { FollowedRun } from '../server/followed-run.ts';
import type { ExportedRun, IterationPage, RunPage } from '../view/page.ts';
import { openPageParts, type PagePlace } from './page-parts.ts';

const MOST_MOMENTS = 40;
const MOST_ITERATIONS = 100;
const MOST_DIFF_CHARS = 200_000;

/** Writes a run as one HTML file with the views of the page, which needs no server and no network. */
export async function exportRun(place: PagePlace, wanted: string | null, file: string): Promise<void> {
  using parts = openPageParts({ ...place, readOnly: true });
  const overview = await parts.project.overview(Date.now());
  const line = overview.runs.find(({ run_id }) => wanted === null || run_id.endsWith(wanted));
  const followed = line === undefined ? null : await parts.project.run(line.run_id, Date.now());
  const page = (await followed?.page(Date.now())) ?? null;
  if (followed === null || page === null || line === undefined)
    throw new OperatorError('run-unknown', wanted === null ? 'there is no run here' : `there is no run ${wanted} here`, {
      hint: 'ralph runs list shows them.',
      exitCode: 2,
    });
  const iterations = await iterationsOf(followed, page);
  const exported: ExportedRun = {
    overview: { ...overview, read_only: true, runs: [line], runs_left_out: 0, needs: overview.needs.filter(({ run_id }) => run_id === line.run_id) },
    ...{ page, iterations, history: await parts.project.history(Date.now()) },
    moments: await momentsOf(followed, page.seq),
    ...{ diffs: await diffsOf(iterations, patchOf), agents: await agentsOf(followed, page) },
  };
  await writeAtomic(resolve(place.cwd, file), htmlOf(parts.toJson(exported)), 0o644);

  async function patchOf(iteration: number | null): Promise<string> {
    const ends = (await followed?.ends(iteration)) ?? null;
    if (ends === null && iteration !== null) return '';
    const cwd = parts.project.placeOf(page?.run_id ?? '') ?? place.cwd;
    const patch = await parts.patchOf(page?.run_id ?? '', cwd, ends).catch((error: unknown) => (error as Error).message);
    const more = patch.length - MOST_DIFF_CHARS;
    return more > 0 ? `${patch.slice(0, MOST_DIFF_CHARS)}\n… ${more} more characters are not in this file.` : patch;
  }
}

async function iterationsOf(followed: FollowedRun, { bars }: RunPage): Promise<Readonly<Record<string, IterationPage>>> {
  const pages = await Promise.all(bars.slice(-MOST_ITERATIONS).map(({ iteration }) => followed.iteration(iteration, null)));
  return Object.fromEntries(pages.flatMap((page) => (page === null ? [] : [[page.iteration, page]])));
}

/** As many as a slider needs. */
async function momentsOf(followed: FollowedRun, last: number): Promise<readonly RunPage[]> {
  const step = Math.max(1, Math.ceil(last / MOST_MOMENTS));
  const moments: RunPage[] = [];
  for (let seq = 1; seq < last; seq += step) moments.push(...[await followed.pageAt(seq)].filter((page) => page !== null));
  return moments;
}

/** 0: the whole run. */
async function diffsOf(
  iterations: ExportedRun['iterations'],
  patchOf: (iteration: number | null) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  const diffs: Record<string, string> = { 0: await patchOf(null) };
  for (const { iteration, has_changes } of Object.values(iterations)) if (has_changes) diffs[iteration] = await patchOf(iteration);
  return diffs;
}

async function agentsOf(followed: FollowedRun, { bars }: RunPage): Promise<ExportedRun['agents']> {
  const said: (readonly [number, ExportedRun['agents'][string]])[] = [];
  for (const { iteration } of bars.slice(-MOST_ITERATIONS)) {
    using tail = openAgentTail(followed.folder);
    const { attempt = '', entries = [] } = tail.more(await followed.attempt(iteration)) ?? {};
    said.push([iteration, { attempt, entries }]);
  }
  return Object.fromEntries(said);
}

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; worker-src data: blob:; base-uri 'none'; form-action 'none'";

/** Everything is in the file. The data cannot end its element, because no `<` is left in it. */
function htmlOf(json: string): string {
  const asset = (name: string) => readAsset(name)?.content ?? '';
  const data = (type: string, content: string) => `data:${type};base64,${Buffer.from(content).toString('base64')}`;
  const icon = data('image/svg+xml', asset('icon.svg'));
  const script = asset('app.js')
    .replaceAll('/assets/icon.svg', icon)
    .replaceAll('/assets/graph-worker.js', data('text/javascript', asset('graph-worker.js')))
    .replaceAll('</script', '<\\/script');
  const replaced: readonly (readonly [string, string])[] = [
    ['<meta charset="utf-8" />', `<meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${POLICY}" />`],
    ['<link rel="icon" href="/assets/icon.svg" />', `<link rel="icon" href="${icon}" />`],
    ['<link rel="stylesheet" href="/assets/app.css" />', `<style>${asset('app.css')}</style>`],
    ['<script type="module" src="/assets/app.js"></script>', ''],
    [
      '<div id="page"></div>',
      `<div id="page"></div><script type="application/json" id="exported">${json.replaceAll('<', '\\u003c')}</script><script type="module">${script}</script>`,
    ],
  ];
  return replaced.reduce((html, [from, to]) => html.replace(from, () => to), asset('index.html'));
}
