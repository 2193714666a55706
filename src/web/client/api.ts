import { effect, signal } from '@preact/signals';
import type { WatchAction } from '../../watch/view/watch-keys.ts';
import type { AgentEntry, ExportedRun, HistoryView, IterationPage, Overview, RunPage } from '../view/page.ts';
import { agentOf, exported, momentOf } from './exported.ts';
import * as state from './state.ts';

const MOST_ENTRIES = 600;
const NOTICE_MS = 15_000;
/** The server says something every five seconds, even if nothing is new. */
const SILENT_MS = 20_000;
const REOPEN_MS = 2_000;

async function getJson<T>(path: string): Promise<T | null> {
  const answer = await fetch(path).catch(() => null);
  if (answer?.status === 401) state.connection.value = 'refused';
  return answer?.ok ? ((await answer.json()) as T) : null;
}

/** Tells what became of it. True: it was carried out. */
export async function act(action: WatchAction): Promise<boolean> {
  state.busy.value = true;
  state.notice.value = { text: 'Sent. Waiting until the run has read it…', isBad: false };
  const answer = await fetch('/api/actions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(action) }).catch(
    () => null,
  );
  const said = (await answer?.json().catch(() => null)) as { readonly message?: string; readonly error?: string } | null;
  state.busy.value = false;
  const notice = { text: said?.message ?? said?.error ?? 'The server does not answer.', isBad: answer?.ok !== true };
  state.notice.value = notice;
  const hide = () => {
    if (state.notice.value === notice) state.notice.value = null;
  };
  // What went well need not be closed by hand, unless something else has been said since.
  if (!notice.isBad) setTimeout(hide, NOTICE_MS);
  return answer?.ok === true;
}

/** A browser retries what it knows to be broken. A connection that went silent, or whose key is no longer taken, is opened anew here. */
const opened = signal(0);
let reopenAtMs = Number.POSITIVE_INFINITY;

function reopenIfSilent(): void {
  if (Date.now() < reopenAtMs) return;
  reopenAtMs = Date.now() + SILENT_MS;
  if (state.connection.value === 'live') state.connection.value = 'lost';
  opened.value += 1;
}

/** Follows the chosen run for as long as the page is open. */
export function followServer(): void {
  if (exported !== null) {
    showExported(exported);
    return;
  }
  let source: EventSource | null = null;
  effect(() => {
    const [run, iteration, task] = [state.chosenRun.value, state.wantedIteration.value, state.chosenTask.value];
    source?.close();
    const words = new URLSearchParams({
      ...(run !== null && { run }),
      ...(iteration !== null && { iteration: `${iteration}` }),
      ...(task !== null && { task }),
    });
    source = openSource(`/api/stream?${words}&opened=${opened.value}`);
  });
  setInterval(reopenIfSilent, 1000);
}

/** Nothing changes any more, so nothing is asked for. */
function showExported(run: ExportedRun): void {
  [state.overview.value, state.livePage.value, state.history.value] = [run.overview, run.page, run.history];
  [state.chosenRun.value, state.connection.value, state.nowMs.value] = [run.page.run_id, 'exported', run.page.at];
  effect(() => {
    state.agent.value = agentOf(run, state.shownIteration.value?.iteration ?? null);
    state.evidence.value = run.iterations[state.shownIteration.value?.iteration ?? 0] ?? null;
  });
}

function openSource(address: string): EventSource {
  const source = new EventSource(address);
  const hear = () => {
    state.connection.value = 'live';
    reopenAtMs = Date.now() + SILENT_MS;
  };
  const on = <T>(name: string, take: (data: T) => void) =>
    source.addEventListener(name, (event) => {
      hear();
      // What arrives together is shown one after the other, so that a key or a click need not wait for all of it.
      setTimeout(() => source.readyState !== EventSource.CLOSED && take(JSON.parse((event as MessageEvent<string>).data) as T));
    });
  on('beat', () => undefined);
  on<Overview>('overview', (overview) => {
    state.overview.value = overview;
    state.chosenRun.value ??= (overview.runs.find(({ standing }) => standing === 'running') ?? overview.runs[0])?.run_id ?? null;
  });
  on<RunPage>('page', (page) => {
    if (page.run_id === state.chosenRun.value) state.livePage.value = page;
  });
  on<{ attempt: string; isNew: boolean; entries: readonly AgentEntry[] }>('agent', ({ attempt, isNew, entries }) => {
    const before = isNew ? [] : state.agent.value.entries;
    state.agent.value = { attempt, entries: [...before, ...entries].slice(-MOST_ENTRIES) };
  });
  source.onopen = hear;
  source.onerror = () => {
    if (state.connection.value !== 'refused' || source.readyState !== EventSource.CLOSED) state.connection.value = 'lost';
    if (source.readyState !== EventSource.CLOSED) return;
    reopenAtMs = Date.now() + REOPEN_MS;
    // Only a fetch tells why.
    void getJson('/api/overview');
  };
  return source;
}

export function chooseRun(run: string): void {
  if (run === state.chosenRun.value) return;
  Object.assign(state.chosenRun, { value: run });
  for (const each of [state.livePage, state.pastPage, state.chosenIteration, state.chosenTask, state.evidence]) each.value = null;
  state.agent.value = { attempt: '', entries: [] };
}

let wanted = 0;

/** Shows the chosen run as it was at that event; null: as it is now. */
export async function showMoment(seq: number | null): Promise<void> {
  wanted += 1;
  const mine = wanted;
  if (seq === null) {
    state.pastPage.value = null;
    return;
  }
  if (exported !== null) {
    state.pastPage.value = momentOf(exported, seq);
    return;
  }
  const page = await getJson<RunPage>(`/api/runs/${state.chosenRun.value}?seq=${seq}`);
  if (page !== null && mine === wanted) state.pastPage.value = page;
}

/** Reads the evidence of the shown iteration again whenever it may have changed. */
export function followEvidence(): void {
  if (exported !== null) return;
  let asked = 0;
  effect(() => {
    asked += 1;
    const mine = asked;
    const [page, shown] = [state.page.value, state.shownIteration.value];
    if (page === null || shown === null) {
      state.evidence.value = null;
      return;
    }
    const moment = state.pastPage.value === null ? '' : `?seq=${page.seq}`;
    void getJson<IterationPage>(`/api/runs/${page.run_id}/iterations/${shown.iteration}${moment}`).then((found) => {
      if (mine === asked) state.evidence.value = found;
    });
  });
}

export function followHistory(): void {
  if (exported !== null) return;
  effect(() => {
    if (state.tab.value !== 'history' || state.overview.value === null) return;
    void getJson<HistoryView>('/api/history').then((found) => {
      state.history.value = found ?? state.history.value;
    });
  });
}

/** Of one iteration; null: of the whole run. */
export async function readDiff(run: string, iteration: number | null): Promise<string> {
  if (exported !== null) return exported.diffs[iteration ?? 0] ?? '';
  const answer = await fetch(`/api/runs/${run}/diff${iteration === null ? '' : `?iteration=${iteration}`}`).catch(() => null);
  const said = (await answer?.json().catch(() => null)) as { readonly ansi?: string; readonly error?: string } | null;
  return said?.ansi ?? said?.error ?? 'The server does not answer.';
}
