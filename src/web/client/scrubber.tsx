import { useSignal } from '@preact/signals';
import { showMoment } from './api.ts';
import { clock } from './format.ts';
import { livePage, page, pastPage } from './state.ts';

const WAIT_MS = 120;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Goes to any moment of the run: everything on the page is a fold of the journal up to there. */
export function Scrubber() {
  const dragged = useSignal<number | null>(null);
  const live = livePage.value;
  if (live === null) return null;
  const shown = dragged.value ?? pastPage.value?.seq ?? live.seq;
  const go = (seq: number | null) => {
    clearTimeout(waiting);
    dragged.value = seq;
    waiting = setTimeout(() => void showMoment(seq === null || seq >= live.seq ? null : seq).then(() => (dragged.value = null)), WAIT_MS);
  };
  const isPast = pastPage.value !== null;
  return (
    <div class={`scrubber panel ${isPast ? 'past' : ''}`}>
      <label for="moment" class="small">
        {isPast ? 'As it was at' : 'Now'} <time>{clock(page.value?.at ?? live.at, true)}</time>
      </label>
      <input
        id="moment"
        type="range"
        min={1}
        max={live.seq}
        value={shown}
        aria-valuetext={`event ${shown} of ${live.seq}`}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <span class="dim small">
        {shown}/{live.seq}
      </span>
      <button type="button" disabled={!isPast} onClick={() => go(null)}>
        Back to now
      </button>
    </div>
  );
}
