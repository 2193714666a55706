import type { RunLine, RunRow } from '../view/page.ts';
import { chooseRun } from './api.ts';
import { clock, money, shortRun } from './format.ts';
import { chosenRun, overview } from './state.ts';

/** All runs of the project, newest first. */
export function Runs() {
  const runs = overview.value?.runs ?? [];
  const leftOut = overview.value?.runs_left_out ?? 0;
  return (
    <section class="panel runs" aria-labelledby="runs-title">
      <h2 id="runs-title">
        Runs <span class="count">{runs.length + leftOut}</span>
      </h2>
      {runs.length === 0 ? <p class="empty">No run yet. Start one with ralph run, loop or work.</p> : null}
      <ul class="plain">
        {runs.map((run) => (
          <li key={run.run_id}>
            <Run run={run} />
          </li>
        ))}
      </ul>
      {leftOut > 0 ? <p class="dim small">and {leftOut} older ones: ralph runs list</p> : null}
    </section>
  );
}

/** How a run stands, for its dot. */
export function toneOf({ standing, done, status }: Pick<RunLine, 'standing' | 'done' | 'status'>): string {
  if (standing === 'running') return status === 'paused' || status.endsWith('waits') ? 'busy' : 'open';
  if (standing === 'stopped') return done ? 'good' : 'ended';
  // Nobody knows of a run on another machine.
  return standing === 'dead' ? 'bad' : 'ended';
}

const isOneOfSeveral = () => new Set(overview.value?.runs.map(({ project }) => project)).size > 1;

function Run({ run }: { readonly run: RunLine }) {
  const isChosen = run.run_id === chosenRun.value;
  return (
    <button type="button" class="run" aria-current={isChosen ? 'true' : undefined} onClick={() => chooseRun(run.run_id)}>
      <span class={`dot ${toneOf(run)} ${run.standing}`} aria-hidden="true" />
      <span class="run-name">
        <span class="ellipsis untrusted">{run.title || run.run_id}</span>
        <span class="dim small ellipsis untrusted">
          {isOneOfSeveral() ? `${run.project} · ` : ''}
          {run.recipe} {shortRun(run.run_id)} · {run.standing === 'dead' ? 'died' : run.status}
        </span>
      </span>
      <span class="run-side dim small">
        <span>{clock(run.started_at)}</span>
        <span>{run.progress === null ? money(run.cost_usd) : `${run.progress.done}/${run.progress.total}`}</span>
      </span>
      {run.row.workers === 0 ? null : <Row {...run.row} />}
    </button>
  );
}

/** Its last iterations by time, in the colours of the timeline, which tells them in words. */
function Row({ workers, paths }: RunRow) {
  return (
    <svg class="row" viewBox={`0 0 1000 ${workers}`} preserveAspectRatio="none" style={{ height: `${Math.min(24, 6 * workers)}px` }} aria-hidden="true">
      {Object.entries(paths).map(([verdict, path]) => (
        <path key={verdict} class={verdict} d={path} />
      ))}
    </svg>
  );
}
