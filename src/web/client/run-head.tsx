import { useSignal } from '@preact/signals';
import type { RunAction, RunPage } from '../view/page.ts';
import { act } from './api.ts';
import { duration, money } from './format.ts';
import { toneOf } from './runs.tsx';
import { busy, livePage, nowMs, overview, page, pastPage } from './state.ts';

/** What the chosen run is, how it stands, and what a person can do with it. */
export function RunHead() {
  const shown = page.value;
  if (shown === null) return <div class="run-head panel empty">{overview.value?.runs.length === 0 ? 'No run yet.' : 'Reading the journal…'}</div>;
  const { report, watch } = shown;
  const [agent = ''] = shown.agents;
  // The server tells only what is new, and the clock alone is no news.
  const elapsedMs = watch.standing === 'running' && pastPage.value === null ? nowMs.value - report.started_at : watch.elapsed_ms;
  const facts = [watch.recipe, agent, duration(elapsedMs), money(watch.cost_usd), watch.left_ms === null ? '' : `about ${duration(watch.left_ms)} left`];
  return (
    <div class="run-head panel">
      <div class="run-title">
        <h2 class="ellipsis untrusted">{report.title || shown.run_id}</h2>
        <p class="ellipsis">
          <Standing shown={shown} /> <span class="untrusted">{watch.status === watch.standing ? '' : `${watch.status} · `}</span>
          <span class="dim">{facts.filter((fact) => fact !== '' && fact !== '–').join(' · ')}</span>
        </p>
        {watch.progress === null ? null : <Progress {...watch.progress} />}
      </div>
      {pastPage.value === null && overview.value?.read_only === false ? <Actions can={shown.can} run={shown.run_id} /> : null}
    </div>
  );
}

/** Proven is only what something proves. */
function Standing({ shown: { watch, report } }: { readonly shown: RunPage }) {
  const isPartly = report.done && report.not_proven.length > 0;
  const name = watch.standing === 'dead' || !report.done ? watch.standing : isPartly ? 'done, not all proven' : 'proven';
  return <span class={`tag ${isPartly ? 'busy' : toneOf({ ...watch, done: report.done })}`}>{name}</span>;
}

function Progress({ done, total, of }: { readonly done: number; readonly total: number; readonly of: string }) {
  const share = total === 0 ? 0 : (100 * done) / total;
  const name = of === 'iterations' ? `iteration ${done} of ${total}` : `${done} of ${total} ${of}`;
  return (
    <p class="progress">
      <span class="meter" role="meter" aria-label={name} aria-valuenow={done} aria-valuemin={0} aria-valuemax={total}>
        <span class={of === 'iterations' ? 'plain' : 'good'} style={{ width: `${share}%` }} />
      </span>
      <span class="dim small">{name}</span>
    </p>
  );
}

type Button = 'pause' | 'go-on' | 'drain' | 'stop' | 'resume';

const BUTTONS: readonly Button[] = ['pause', 'go-on', 'drain', 'stop', 'resume'];

const NAMES: Readonly<Record<Button, readonly [name: string, about: string]>> = {
  pause: ['Pause', 'Finish what has begun, start nothing new until you continue'],
  'go-on': ['Continue', 'Start work again'],
  drain: ['Drain', 'Finish what has begun, then stop'],
  stop: ['Stop', 'End the agents now; you can resume the run later'],
  resume: ['Resume', 'Continue the run in the background'],
};

function Actions({ can, run }: { readonly can: readonly RunAction[]; readonly run: string }) {
  const isAsked = useSignal(false);
  const buttons = BUTTONS.filter((each) => can.includes(each));
  if (buttons.length === 0 || livePage.value === null) return null;
  const click = (kind: Button) => {
    if (kind === 'stop' && !isAsked.value) {
      isAsked.value = true;
      return;
    }
    isAsked.value = false;
    void act({ kind, run });
  };
  if (isAsked.value)
    return (
      <div class="actions" role="group" aria-label="Stop the run?">
        <span>Stop it now?</span>
        <button type="button" class="danger" onClick={() => click('stop')}>
          Yes, stop
        </button>
        <button type="button" onClick={() => (isAsked.value = false)}>
          No
        </button>
      </div>
    );
  return (
    <div class="actions" role="group" aria-label="Actions on this run">
      {buttons.map((kind) => (
        <button
          key={kind}
          type="button"
          class={kind === 'go-on' || kind === 'resume' ? 'primary' : ''}
          title={NAMES[kind][1]}
          disabled={busy.value}
          onClick={() => click(kind)}
        >
          {NAMES[kind][0]}
        </button>
      ))}
    </div>
  );
}
