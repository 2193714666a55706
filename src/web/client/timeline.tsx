import type { Bar } from '../view/page.ts';
import { verdictOf } from '../view/shown.ts';
import { type TimeScale, timeScale } from '../view/time-scale.ts';
import { clock, duration, utcOffsetMs } from './format.ts';
import { chosenIteration, chosenTask, nowMs, page, pastPage, shownIteration } from './state.ts';

/** One row per worker, iterations as bars by time, and what happened below it. */
export function Timeline() {
  const shown = page.value;
  if (shown === null) return null;
  const { bars, report, watch } = shown;
  const isLive = watch.standing === 'running' && pastPage.value === null;
  const endMs = isLive ? Math.max(shown.at, report.last_at, nowMs.value) : Math.max(shown.at, report.last_at);
  const scale = timeScale(
    bars.map(({ from, to }) => ({ from, to: to ?? endMs })),
    utcOffsetMs(),
  );
  const workers = [...new Set(bars.map(({ worker }) => worker))].sort((one, other) => one - other);
  return (
    <div class="timeline">
      {bars.length === 0 ? <p class="empty">No iteration yet.</p> : null}
      <div class="lanes" role="group" aria-label="Iterations by time" onKeyDown={(event) => moveAmong(bars, event)}>
        {workers.map((worker) => (
          <Row key={worker} name={`w${worker}`} bars={bars.filter((bar) => bar.worker === worker)} scale={scale} endMs={endMs} />
        ))}
        {bars.length > 0 ? <Axis scale={scale} dayMs={report.last_at} /> : null}
      </div>
      <Legend />
      <Story />
    </div>
  );
}

/** With the arrow keys, from bar to bar. */
function moveAmong(bars: readonly Bar[], event: KeyboardEvent): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const at = bars.findIndex(({ iteration }) => iteration === shownIteration.value?.iteration);
  const next = bars[Math.max(0, Math.min(bars.length - 1, at + by))];
  if (next === undefined) return;
  chosenIteration.value = next.iteration;
  const row = event.currentTarget as HTMLElement;
  requestAnimationFrame(() => row.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus());
}

function Row({ name, bars, scale, endMs }: { readonly name: string; readonly bars: readonly Bar[]; readonly scale: TimeScale; readonly endMs: number }) {
  return (
    <div class="lane">
      <span class="lane-name dim">{name}</span>
      <div class="track">
        {scale.folds.map(({ at, from, to }) => (
          <span key={from} class="fold" style={{ left: `${at * 100}%` }} title={`nothing for ${duration(to - from)}`} />
        ))}
        {bars.map((bar) => (
          <BarButton key={bar.iteration} bar={bar} scale={scale} endMs={endMs} />
        ))}
      </div>
    </div>
  );
}

function BarButton({ bar, scale, endMs }: { readonly bar: Bar; readonly scale: TimeScale; readonly endMs: number }) {
  const { iteration, task, from, ticks, waits } = bar;
  const to = bar.to ?? endMs;
  const [left, right] = [scale.place(from), scale.place(to)];
  const width = Math.max(0.001, right - left);
  const inside = (ms: number) => `${Math.min(100, Math.max(0, (100 * (scale.place(ms) - left)) / width))}%`;
  const isShown = shownIteration.value?.iteration === iteration;
  const verdict = verdictOf(bar);
  const name = `Iteration ${iteration}${task === null ? '' : `, ${task}`}: ${verdict}, ${duration(to - from)}`;
  const choose = () => {
    chosenIteration.value = iteration;
    chosenTask.value = task;
  };
  return (
    <button
      type="button"
      class={`bar ${verdict}`}
      style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
      title={name}
      aria-label={name}
      aria-pressed={isShown}
      tabIndex={isShown ? 0 : -1}
      onClick={choose}
    >
      {waits.map((wait) => (
        <span key={wait.from} class="wait" title={wait.why} style={{ left: inside(wait.from), right: `calc(100% - ${inside(wait.to ?? to)})` }} />
      ))}
      <span class="bar-name">{task ?? iteration}</span>
      {ticks.map((tick) => (
        <span key={`${tick.at} ${tick.what}`} class={`tick ${tick.green ? 'green' : 'red'}`} style={{ left: inside(tick.at) }} />
      ))}
    </button>
  );
}

function Axis({ scale, dayMs }: { readonly scale: TimeScale; readonly dayMs: number }) {
  return (
    <div class="lane axis dim small" aria-hidden="true">
      <span class="lane-name" />
      <div class="track">
        {scale.marks.map(({ at, ms }) => (
          <span key={ms} class="mark" style={{ left: `${at * 100}%` }}>
            {clock(ms, true, dayMs)}
          </span>
        ))}
      </div>
    </div>
  );
}

function Legend() {
  return (
    <p class="legend dim small" aria-hidden="true">
      {['proven', 'green', 'asks', 'red', 'failed', 'abandoned', 'open'].map((name) => (
        <span key={name}>
          <i class={`swatch ${name}`} />
          {name === 'open' ? 'at work' : name === 'asks' ? 'asks you' : name}
        </span>
      ))}
      <span>
        <i class="swatch waiting" />
        waits
      </span>
      <span>
        <i class="swatch-tick green" />
        <i class="swatch-tick red" />
        gates
      </span>
    </p>
  );
}

const MOST_LINES = 200;

/** What happened, newest first. */
function Story() {
  const dayMs = page.value?.report.last_at;
  const lines = page.value?.report.timeline.slice(-MOST_LINES).toReversed() ?? [];
  return (
    <section class="story" aria-labelledby="story-title">
      <h3 id="story-title">What happened</h3>
      <ol class="plain" aria-live="off">
        {lines.map(({ at, iteration, task, tone, text }, index) => (
          <li key={`${at} ${lines.length - index}`} class={tone}>
            <time class="dim">{clock(at, true, dayMs)}</time>
            <span class="where dim ellipsis">{task ?? (iteration === null ? '' : `#${iteration}`)}</span>
            <span class="untrusted">{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
